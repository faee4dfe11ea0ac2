import Foundation
import Given
import TestSupport
import Testing

@Suite("One failure at a time")
struct OneAtATimeTests {
  @Test("the first issue of a test is reported, and no other")
  func reportsTheFirstIssue() async throws {
    #expect(try await issues(of: twoIssues) == ["first"])
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

  @Test("a failure makes the lesson fail")
  func failsTheLesson() async throws {
    let (turns, test) = (Turns(), try #require(Test.current))
    #expect(!turns.hasFailed(inLessonOf: test))

    _ = try await issues(with: OneAtATimeTrait(turns: turns, showsAll: false), of: twoIssues)

    #expect(turns.hasFailed(inLessonOf: test))
  }

  @Test("everything is reported if all is asked for, and nothing is canceled afterward")
  func reportsEverything() async throws {
    let (turns, test) = (Turns(), try #require(Test.current))

    let reported = try await issues(with: OneAtATimeTrait(turns: turns, showsAll: true), of: twoIssues)

    #expect(reported == ["first", "second"])
    #expect(!turns.hasFailed(inLessonOf: test))
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

  private let twoIssues: @Sendable () async throws -> Void = {
    Issue.record("first")
    Issue.record("second")
  }

  /// The comments of the issues that a trait lets through while a body runs as a test would.
  private func issues(
    with trait: OneAtATimeTrait = OneAtATimeTrait(turns: Turns(), showsAll: false),
    of body: @escaping @Sendable () async throws -> Void
  ) async throws -> [String] {
    let (reported, test) = (Inbox<String>(), try #require(Test.current))
    let reporting = IssueHandlingTrait.compactMapIssues { issue in
      reported.receive(issue.comments.map(\.rawValue).joined(separator: " / "))
      return nil
    }
    try await reporting.provideScope(for: test, testCase: nil) {
      try await trait.provideScope(for: test, testCase: nil, performing: body)
    }
    return reported.values
  }
}

/// What has run in the following suites.
private let journal = Inbox<String>()

// If another suite waited for one that is disabled, this run would never end.
@Suite("Disabled tests", .oneAtATime, .disabled("They show that no other suite waits for them."))
struct DisabledTests {
  @Test("nothing happens") func neverRuns() { journal.receive("a disabled test") }
}

@Suite("Tests in order: the first suite", .oneAtATime)
struct FirstInOrderTests {
  // Neither the names nor the functions are in alphabetical order.
  @Test("the top one is first") func zebra() async { await takesAMoment("zebra") }
  @Test("the middle one is second") func monkey() async { await takesAMoment("monkey") }
  @Test("the bottom one is last") func ant() async { await takesAMoment("ant") }

  private func takesAMoment(_ name: String) async {
    await mainQueueDrained()
    journal.receive(name)
  }
}

@Suite("Tests in order: the second suite", .oneAtATime)
struct AfterTheFirstInOrderTests {
  @Test(
    "all tests of the first suite have run, in the order of their lines",
    .disabled(if: OneAtATimeTrait().showsAll, "They run in parallel."))
  func runsInOrder() {
    #expect(journal.values == ["zebra", "monkey", "ant"])
  }
}
