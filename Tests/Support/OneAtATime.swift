import Foundation
import Given
import Testing

/// Shows one failure at a time: the first thing to do, in the order of the page.
///
/// The suites of a lesson take turns in the order of their files, and the tests of a suite in the order of their lines. A test
/// reports its first issue only. Once a test has failed, the rest of the lesson is canceled. A test must have no arguments, since
/// Swift Testing 6.3 reports a canceled test with arguments as passed: use ``each(_:in:isolation:check:)``.
///
/// With Swift 6.2, which cannot cancel a test, a test that does not run ends with a known issue. With the environment variable
/// `KATA_ALL`, every test runs and reports everything.
public struct OneAtATimeTrait: SuiteTrait, TestTrait, TestScoping {
  /// The first test of the lesson.
  public typealias FirstTest = @Sendable () async throws -> Void

  public let isRecursive = true
  private let firstTest: FirstTest
  private let turns: Turns
  private let showsAll: Bool
  /// Creates the trait for the suites of a lesson.
  ///
  /// - Parameter firstTest: The first test of the lesson. It runs before a later step that is run alone: if it fails, the message
  ///   of the later step says to start with step 1.
  public init(startingWith firstTest: @escaping FirstTest) {
    self.init(
      startingWith: firstTest, turns: .ofThisProcess,
      showsAll: !["", "0"].contains(ProcessInfo.processInfo.environment["KATA_ALL"] ?? ""))
  }

  package init(startingWith firstTest: @escaping FirstTest, turns: Turns, showsAll: Bool) {
    self.firstTest = firstTest
    self.turns = turns
    self.showsAll = showsAll
  }

  /// Learns which tests take part. Called for each suite and test before any of them runs.
  public func prepare(for test: Test) async throws {
    // A disabled test never ends, and no other test may wait for it.
    for case let condition as ConditionTrait in test.traits where try await !condition.evaluate() { return }
    turns.add(test)
  }

  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { self }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    if testCase != nil { return try await reportingIssues(of: test, during: function) }
    if !showsAll { await turns.begin(test) }
    Watchdog.ofThisProcess.begin(test)
    defer {
      Watchdog.ofThisProcess.end(test)
      turns.end(test)
    }
    if !showsAll {
      if turns.hasFailed(inLessonOf: test) { return try Turns.leaveOut() }
      if turns.isFirst(ofLaterStep: test), await !step1IsGreen(before: test) { turns.noteThatStep1IsRed(before: test) }
    }
    try await function()
  }

  /// Runs a test, and lets only its first failure pass.
  ///
  /// Each call has its own ``Report``, so that an issue that one scope has let through is not swallowed by another around it.
  private func reportingIssues(of test: Test, during function: @Sendable () async throws -> Void) async throws {
    let report = Report()
    let trait = IssueHandlingTrait.compactMapIssues { issue in
      guard issue.countsAsFailure else { return issue }
      // An issue from a thread of no test is shown anyway. It must not take the place of the test's own.
      guard Test.current != nil else { return nil }
      let isFirst = report.begin()
      guard isFirst || showsAll else { return nil }
      if isFirst { turns.fail(test) }
      var issue = issue
      let remarks = Report.remark + (showsAll ? [] : turns.remark(on: test))
      issue.comments += remarks.map { Comment(rawValue: $0) }
      return issue
    }
    try await trait.provideScope(for: test, testCase: Test.Case.current) {
      try await Report.$current.withValue(report) {
        try await Deadline.$current.withValue(Deadline()) {
          do {
            try await function()
          } catch {
            // A failed `#require` has been reported. Another error after the first issue would be a second one.
            guard !report.hasBegun || showsAll else { return }
            // Swift Testing reports a canceled test as neither passed nor failed.
            if Task.isCancelled {
              Issue.record("This test was canceled, so it shows nothing.", sourceLocation: test.sourceLocation)
            }
            turns.fail(test)
            throw error
          }
        }
      }
    }
  }

  /// Runs the first test of the lesson without reporting its issues.
  private func step1IsGreen(before test: Test) async -> Bool {
    let report = Report()
    let trait = IssueHandlingTrait.compactMapIssues { _ in
      _ = report.begin()
      return nil
    }
    do {
      try await trait.provideScope(for: test, testCase: nil) {
        try await Deadline.$current.withValue(Deadline(), operation: firstTest)
      }
    } catch {
      return false
    }
    return !report.hasBegun
  }
}

