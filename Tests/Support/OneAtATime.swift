import Foundation
import Given
import Testing

/// Shows one failure at a time: the first thing to do, in the order of the page.
///
/// The suites of a lesson take turns in the order of their files' names, and the tests of a suite run in the order of their lines.
/// A test reports its first issue only. Once a test has failed, the rest of the lesson is canceled. A test must have no arguments,
/// since Swift Testing 6.3 reports a canceled test with arguments as passed: use ``each(_:in:isolation:check:)``.
///
/// With Swift 6.2, which cannot cancel a test, a test that does not run ends with a known issue. With the environment variable
/// `KATA_ALL`, every test runs, in parallel with the others, and reports everything.
public struct OneAtATimeTrait: SuiteTrait, TestTrait, TestScoping {
  // A suite passes a recursive trait on to its tests, so this one is a test trait, too.
  public let isRecursive = true
  private let turns: Turns
  package let showsAll: Bool

  package init(
    turns: Turns = .ofThisProcess,
    showsAll: Bool = !["", "0"].contains(ProcessInfo.processInfo.environment["KATA_ALL"] ?? "")
  ) {
    self.turns = turns
    self.showsAll = showsAll
  }

  /// Learns which suites take part. Called for each suite and test before any of them runs.
  public func prepare(for test: Test) async throws {
    // A suite in another suite runs when that one does. A disabled suite never ends, and no other may wait for it.
    guard !showsAll, test.isSuite, test.id.nameComponents.count == 1 else { return }
    for case let condition as ConditionTrait in test.traits where try await !condition.evaluate() { return }
    turns.add(test)
  }

  /// A test with arguments is one test, so there is one scope around all its cases.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil ? self : nil
  }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    Watchdog.ofThisProcess.begin(test)
    defer { Watchdog.ofThisProcess.end(test) }
    await turns.begin(test)
    defer { turns.end(test) }
    if turns.hasFailed(inLessonOf: test) { return try leaveOut() }
    if test.isSuite {
      try await inOrder(test, function)
    } else {
      try await reportingTheFirstIssue(of: test, during: function)
    }
  }

  /// Runs the tests of a suite.
  private func inOrder(_ suite: Test, _ function: @Sendable () async throws -> Void) async throws {
    if showsAll { return try await function() }
    // What is serialized runs in the order of its lines. To that end, the library makes another configuration, and what a thread of
    // no test reports goes to each configuration that there is. Without the filter, it would be printed twice.
    let (filter, serialized) = (IssueHandlingTrait.filterIssues { _ in Test.current != nil }, ParallelizationTrait.serialized)
    try await filter.provideScope(for: suite, testCase: nil) {
      try await serialized.provideScope(for: suite, testCase: nil, performing: function)
    }
  }

  /// Runs a test, and lets only its first failure pass.
  private func reportingTheFirstIssue(of test: Test, during function: @Sendable () async throws -> Void) async throws {
    let report = Report()
    let handler = IssueHandlingTrait.compactMapIssues { issue in
      guard issue.countsAsFailure else { return issue }
      // An issue from a thread of no test is shown anyway. It must not take the place of the test's own.
      guard Test.current != nil, report.begin() || showsAll else { return nil }
      if !showsAll { turns.fail(test) }
      var issue = issue
      if !Report.values.isEmpty { issue.comments.append("This happened with \(Report.values.joined(separator: ", "))") }
      return issue
    }
    try await handler.provideScope(for: test, testCase: nil) {
      try await Report.$current.withValue(report) {
        try await Deadline.$current.withValue(Deadline()) {
          try await function()
          // Swift Testing reports a canceled test as neither passed nor failed.
          if Task.isCancelled, !report.hasBegun {
            Issue.record("This test was canceled, so it shows nothing.", sourceLocation: test.sourceLocation)
          }
        }
      }
    }
  }
}

extension Trait where Self == OneAtATimeTrait {
  /// Shows one failure at a time, in the order of the page.
  public static var oneAtATime: Self { Self() }
}

/// The suites that take part in this run, and whose turn it is.
package final class Turns: Sendable {
  package static let ofThisProcess = Turns()

  private struct Lesson {
    /// The suites that have not ended. In the order of their locations, Swift Testing runs suites one by one, too, so no suite waits
    /// for one that begins only after it.
    var suites: Set<SourceLocation> = []
    var waiting: [SourceLocation: CheckedContinuation<Void, Never>] = [:]
    var hasFailed = false

    /// The first suite that has not ended, if it waits for its turn.
    mutating func next() -> CheckedContinuation<Void, Never>? {
      suites.min().flatMap { waiting.removeValue(forKey: $0) }
    }
  }

  /// The lessons, by module.
  private let lessons = Locked<[String: Lesson]>([:])

  package init() {}

  private func change<Result>(_ test: Test, _ body: (inout Lesson) -> Result) -> Result {
    lessons.withLock { body(&$0[test.id.moduleName, default: Lesson()]) }
  }

  func add(_ suite: Test) {
    change(suite) { _ = $0.suites.insert(suite.sourceLocation) }
  }

  /// Waits for a suite's turn.
  func begin(_ suite: Test) async {
    await withCheckedContinuation { continuation in
      let next = change(suite) { lesson -> CheckedContinuation<Void, Never>? in
        guard lesson.suites.contains(suite.sourceLocation) else { return continuation }
        lesson.waiting[suite.sourceLocation] = continuation
        return lesson.next()
      }
      next?.resume()
    }
  }

  func end(_ suite: Test) {
    let next = change(suite) { lesson in
      lesson.suites.remove(suite.sourceLocation) == nil ? nil : lesson.next()
    }
    next?.resume()
  }

  func fail(_ test: Test) {
    change(test) { $0.hasFailed = true }
  }

  /// Whether a test of the same lesson has failed.
  package func hasFailed(inLessonOf test: Test) -> Bool {
    change(test) { $0.hasFailed }
  }
}

/// Whether a test has failed.
package final class Report: Sendable {
  /// The report of the running test.
  @TaskLocal static var current: Report?
  /// The values that the running test is about, each with its name.
  @TaskLocal static var values: [String] = []

  private let state = Locked(false)

  package init() {}

  /// Whether an issue has been reported.
  package var hasBegun: Bool { state.withLock { $0 } }

  /// Notes an issue.
  ///
  /// - Returns: Whether it is the first.
  package func begin() -> Bool {
    state.withLock { hasBegun in
      defer { hasBegun = true }
      return !hasBegun
    }
  }
}

#if compiler(>=6.3)
  extension OneAtATimeTrait {
    /// Ends a suite or a test without running it. It does not read as passed.
    private func leaveOut() throws { try Test.cancel("an earlier test failed") }
  }

  extension Issue {
    /// Whether it makes its test fail.
    package var countsAsFailure: Bool { isFailure }
  }

  extension SourceLocation {
    var path: String { filePath }
  }
#else
  extension OneAtATimeTrait {
    private func leaveOut() throws { withKnownIssue { Issue.record("This did not run: an earlier test failed.") } }
  }

  extension Issue {
    package var countsAsFailure: Bool { true }
  }

  extension SourceLocation {
    var path: String { _filePath }
  }
#endif
