import Given
import TestSupport
import Testing

@testable import Exercise3

/// A test in the list of ``Step4YourTests``.
typealias YourTest = (Step4YourTests) -> () async throws -> Void

/// The decorator that the running test is about: the learner's own, or another one while the suite judges the test.
private enum DecoratorUnderTest {
  @TaskLocal static var make: HeadersDecorator.Make = Exercise3.addingHeaders
}

/// Makes the decorator under test. Your tests call this function, which has the name and the parameters of yours.
func addingHeaders(_ headers: [String: String], to client: any HTTPClient) -> any HTTPClient {
  DecoratorUnderTest.make(headers, client)
}

extension Step4YourTests {
  @Test("your tests tell right decorators from wrong ones")
  func areJudged() async throws {
    // Says one thing at a time: a test that is missing from the list, a test that refuses something right, at its line, or the
    // first wrong decorator that no test refuses. All other issues of the tests that it runs are dropped.
    let suite = try Turns.ofThisProcess.suite(of: #require(Test.current))
    func report(_ message: String) { Issue.record(Comment(rawValue: message), sourceLocation: suite.sourceLocation) }
    guard !Self.all.isEmpty, Self.all.count >= suite.otherTests else {
      return report(
        Self.all.isEmpty
          ? "The list `all` has no tests yet. Write one for the first rule of step 3, and list it."
          : "`all` lists \(Self.all.count) of your \(suite.otherTests) tests. List the others, too.")
    }

    var judged = Self.all.map { JudgedTest(test: $0, suite: suite.sourceLocation) }
    let own = HeadersDecorator("", DecoratorUnderTest.make)
    for decorator in [own] + HeadersDecorator.right {
      let remark =
        decorator.sentence.isEmpty
        ? "This happened with your own decorator." : "This decorator is right. \(decorator.sentence)"
      for index in judged.indices where await judged[index].refuses(right: decorator, saying: remark) { return }
    }

    var survivors: [HeadersDecorator] = []
    for decorator in HeadersDecorator.wrong {
      var isCaught = false
      for test in judged where !isCaught { isCaught = await test.refuses(wrong: decorator) }
      if !isCaught { survivors.append(decorator) }
    }
    guard let survivor = survivors.first else { return }
    let count = HeadersDecorator.wrong.count
    report(
      """
      Your tests catch \(count - survivors.count) of \(count) wrong decorators. They accept one that is wrong in this way: \
      \(survivor.sentence)
      """)
  }
}

/// A learner's test.
private struct JudgedTest {
  let test: YourTest
  /// The place of its suite, for issues that have no place of their own.
  let suite: SourceLocation
  /// The longest time in seconds that it has needed for something right.
  private var time = 0.0

  init(test: @escaping YourTest, suite: SourceLocation) {
    self.test = test
    self.suite = suite
  }

  /// Runs the test, and reports its first issue, with a remark.
  mutating func refuses(right decorator: HeadersDecorator, saying remark: String) async -> Bool {
    let began = ContinuousClock.now
    let fails = await fails(for: decorator, waiting: Patience.long, endingAfter: 2 * Patience.long + 1) { issue in
      var issue = issue
      issue.comments.append(Comment(rawValue: remark))
      return issue
    }
    time = max(time, (ContinuousClock.now - began) / .seconds(1))
    return fails
  }

  /// Runs the test, and reports nothing.
  ///
  /// All wrong decorators work synchronously, so a test need not wait for them. One that does not end is stuck, unless it has
  /// needed much time for right ones, too.
  func refuses(wrong decorator: HeadersDecorator) async -> Bool {
    await fails(for: decorator, waiting: 0, endingAfter: 0.5 + 4 * time) { _ in nil }
  }

  /// Runs the test, and returns whether it fails: records an issue, throws an error, or does not end.
  private func fails(
    for decorator: HeadersDecorator, waiting patience: Double, endingAfter limit: Double,
    reporting first: @escaping @Sendable (Issue) -> Issue?
  ) async -> Bool {
    let report = Report()
    let trait = IssueHandlingTrait.compactMapIssues { issue in
      issue.countsAsFailure && report.begin() ? first(issue) : nil
    }
    guard let current = Test.current else { return false }
    // An error has been reported as an issue.
    try? await trait.provideScope(for: current, testCase: Test.Case.current) {
      let running = Running {
        try await DecoratorUnderTest.$make.withValue(decorator.make) {
          try await Patience.$current.withValue(Patience(seconds: patience)) { try await test(Step4YourTests())() }
        }
      }
      try await Patience.$current.withValue(Patience(seconds: limit)) {
        let outcome = try await running.outcome("A test does not end. Does it wait for a completion?", sourceLocation: suite)
        if case .failure(let error) = outcome, !report.hasBegun { Issue.record(error, sourceLocation: suite) }
      }
    }
    Watchdog.ofThisProcess.noteProgress()
    return report.hasBegun
  }
}