/// Whether a test has failed.
package final class Report: Sendable {
  /// The report of the running test.
  @TaskLocal static var current: Report?
  /// The values that the running test is about, each with its name.
  @TaskLocal static var values: [String] = []
  /// What to add to an issue about these values.
  static var remark: [String] { values.isEmpty ? [] : ["This happened with \(values.joined(separator: ", "))"] }

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

/// The suites and tests that take part in this run, and whose turn it is.
///
/// The order is that in which Swift Testing runs tests one by one, so that no test waits for one that starts only after it.
package final class Turns: Sendable {
  package static let ofThisProcess = Turns()

  private struct State {
    /// The suites and tests that have not ended.
    var open: Set<Test.ID> = []
    var locations: [Test.ID: SourceLocation] = [:]
    var waiting: [(id: Test.ID, continuation: CheckedContinuation<Void, Never>)] = []
    /// The lessons, by module, in which a test has failed.
    var failedLessons: Set<String> = []
    /// The lessons whose first step takes part, or has been tried.
    var startedLessons: Set<String> = []
    /// The lessons whose first step does not run, and is red.
    var untouchedLessons: Set<String> = []
    /// The steps that take part, by lesson. The value says whether the step is an extra one.
    var steps: [String: [Int: Bool]] = [:]

    /// Whether everything that comes before a suite in its lesson, or before a test in its suite, has ended.
    func isFree(_ id: Test.ID) -> Bool {
      guard let own = locations[id] else { return true }
      return !open.contains { other in
        other.moduleName == id.moduleName && other.nameComponents.dropLast() == id.nameComponents.dropLast()
          && locations[other].map { $0 < own } == true
      }
    }
  }

  private let state = Locked(State())

  package init() {}

  func add(_ test: Test) {
    state.withLock {
      $0.open.insert(test.id)
      $0.locations[test.id] = test.sourceLocation
      guard test.isSuite, let step = test.id.step else { return }
      if step == 1 { $0.startedLessons.insert(test.id.moduleName) }
      $0.steps[test.id.moduleName, default: [:]][step] = test.displayName?.hasSuffix("(extra)") == true
    }
  }

  /// Waits for a test's turn.
  func begin(_ test: Test) async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        let isFree = state.isFree(test.id)
        if !isFree { state.waiting.append((test.id, continuation)) }
        return isFree
      }
      if isFree { continuation.resume() }
    }
  }

  func end(_ test: Test) {
    let next = state.withLock { state in
      state.open.remove(test.id)
      let next = state.waiting.filter { state.isFree($0.id) }
      state.waiting.removeAll { waiting in next.contains { $0.id == waiting.id } }
      return next
    }
    for waiting in next { waiting.continuation.resume() }
  }

  func fail(_ test: Test) {
    _ = state.withLock { $0.failedLessons.insert(test.id.moduleName) }
  }

  /// Whether other tests may have to wait for a suite or a test.
  package func takesPart(_ test: Test) -> Bool {
    state.withLock { $0.open.contains(test.id) }
  }

  /// Whether a test of the same lesson has failed.
  package func hasFailed(inLessonOf test: Test) -> Bool {
    state.withLock { $0.failedLessons.contains(test.id.moduleName) }
  }

  /// Whether a test or suite is the first of its lesson in a run in which step 1 does not take part.
  func isFirst(ofLaterStep test: Test) -> Bool {
    state.withLock { $0.startedLessons.insert(test.id.moduleName).inserted }
  }

  /// The place of a suite, and the names of its tests that take part in this run, without the running one.
  ///
  /// - Parameters:
  ///   - name: The name of the suite; `nil` for that of the running test.
  ///   - test: The running test, of the same lesson.
  package func suite(_ name: String?, of test: Test) -> (sourceLocation: SourceLocation, otherTests: [String]) {
    let names = name.map { [$0] } ?? test.id.nameComponents.dropLast()
    return state.withLock { state in
      let own = state.locations.filter { $0.key.moduleName == test.id.moduleName }
      let suite = own.first { $0.key.nameComponents.elementsEqual(names) }
      let others = own.filter { $0.key.nameComponents.dropLast() == names && $0.key != test.id }.sorted { $0.value < $1.value }
      return (suite?.value ?? test.sourceLocation, others.map { String($0.key.nameComponents.last!.prefix { $0 != "(" }) })
    }
  }

  func noteThatStep1IsRed(before test: Test) {
    _ = state.withLock { $0.untouchedLessons.insert(test.id.moduleName) }
  }

  /// What to add to the first issue of a lesson: where to start, or that only extra steps are left.
  ///
  /// The suites of a lesson take turns. So if every earlier step takes part, all of them are green.
  func remark(on test: Test) -> [String] {
    let module = test.id.moduleName
    return state.withLock { state in
      if state.untouchedLessons.contains(module) {
        return ["Step 1 is not green yet. Start there: swift test --filter \(module).Step1"]
      }
      guard let step = test.id.step, Self.coreIsGreen(before: step, of: state.steps[module, default: [:]]) else { return [] }
      return ["The core steps of this lesson are green. Step \(step) is an extra step."]
    }
  }

  /// Whether all core steps are green if a step has the first failure.
  ///
  /// - Parameters:
  ///   - step: The number of the step with the first failure.
  ///   - steps: The steps that take part. The value says whether a step is an extra one.
  package static func coreIsGreen(before step: Int, of steps: [Int: Bool]) -> Bool {
    steps[step] == true && (1..<step).allSatisfy { steps[$0] != nil }
  }
}

