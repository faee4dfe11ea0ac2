import Foundation

/// How far a run of the suites has come. Built up event by event.
struct SuiteProgress: Equatable {
  /// All tests that take part, by ID.
  private(set) var tests: [String: TestProgress] = [:]
  /// The display names of the suites, by ID.
  private(set) var suiteNames: [String: String] = [:]
  /// Issues that belong to no test.
  private(set) var strayComplaints: [Complaint] = []
  private var openRuns = 0
  private var endedRuns = 0

  /// Reads one line of the event stream. A line that is not a record is left out.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - root: The root of the repository. Complaints name files from here.
  mutating func read(_ line: Data, root: String) {
    if let record = try? JSONDecoder().decode(Record.self, from: line) { add(record.payload, root: root) }
  }

  /// Takes an event into account.
  mutating func add(_ event: Event, root: String? = nil) {
    let id = event.testID ?? event.id ?? ""
    let name = event.displayName ?? event.name ?? id
    switch event.kind {
    case "suite": suiteNames[id] = name
    case "function": tests[id] = TestID(id).map { TestProgress(id: $0, name: name) }
    case "runStarted": openRuns += 1
    case "runEnded": (openRuns, endedRuns) = (openRuns - 1, endedRuns + 1)
    case "testStarted": tests[id]?.state = .running
    // A test that was canceled has not run. It ends with the symbol of a skipped one or, with Swift 6.2, with a known issue.
    case "testEnded":
      let hasRun = event.texts("skip").isEmpty && event.texts("passWithKnownIssue").isEmpty
      tests[id]?.state = event.texts("fail").isEmpty ? (hasRun ? .passed : .waiting) : .failed
    case "testSkipped": tests[id]?.state = .skipped
    case "issueRecorded":
      guard var complaint = Complaint(event) else { return }
      if let root { complaint.file = complaint.file?.replacing("\(root)/", with: "") }
      if tests[id]?.complaints.append(complaint) == nil { strayComplaints.append(complaint) }
    default: break
    }
  }

  /// Whether every run that has started has ended. There may be several: a toolchain may start one for each test target.
  var hasEnded: Bool { openRuns == 0 && endedRuns > 0 }

  /// The tests that have started and not ended, in the order of the files.
  var running: [TestProgress] { ordered { $0.state == .running } }

  /// The tests that have failed, in the order of the files.
  var failed: [TestProgress] { ordered { $0.hasFailed } }

  /// The failed tests that belong to no step: those that a learner has added.
  var failedOwnTests: [TestProgress] { failed.filter { $0.id.lesson != nil && $0.id.step == nil } }

  /// The steps of a lesson. A test that is green as shipped appears only if it fails.
  ///
  /// - Parameter number: The number of the lesson.
  func lesson(_ number: Int) -> LessonProgress {
    let own = ordered { $0.id.lesson == number && $0.id.step != nil && $0.state != .skipped }
    let suites = Dictionary(grouping: own, by: \.id.suite)
    let steps = suites.compactMap { suite, tests -> StepProgress? in
      let title = suiteNames["\(tests[0].id.module).\(suite)"] ?? suite
      let counted = tests.filter { $0.hasFailed || !title.hasPrefix(TestProgress.unchanged) && !$0.isUnchanged }
      return counted.isEmpty ? nil : StepProgress(suite: suite, title: title, tests: counted)
    }
    return LessonProgress(
      number: number, steps: steps.sorted { ($0.number ?? 99, $0.tests[0].id.file) < ($1.number ?? 99, $1.tests[0].id.file) })
  }

  private func ordered(_ isIncluded: (TestProgress) -> Bool) -> [TestProgress] {
    let key = { (test: TestProgress) in (test.id.module, test.id.step ?? 99, test.id.file, test.id.line) }
    return tests.values.filter(isIncluded).sorted { key($0) < key($1) }
  }
}

/// One test: a function. The cases of a parameterized test count as one.
struct TestProgress: Equatable {
  enum State {
    case waiting, running, passed, failed, skipped
  }

  let id: TestID
  /// The display name: a sentence about behavior.
  let name: String
  var state = State.waiting
  /// What it found wrong, in order.
  var complaints: [Complaint] = []

  /// The beginning of the name of a test, or of a suite, that passes as shipped, since a stub forwards everything unchanged.
  static let unchanged = "unchanged: "

  /// Whether it is green as shipped.
  var isUnchanged: Bool { name.hasPrefix(TestProgress.unchanged) }

  /// Whether it has failed. It may still be running.
  var hasFailed: Bool { state == .failed || !complaints.isEmpty }
}

/// The tests of one step, in the order of the file.
struct StepProgress: Equatable {
  /// `Step2Authorize`
  let suite: String
  /// The suite's display name: `Step 2: authorize`.
  let title: String
  let tests: [TestProgress]

  /// 2 for `Step2Authorize`.
  var number: Int? { TestID.number(in: suite, after: "Step") }
  /// Whether the step is an extra one: `Step 6: when the server says 401 (extra)`.
  var isExtra: Bool { title.hasSuffix(" (extra)") }
  var passed: Int { tests.count { $0.state == .passed } }
  var isGreen: Bool { passed == tests.count }

  /// The test to look at next: the first that fails, or else the first that has not ended.
  var next: TestProgress? { tests.first { $0.hasFailed } ?? tests.first { $0.state != .passed } }
}

/// The steps of one lesson.
struct LessonProgress: Equatable {
  let number: Int
  let steps: [StepProgress]

  var passed: Int { steps.reduce(0) { $0 + $1.passed } }
  var all: Int { steps.reduce(0) { $0 + $1.tests.count } }
  var isGreen: Bool { all > 0 && passed == all }
  /// The first step that is not green.
  var currentStep: StepProgress? { steps.first { !$0.isGreen } }
}
