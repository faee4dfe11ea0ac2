import Foundation

/// How far a run of the suites has come: built up record by record.
struct SuiteProgress: Equatable {
  /// All tests that take part, by ID.
  private(set) var tests: [String: TestProgress] = [:]
  /// The display names of the suites, by ID.
  private(set) var suiteNames: [String: String] = [:]
  /// Issues that no test could be named for.
  private(set) var strayComplaints: [Complaint] = []
  /// A version of the event stream that is not known here.
  private(set) var unknownVersion: String?
  /// How many records came, of whatever kind: more of them mean that the process is alive.
  private(set) var recordCount = 0
  /// How long the tests took, in seconds, building not counted.
  private(set) var duration = 0.0
  private var startedAt = 0.0
  private var openRuns = 0
  private var endedRuns = 0

  /// Takes in one line of the event stream. A line that is not a record is left out.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - root: The root of the repository. Complaints name files from here.
  mutating func read(_ line: Data, root: String = "") {
    guard let (version, record) = Record.read(line) else { return }
    if !Record.knownVersions.contains(version) { unknownVersion = version }
    if case .issue(let id, var complaint) = record {
      complaint.file = complaint.file.map { SuiteRun.relative($0, to: root) }
      add(.issue(testID: id, complaint))
    } else {
      add(record)
    }
  }

  /// Takes in one record.
  mutating func add(_ record: Record) {
    recordCount += 1
    switch record {
    case .suite(let id, let name): suiteNames[id] = name
    case .test(let id, let name): tests[id] = TestID(id).map { TestProgress(id: $0, name: name) }
    case .runStarted(let instant): (openRuns, startedAt) = (openRuns + 1, instant)
    case .runEnded(let instant):
      (openRuns, endedRuns) = (openRuns - 1, endedRuns + 1)
      duration += max(0, instant - startedAt)
    case .testStarted(let id): tests[id]?.state = .running
    case .testEnded(let id, let failed): tests[id]?.end(failed: failed)
    case .testSkipped(let id): tests[id]?.state = .skipped
    case .issue(let id, let complaint):
      if let id, tests[id] != nil {
        tests[id]?.complaints.append(complaint)
      } else {
        strayComplaints.append(complaint)
      }
    case .other: break
    }
  }

  /// Whether every run that has started has ended. There may be several: a toolchain may start one for each test target.
  var hasEnded: Bool { openRuns == 0 && endedRuns > 0 }

  /// The tests that have started and not ended, in the order of the files.
  var running: [TestProgress] { ordered { $0.state == .running } }

  /// The tests that have failed, in the order of the files.
  var failed: [TestProgress] { ordered { $0.hasFailed } }

  /// How many tests have ended, of how many.
  var count: (ended: Int, all: Int) {
    (tests.values.count { $0.state == .passed || $0.state == .failed }, tests.values.count { $0.state != .skipped })
  }

  /// The steps of a lesson.
  ///
  /// - Parameters:
  ///   - number: The number of the lesson.
  ///   - withUnchanged: Whether to count tests that are green as shipped. Otherwise such a test appears only if it fails.
  func lesson(_ number: Int, withUnchanged: Bool = false) -> LessonProgress {
    let own = ordered {
      $0.id.lesson == number && $0.state != .skipped && (withUnchanged || !$0.isUnchanged || $0.hasFailed)
    }
    let suites = Dictionary(grouping: own, by: \.id.suite)
    let steps = suites.map { suite, tests in
      StepProgress(suite: suite, title: suiteNames["\(tests[0].id.module).\(suite)"] ?? suite, tests: tests)
    }
    return LessonProgress(
      number: number, steps: steps.sorted { ($0.number ?? 99, $0.suite) < ($1.number ?? 99, $1.suite) })
  }

  private func ordered(_ isIncluded: (TestProgress) -> Bool) -> [TestProgress] {
    tests.values.filter(isIncluded).sorted {
      ($0.id.module, $0.id.step ?? 99, $0.id.suite, $0.id.line) < (
        $1.id.module, $1.id.step ?? 99, $1.id.suite, $1.id.line
      )
    }
  }
}

/// One test: a function. The cases of a parameterised test count together as one.
struct TestProgress: Equatable {
  /// Where a test is in its life.
  enum State: Equatable {
    case waiting, running, passed, failed, skipped
  }

  let id: TestID
  /// The sentence about behaviour that the suite gives it.
  let name: String
  var state = State.waiting
  /// What it found wrong, in the order it said so.
  var complaints: [Complaint] = []

  /// Whether it is green as shipped, since a stub that forwards everything is right so far.
  var isUnchanged: Bool { name.hasPrefix(RedStart.exception) }

  /// Whether it has failed, ended or not.
  var hasFailed: Bool { state == .failed || !complaints.isEmpty }

  /// Notes that the test is over.
  mutating func end(failed: Bool) {
    state = failed || !complaints.isEmpty ? .failed : .passed
  }
}

/// The tests of one step, in the order of the file.
struct StepProgress: Equatable {
  /// `Step2Authorize`
  let suite: String
  /// What the suite calls itself: `Step 2: authorize`.
  let title: String
  let tests: [TestProgress]

  /// 2 for `Step2Authorize`.
  var number: Int? { TestID.number(in: suite, after: "Step") }
  var passed: Int { tests.count { $0.state == .passed } }
  var isGreen: Bool { passed == tests.count }

  /// The test to look at next: the first that fails, or else the first that never came to its end.
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