extension Test.ID {
  /// 2 for a suite called `Step2Authorize`, and for its tests.
  fileprivate var step: Int? {
    guard let suite = nameComponents.first, suite.hasPrefix("Step") else { return nil }
    return Int(suite.dropFirst(4).prefix { $0.isNumber })
  }
}

#if compiler(>=6.3)
  extension Turns {
    /// Ends a suite or a test without running it. It does not read as passed.
    fileprivate static func leaveOut() throws { try Test.cancel("an earlier test failed") }
  }

  extension Issue {
    /// Whether it makes its test fail.
    package var countsAsFailure: Bool { isFailure }
  }

  extension SourceLocation {
    var path: String { filePath }
  }
#else
  extension Turns {
    fileprivate static func leaveOut() throws { withKnownIssue { Issue.record("This did not run: an earlier test failed.") } }
  }

  extension Issue {
    package var countsAsFailure: Bool { true }
  }

  extension SourceLocation {
    var path: String { _filePath }
  }
#endif

/// Goes through values that a rule should hold for, and stops at the first for which the test fails. The failure names the value.
///
/// - Parameters:
///   - name: What the values are, in words.
///   - values: The values.
///   - check: A closure that checks the rule for one value.
/// - Throws: The error that `check` throws.
public func each<Values: Sequence>(
  _ name: String, in values: Values, isolation: isolated (any Actor)? = #isolation,
  check: (Values.Element) async throws -> Void
) async rethrows {
  for value in values where Report.current?.hasBegun != true {
    try await Report.$values.withValue(Report.values + ["\(name) = \(String(describingForTest: value))"]) {
      try await check(value)
    }
  }
}

/// Goes through all pairs of values from two sequences: see ``each(_:in:isolation:check:)``.
public func each<First: Sequence, Second: Sequence>(
  _ firstName: String, in first: First, _ secondName: String, in second: Second,
  isolation: isolated (any Actor)? = #isolation, check: (First.Element, Second.Element) async throws -> Void
) async rethrows {
  try await each(firstName, in: first) { one in
    try await each(secondName, in: second) { try await check(one, $0) }
  }
}
