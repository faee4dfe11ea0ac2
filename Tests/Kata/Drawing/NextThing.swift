/// Draws what to do next in a lesson.
struct NextThing {
  let style: Style
  let lesson: LessonInfo
  let progress: LessonProgress
  /// Takes a long path and gives the part inside the package.
  let relative: (String) -> String

  /// The first failing test of the current step, and where to write, read, run and get help.
  func lines() -> [String] {
    guard let step = progress.currentStep, let test = step.next else { return [] }
    let heading = style.wrap("Next: Lesson \(lesson.number), \(step.title.lowercasingFirst)")
    var lines = [""] + heading.map { style.paint($0, .bold) }
    lines += style.wrap(test.name, indent: "  ", first: "✘ ").map { style.paint($0, .red) }
    lines += test.complaints.first.map(complaint) ?? ["  It has not come to its end in this run."]
    if test.complaints.count > 1 {
      lines += style.wrap("And \(test.complaints.count - 1) more; `swift test` below shows them all.", indent: "  ")
    }
    return lines + [""] + pointers(step)
  }

  /// What a complaint says: first in the words of the lesson, then in those of the testing library.
  func complaint(_ complaint: Complaint) -> [String] {
    var lines = style.wrap(complaint.sentence ?? "", indent: "  ").filter { !$0.isEmpty }
    var technical = style.wrap(complaint.expectation, indent: "  ")
    if let argument = complaint.argument { technical += style.wrap("for \(argument)", indent: "  ") }
    if let file = complaint.file {
      technical.append(style.text("  at " + relative(file) + (complaint.line.map { ":\($0)" } ?? "")))
    }
    lines += technical.map { style.paint($0, .dim) }
    return lines
  }

  private func pointers(_ step: StepProgress) -> [String] {
    var lines: [String] = []
    if let file = lesson.page?.exerciseFile(step: step.number) ?? lesson.files.first {
      lines += style.wrap(file, indent: "      ", first: "Edit  ")
    }
    if let page = lesson.page {
      let section = step.number.flatMap(page.step).map { ", section \"\($0.heading)\"" } ?? ""
      lines += style.wrap(lesson.pagePath + section, indent: "      ", first: "Read  ")
    } else {
      lines += style.wrap("\(lesson.pagePath) is missing or cannot be read.", indent: "      ", first: "Read  ")
    }
    let filter = "Lesson\(lesson.number)." + (step.number.map { "Step\($0)" } ?? step.suite)
    lines.append("Run   swift test --filter \(filter)")
    lines.append("Hint  swift run kata hint")
    return lines
  }
}

extension String {
  /// The text with a small letter at the beginning: `step 1: send`.
  fileprivate var lowercasingFirst: String { prefix(1).lowercased() + dropFirst() }
}
