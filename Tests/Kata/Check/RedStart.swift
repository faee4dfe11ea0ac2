/// Whether a lesson starts the way a learner should find it: red in every step, with a sentence on every failure.
enum RedStart {
  /// How the name of a test begins that rightly passes from the start: a stub that passes everything through.
  static let exception = "unchanged: "

  /// What is wrong with a lesson, given the run of its suite against the exercises.
  static func faults(in lesson: LessonProgress) -> [String] {
    if lesson.all == 0 { return ["The suite has no tests."] }
    return lesson.steps.flatMap(faults)
  }

  private static func faults(in step: StepProgress) -> [String] {
    guard step.tests.contains(where: \.hasFailed) else {
      return [
        "\(step.title): no test fails, and a learner would find nothing to do. "
          + "Has it been solved in this work tree? `git restore Exercises` brings the exercise back."
      ]
    }
    let passing = step.tests.filter { $0.state == .passed && !$0.name.hasPrefix(exception) }.map {
      "\(step.title): \"\($0.name)\" passes before anything has been written. "
        + "If that is right, let its name begin with \"\(exception)\"."
    }
    let mute = step.tests.compactMap { test in
      test.complaints.first { $0.sentence == nil }.map {
        "\(step.title): \"\(test.name)\" fails without a sentence for the learner: \($0.expectation)"
      }
    }
    return passing + mute
  }
}
