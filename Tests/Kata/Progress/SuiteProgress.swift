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
  mutating func read(_ line: some Sequence<UInt8>) {
    guard let (version, record) = Record.read(Array(line)) else { return }
    if !Record.knownVersions.contains(version) { unknownVersion = version }
    add(record)
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
  func lesson(_ number: Int) -> LessonProgress {
    let own = ordered { $0.id.lesson == number && $0.state != .skipped }
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
