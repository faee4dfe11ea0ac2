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
