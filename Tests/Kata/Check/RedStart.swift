/// Whether a lesson starts the way a learner should find it: red in every step, with a sentence for every failure.
enum RedStart {
  /// The beginning of the name of a test, or of a suite, that passes as shipped, since a stub forwards everything unchanged.
  static let exception = "unchanged: "

  /// What is wrong with a lesson, given the run of its suite against the exercise.
  static func faults(in lesson: LessonProgress) -> [String] {
    lesson.all == 0 ? ["The suite has no tests."] : lesson.steps.flatMap(faults)
  }

  /// What is wrong with a lesson in a plain run of its suite: one failure, with one issue, in the first test of the lesson.
  static func faults(inPlainRunOf lesson: LessonProgress) -> [String] {
    let tests = lesson.steps.filter { !$0.isUnchanged }.flatMap(\.tests)
    guard tests.first?.complaints.count != 1 || tests.dropFirst().contains(where: { $0.hasFailed || $0.state == .passed }) else {
      return []
    }
    let failed = tests.filter(\.hasFailed).map { "\"\($0.name)\"" }.formattedList
    return ["A plain run should report one issue, in \"\(tests.first?.name ?? "")\", but these tests report some: \(failed)."]
  }

  private static func faults(in step: StepProgress) -> [String] {
    if step.isUnchanged {
      return step.tests.filter { $0.state != .passed }.map { "\(step.title): \"\($0.name)\" does not pass as shipped." }
    }
    guard step.tests.contains(where: \.hasFailed) else {
      return [
        "\(step.title): no test fails, so a learner would find nothing to do. "
          + "If the exercise has been solved here, restore it with `git restore Exercises`."
      ]
    }
    let long = step.tests.filter { $0.name.replacing(exception, with: "").split(separator: " ").count > 12 }
    return long.map { "\(step.title): the name \"\($0.name)\" has more than 12 words." }
      + step.tests.compactMap { test in
        if test.state == .passed, !test.isUnchanged {
          return
            "\(step.title): \"\(test.name)\" passes as shipped. If that is intended, begin the test's name with \"\(exception)\"."
        }
        if test.hasFailed, test.isUnchanged {
          return "\(step.title): \"\(test.name)\" fails as shipped, although its name says otherwise."
        }
        return test.complaints.first { $0.sentence?.hasPrefix("This happened with") ?? true }.map {
          "\(step.title): \"\(test.name)\" fails without a sentence for the learner: \($0.expectation)"
        }
      }
  }
}
