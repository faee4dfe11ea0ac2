import TestSupport
import Testing

@Suite("One failure at a time")
struct OneAtATimeTests {
  @Test("the first issue of a test is reported, and no other")
  func reportsTheFirstIssue() async throws {
    let reported = try await issues(body: twoIssues)

    #expect(reported == ["first"])
  }

  @Test("a trait that is applied twice still reports the first issue")
  func reportsThroughTwoScopes() async throws {
    let reported = try await issues(
      of: { body in try await scope { try await scope(performing: body) } }, body: twoIssues)

    #expect(reported == ["first"])
  }

  @Test("every test has a first issue of its own")
  func startsOverForEachTest() async throws {
    let trait = OneAtATimeTrait(startingWith: {}, turns: Turns(), showsAll: false)
    let reported = try await issues(
      of: { body in
        for _ in 1...2 {
          try await trait.provideScope(for: #require(Test.current), testCase: Test.Case.current, performing: body)
        }
      }, body: twoIssues)

    #expect(reported == ["first", "first"])
  }

  // In Swift 6.2, a trait cannot tell a known issue from another one.
  #if compiler(>=6.3)
    @Test("an issue after a known issue is reported")
    func reportsAfterAKnownIssue() async throws {
      let reported = try await issues {
        withKnownIssue { Issue.record("known") }
        Issue.record("first")
        Issue.record("second")
      }

      #expect(reported == ["known", "first"])
    }
  #endif

  @Test("an error is thrown on if nothing has been reported")
  func throwsTheFirstError() async throws {
    await #expect(throws: Mishap.self) { try await scope { throw Mishap() } }
  }

  @Test("an error after the first issue is not reported")
  func dropsLaterErrors() async throws {
    let reported = try await issues {
      Issue.record("first")
      throw Mishap()
    }

    #expect(reported == ["first"])
  }

  @Test("an error that a test throws makes its lesson fail")
  func failsByAnError() async throws {
    let (turns, test) = (Turns(), try #require(Test.current))
    let trait = OneAtATimeTrait(startingWith: {}, turns: turns, showsAll: false)

    await #expect(throws: Mishap.self) {
      try await trait.provideScope(for: test, testCase: Test.Case.current) { throw Mishap() }
    }
    #expect(turns.hasFailed(inLessonOf: test))
  }

  @Test("no test waits for one that is disabled", arguments: [true, false])
  func leavesOutDisabledTests(isDisabled: Bool) async throws {
    var (turns, test) = (Turns(), try #require(Test.current))
    test.traits.append(ConditionTrait.disabled(if: isDisabled))

    try await OneAtATimeTrait(startingWith: {}, turns: turns, showsAll: false).prepare(for: test)

    #expect(turns.takesPart(test) != isDisabled)
  }

  @Test("a failure in an extra step says that the core is green if all steps before it take part")
  func knowsThatTheCoreIsGreen() {
    #expect(Turns.coreIsGreen(before: 3, of: [1: false, 2: false, 3: true, 4: true]))
    #expect(!Turns.coreIsGreen(before: 2, of: [1: false, 2: false, 3: true]))
    #expect(!Turns.coreIsGreen(before: 3, of: [1: false, 3: true]))
  }

  @Test("everything is reported if all is asked for")
  func reportsEverything() async throws {
    let reported = try await issues(of: { try await scope(showsAll: true, performing: $0) }, body: twoIssues)
    #expect(reported == ["first", "second"])

    await #expect(throws: Mishap.self) {
      try await scope(showsAll: true) {
        withKnownIssue { Issue.record("known") }
        throw Mishap()
      }
    }
  }

  @Test("`each` stops at the first value that fails, and names it")
  func namesTheValue() async throws {
    let tried = Inbox<String>()

    let reported = try await issues {
      await each("status", in: [200, 401, 500], "method", in: ["GET", "POST"]) { status, method in
        tried.receive("\(status) \(method)")
        if status == 401 { Issue.record("rejected") }
      }
    }

    #expect(reported == [#"rejected / This happened with status = 401, method = "GET""#])
    #expect(tried.values == ["200 GET", "200 POST", "401 GET"])
  }

  @Test("if step 1 is red, a later step's failure says so", arguments: [true, false])
  func namesStep1(isRed: Bool) async throws {
    let trait = OneAtATimeTrait(startingWith: { if isRed { throw Mishap() } }, turns: Turns(), showsAll: false)
    let test = try #require(Test.current)

    let reported = try await issues(
      of: { body in
        try await trait.provideScope(for: test, testCase: nil) {
          try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
        }
      }, body: twoIssues)

    let remark = " / Step 1 is not green yet. Start there: swift test --filter SupportTests.Step1"
    #expect(reported == ["first" + (isRed ? remark : "")])
  }

  private struct Mishap: Error {}

  private let twoIssues: @Sendable () async throws -> Void = {
    Issue.record("first")
    Issue.record("second")
  }

  /// Runs a body like a test with the trait.
  private func scope(showsAll: Bool = false, performing body: @Sendable () async throws -> Void) async throws {
    try await OneAtATimeTrait(startingWith: {}, turns: Turns(), showsAll: showsAll)
      .provideScope(for: #require(Test.current), testCase: Test.Case.current, performing: body)
  }

  /// The comments of the issues that a scope lets through.
  private func issues(
    of scope: @escaping @Sendable (@Sendable () async throws -> Void) async throws -> Void,
    body: @escaping @Sendable () async throws -> Void
  ) async throws -> [String] {
    let reported = Inbox<String>()
    let trait = IssueHandlingTrait.compactMapIssues { issue in
      reported.receive(issue.comments.map(\.rawValue).joined(separator: " / "))
      return nil
    }
    try await trait.provideScope(for: #require(Test.current), testCase: Test.Case.current) { try await scope(body) }
    return reported.values
  }

  private func issues(body: @escaping @Sendable () async throws -> Void) async throws -> [String] {
    try await issues(of: { try await scope(performing: $0) }, body: body)
  }
}
