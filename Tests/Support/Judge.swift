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
      This happened with \(ownName ?? "your own \(name)"). If that has changed since the test passed, the change is wrong, and not the \
      test. If nothing has changed, the test does not wait for what it expects, or its runs share something, such as a `static` property.
      """
    self.name = name
    self.right = [(Candidate("", own), remark)] + right.map { ($0, "This \(name) is right. \($0.sentence)") }
    self.wrong = wrong
    self.run = run
  }

  /// Judges tests.
  ///
  /// - Parameters:
  ///   - tests: The tests in the list `all` of a learner's suite.
  ///   - suiteName: The name of that suite, and of its file, which is beside that of the running test.
  ///   - start: What to do if the list is empty, as a sentence.
  public func judge(_ tests: [JudgedTest], of suiteName: String, startingWith start: String) async throws {
    let (suite, text) = try Self.find(suiteName, besides: #require(Test.current).sourceLocation)
    func report(_ message: String) { Issue.record(Comment(rawValue: message), sourceLocation: suite) }
    if tests.isEmpty { return report("The list `all` has no tests yet. \(start)") }

    // As long as other tests of the process are starting, calls that the judged tests wait for may get no thread.
    await Countdown.threadIsFree(for: .utility)

    // The longest time in seconds that each test has needed for something right.
    var times = tests.map { _ in 0.0 }
    func refusesSomethingRight(_ right: [(candidate: Candidate<Make>, remark: String)]) async -> Bool {
      for (candidate, remark) in right {
        for (index, test) in tests.enumerated() {
          let stopwatch = Stopwatch()
          let fails = await fails(
            test, for: candidate, waiting: Deadline.long, endingAfter: 2 * Deadline.long + 1, at: suite
          ) { issue in
            var issue = issue
            issue.comments.append(Comment(rawValue: remark))
            return issue
          }
          if fails { return true }
          times[index] = max(times[index], stopwatch.seconds)
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
          test, for: candidate, waiting: 2 * time, endingAfter: 1 + 4 * time, at: suite
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
    let missing = Self.unlistedTest(in: text).map { "`all` does not list `\($0)`. What is not listed is not tried." }
    let remark =
      hasStrayIssue.withLock { $0 }
      ? "A test expects in a completion or in a detached task, so its failure belongs to no test. Expect after you have waited."
      : nil
    let messages = [verdict, survivors.isEmpty ? nil : missing, remark].compactMap { $0 }
    if !messages.isEmpty { report(messages.joined(separator: " ")) }
  }

  /// Finds a learner's suite, or ours, which is in the folder Reference, and takes the place of theirs.
  ///
  /// - Returns: The place of the suite, and the text of its file.
  private static func find(_ suiteName: String, besides place: SourceLocation) throws -> (SourceLocation, String) {
    let folder = URL(filePath: place.path).deletingLastPathComponent()
    let isOurs = place.moduleName.hasPrefix("Solution")
    let files = (isOurs ? ["Reference/\(suiteName).swift"] : []) + ["\(suiteName).swift"]
    let file = try #require(files.map { folder.appending(path: $0) }.first { FileManager.default.fileExists(atPath: $0.path) })
    let text = try String(contentsOf: file, encoding: .utf8)
    let line =
      text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).firstIndex { $0.contains(" \(suiteName)") } ?? 0
    return (
      SourceLocation(fileID: "\(place.moduleName)/\(suiteName).swift", filePath: file.path, line: line + 1, column: 1), text
    )
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

  /// A test that the list `all` in a learner's file leaves out; `nil` if there seems to be none.
  ///
  /// The functions in a list have no names, so this reads the file: what is not listed stands there only once, at its function.
  package static func unlistedTest(in text: String) -> String? {
    // Comments and texts can have the same words.
    let code = text.replacing(/\/\/.*|\/\*(?s:.*?)\*\/|"(?:\\.|[^"\\])*"/, with: "")
    let words = code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    let tests = code.matches(of: /@Test[^`]*?\bfunc (\w+)/).map { String($0.1) }
    return tests.first { name in words.count { $0 == name } == 1 }
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
