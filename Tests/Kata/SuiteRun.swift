import Foundation

/// What became of `swift test`, read from its event stream.
struct SuiteRun {
  /// Whether the tests ended, green or red, or what came in between.
  enum Ending { case finished, didNotBuild, crashed }

  var ending = Ending.finished
  /// What was printed. Paths in the package are relative to its root.
  var output = ""
  /// Why kata has stopped the run.
  var verdict: String?
  private var results: [String: TestResult] = [:]
  /// Issues that belong to no test.
  private(set) var strays: [Complaint] = []
  /// The display names of the suites, by ID.
  private var titles: [String: String] = [:]
  /// How many runs have begun and have not ended. Some toolchains start one for each lesson.
  private var openRuns = 0
  private var endedRuns = 0

  /// Whether every run that has begun has ended.
  var hasEnded: Bool { openRuns == 0 && endedRuns > 0 }

  /// Reads one line of the event stream. A line that is not a record is left out.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - root: The root of the package. Complaints name files from here.
  mutating func read(_ line: some StringProtocol, root: String) {
    guard let event = try? JSONDecoder().decode(Record.self, from: Data(line.utf8)).payload else { return }
    let id = event.testID ?? event.id ?? ""
    switch event.kind {
    case "suite": titles[id] = event.displayName
    case "function": results[id] = TestResult(id: id, name: event.displayName ?? event.name ?? id)
    case "runStarted": openRuns += 1
    case "runEnded": (openRuns, endedRuns) = (openRuns - 1, endedRuns + 1)
    case "testStarted": results[id]?.state = .running
    case "testSkipped": results[id] = nil
    case "testEnded":
      // A test that was canceled has not run. It ends with the symbol of a skipped one or, with Swift 6.2, with a known issue.
      let hasRun = event.texts("skip").isEmpty && event.texts("passWithKnownIssue").isEmpty
      results[id]?.state = event.texts("fail").isEmpty ? (hasRun ? .passed : .waiting) : .failed
    case "issueRecorded":
      // Known issues and warnings have other symbols.
      guard let expectation = event.texts("fail").first else { return }
      let place = event.issue?.sourceLocation
      let complaint = Complaint(
        sentence: event.texts("details").filter { !$0.isEmpty }.joined(separator: "\n"),
        expectation: ([expectation] + event.texts("difference").map { "± \($0)" }).joined(separator: "\n"),
        file: place?._filePath?.replacing("\(root)/", with: "") ?? "", line: place?.line ?? 0)
      if results[id]?.complaints.append(complaint) == nil { strays.append(complaint) }
    default: break
    }
  }

  /// All tests, in the order of the page.
  var tests: [TestResult] {
    let key = { (test: TestResult) in (test.lesson, test.step ?? 99, test.file, test.line) }
    return results.values.sorted { key($0) < key($1) }
  }

  /// The steps of a lesson. A test that is green as shipped appears only if it fails.
  func steps(of lesson: Lesson) -> [Step] {
    let suites = Dictionary(grouping: tests.filter { $0.lesson == lesson.folder && $0.step != nil }, by: \.suite)
    return suites.values.compactMap { tests in
      let title = title(of: tests[0])
      let counted = tests.filter { $0.hasFailed || !title.hasPrefix(TestResult.unchanged) && !$0.isUnchanged }
      return counted.isEmpty ? nil : Step(title: title, number: counted[0].step ?? 0, tests: counted)
    }.sorted { ($0.number, $0.tests[0].file) < ($1.number, $1.tests[0].file) }
  }

  /// The title of a test's suite: `Step 6: when the server says 401 (extra)`.
  func title(of test: TestResult) -> String { titles["\(test.lesson).\(test.suite)"] ?? test.suite }
}

/// A test, and what has become of it.
struct TestResult {
  enum State { case waiting, running, passed, failed }

  /// The module of its suite: `Lesson1`.
  let lesson: String
  /// `Step2Authorize`; empty for a test outside of any suite.
  let suite: String
  /// 2 for a test of `Step2Authorize`; `nil` for a test that a learner has added outside of any step.
  let step: Int?
  /// The name of its file, and the line on which it starts.
  let file: String
  let line: Int
  /// The display name: a sentence about behavior.
  let name: String
  var state = State.waiting
  /// What it found wrong, in order.
  var complaints: [Complaint] = []

  /// - Parameter id: `Lesson1.Step2Authorize/refreshesFirst()/Step2Authorize.swift:48:4`
  init?(id: String, name: String) {
    guard let match = id.wholeMatch(of: /([^.\/]+)\.(?:(.+)\/)?[^\/]+\/([^\/]+):(\d+):\d+/) else { return nil }
    lesson = String(match.1)
    suite = match.2.map(String.init) ?? ""
    step = suite.prefixMatch(of: /Step(\d)/).flatMap { Int($0.1) }
    file = String(match.3)
    line = Int(match.4) ?? 0
    self.name = name
  }

  /// The beginning of the name of a test, or of a suite, that passes as shipped, since a stub forwards everything unchanged.
  static let unchanged = "unchanged: "

  var isUnchanged: Bool { name.hasPrefix(TestResult.unchanged) }
  /// Whether it has failed. It may still be running.
  var hasFailed: Bool { state == .failed || !complaints.isEmpty }
}

/// What a test found wrong.
struct Complaint: Equatable {
  /// What was expected, in the words of the lesson; empty if the test gives no comment.
  var sentence = ""
  /// What the testing library says: `Expectation failed: (paths → []) == ["/articles"]`, and how two collections differ.
  var expectation = ""
  /// The place that complains; an empty name if it is unknown.
  var file = ""
  var line = 0

  /// The words of the lesson, if there are any.
  var text: String { sentence.isEmpty ? expectation : sentence }
}

/// The tests of one step, in the order of the file.
struct Step {
  /// `Step 2: authorize`
  let title: String
  let number: Int
  let tests: [TestResult]

  var passed: Int { tests.count { $0.state == .passed && !$0.hasFailed } }
  var isGreen: Bool { passed == tests.count }
  /// Whether the step is an extra one: `Step 6: when the server says 401 (extra)`.
  var isExtra: Bool { title.hasSuffix(" (extra)") }
  /// The test to look at next: the first that fails, or else the first that has not ended.
  var next: TestResult? { tests.first(where: \.hasFailed) ?? tests.first { $0.state != .passed } }
}

/// One line of the event stream.
private struct Record: Decodable { let payload: Event }

/// A test that takes part in the run, or something that has happened.
///
/// These are the fields of version 0 of the stream that matter here.
private struct Event: Decodable {
  struct Message: Decodable {
    let symbol: String
    let text: String?
  }
  struct Issue: Decodable { let sourceLocation: Location? }
  struct Location: Decodable {
    let _filePath: String?
    let line: Int?
  }

  let kind, id, name, displayName, testID: String?
  let messages: [Message]?
  let issue: Issue?

  /// The texts of the messages with a symbol.
  func texts(_ symbol: String) -> [String] { (messages ?? []).filter { $0.symbol == symbol }.map { $0.text ?? "" } }
}
