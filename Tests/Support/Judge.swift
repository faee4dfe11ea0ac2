import Foundation
import Given
import Testing

/// Something that a learner's tests are run against.
public struct Candidate<Make> {
  /// What is wrong about it, or what is unusual about a right one, and what a test has to do about that.
  public let sentence: String
  public let make: Make

  public init(_ sentence: String, _ make: Make) {
    self.sentence = sentence
    self.make = make
  }
}

extension Candidate: Sendable where Make: Sendable {}

/// Runs the tests in a learner's list against candidates that are right, and against wrong ones.
///
/// It says one thing at a time: a test that is missing from the list, a test that refuses something right, at its line, or the
/// first wrong candidate that no test refuses. All other issues of the tests that it runs are dropped.
public struct Judge<Make> {
  /// A learner's test, on a fresh instance of its suite.
  public typealias JudgedTest = @Sendable () async throws -> Void

  private let name: String
  private let right: [(candidate: Candidate<Make>, remark: String)]
  private let wrong: [Candidate<Make>]
  private let run: @Sendable (Make, JudgedTest) async throws -> Void
  /// Whether an issue belongs to no test. The run fails, but nothing says why, and the test passes.
  private let hasStrayIssue = Locked(false)

  /// Creates a judge.
  ///
  /// - Parameters:
  ///   - name: What the candidates are, in a word: `decorator`.
  ///   - own: The learner's own, or one that the learner was given.
  ///   - ownName: What that one is, in words; `nil` for `your own decorator`.
  ///   - right: Right ones, of other designs.
  ///   - wrong: Wrong ones. Each makes one mistake.
  ///   - run: A closure that runs a test with a candidate in the place of the learner's.
  public init(
    of name: String, own: Make, named ownName: String? = nil, right: [Candidate<Make>], wrong: [Candidate<Make>],
    run: @escaping @Sendable (Make, JudgedTest) async throws -> Void
  ) {
    let remark =
      """
      This happened with \(ownName ?? "your own \(name)"). If the test has passed before, it does not wait for what it expects, or \
      its runs share something, such as a `static` property.
      """
    self.name = name
    self.right = [(Candidate("", own), remark)] + right.map { ($0, "This \(name) is right. \($0.sentence)") }
    self.wrong = wrong
    self.run = run
  }

  /// Judges tests.
  ///
  /// - Parameters:
  ///   - tests: The tests in the list `all` of a suite.
  ///   - suiteName: The name of that suite; `nil` for the one to which the running test belongs.
  ///   - start: What to do if the list is empty, as a sentence.
  public func judge(_ tests: [JudgedTest], of suiteName: String? = nil, startingWith start: String) async throws {
    let suite = try Turns.ofThisProcess.suite(suiteName, of: #require(Test.current))
    func report(_ message: String) { Issue.record(Comment(rawValue: message), sourceLocation: suite.sourceLocation) }
    if tests.isEmpty { return report("The list `all` has no tests yet. \(start)") }
    if let name = Self.unlisted(suite.otherTests, in: suite.sourceLocation.path) {
      return report("`all` does not list `\(name)`. What is not listed is not tried.")
    }
    guard tests.count >= suite.otherTests.count else {
      return report("`all` lists \(tests.count) of your \(suite.otherTests.count) tests. List the others, too.")
    }

    // As long as other tests of the process are starting, calls that the judged tests wait for may get no thread.
    await Countdown.threadIsFree(for: .background)

    // The longest time in seconds that each test has needed for something right.
    var times = tests.map { _ in 0.0 }
    func refusesSomethingRight(_ right: [(candidate: Candidate<Make>, remark: String)]) async -> Bool {
      for (candidate, remark) in right {
        for (index, test) in tests.enumerated() {
          let began = ContinuousClock.now
          let fails = await fails(
            test, for: candidate, waiting: Deadline.long, endingAfter: 2 * Deadline.long + 1, at: suite.sourceLocation
          ) { issue in
            var issue = issue
            issue.comments.append(Comment(rawValue: remark))
            return issue
          }
          if fails { return true }
          times[index] = max(times[index], (ContinuousClock.now - began) / .seconds(1))
        }
      }
      return false
    }
    if await refusesSomethingRight(right) { return }

    var survivors: [Candidate<Make>] = []
    for candidate in wrong {
      var isCaught = false
      for (test, time) in zip(tests, times) where !isCaught {
        // What takes time with right ones gets it with wrong ones, too: to be impatient would look like a catch.
        isCaught = await fails(
          test, for: candidate, waiting: 2 * time, endingAfter: 1 + 4 * time, at: suite.sourceLocation
        ) { _ in nil }
      }
      if !isCaught { survivors.append(candidate) }
    }
    // A test may fail because it has run so often, and not because a candidate is wrong.
    if await refusesSomethingRight(Array(right.prefix(1))) { return }

    let verdict = survivors.first.map { survivor in
      """
      Your tests catch \(wrong.count - survivors.count) of \(wrong.count) wrong \(name)s. They accept one that is wrong in this \
      way: \(survivor.sentence)
      """
    }
    let remark =
      hasStrayIssue.withLock { $0 }
      ? "A test expects in a completion or in a detached task, so its failure belongs to no test. Expect after you have waited."
      : nil
    let messages = [verdict, remark].compactMap { $0 }
    if !messages.isEmpty { report(messages.joined(separator: " ")) }
  }

  /// Runs a test, and returns whether it fails: records an issue, throws an error, or does not end.
  private func fails(
    _ test: @escaping JudgedTest, for candidate: Candidate<Make>, waiting patience: Double, endingAfter limit: Double,
    at suite: SourceLocation, reporting first: @escaping @Sendable (Issue) -> Issue?
  ) async -> Bool {
    let report = Report()
    let trait = IssueHandlingTrait.compactMapIssues { [hasStrayIssue] issue in
      guard issue.countsAsFailure else { return nil }
      guard Test.current != nil else {
        hasStrayIssue.withLock { $0 = true }
        return nil
      }
      return report.begin() ? first(issue) : nil
    }
    guard let current = Test.current else { return false }
    let work = Handover((run, candidate.make, test))
    // An error has been reported as an issue.
    try? await trait.provideScope(for: current, testCase: Test.Case.current) {
      let running = Running(on: OwnQueue()) {
        let (run, make, test) = work.value
        try await Deadline.$current.withValue(Deadline(seconds: patience)) { try await run(make, test) }
      }
      try await Deadline.$current.withValue(Deadline(seconds: limit)) {
        let outcome = try await running.outcome(
          "A test does not end. Which call or completion does it wait for?", sourceLocation: suite)
        if case .failure(let error) = outcome, !report.hasBegun { Issue.record(error, sourceLocation: suite) }
      }
    }
    Watchdog.ofThisProcess.noteProgress()
    return report.hasBegun
  }

  /// A test that the list leaves out, even if it lists another one twice: its name stands at its function only.
  ///
  /// The functions in a list have no names, so this reads the file.
  private static func unlisted(_ tests: [String], in path: String) -> String? {
    let words = (try? String(contentsOfFile: path, encoding: .utf8))?.split { !$0.isLetter && !$0.isNumber && $0 != "_" } ?? []
    guard words.contains("all") else { return nil }
    return tests.first { name in
      let places = words.indices.dropFirst().filter { words[$0] == name }
      return !places.isEmpty && places.allSatisfy { words[$0 - 1] == "func" }
    }
  }
}

extension Judge: Sendable where Make: Sendable {}

/// A queue for one test. If the test blocks its thread, everything else goes on.
private final class OwnQueue: TaskExecutor {
  private let queue = DispatchQueue(label: "a judged test")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
