/// Draws what to say about a lesson whose tests all pass.
struct GreenLines {
  let style: Style
  let lesson: LessonInfo
  /// Whether the lesson was red the last time.
  let isNew: Bool
  /// The lesson that comes after it, if there is one that is not green.
  let next: Int?

  /// That it is green, the questions when this is new, and how to go on.
  func lines() -> [String] {
    var lines = [""] + style.wrap("Lesson \(lesson.number) is green.").map { style.paint($0, .green) }
    let questions = lesson.page?.questions ?? []
    if isNew, !questions.isEmpty {
      lines += ["", style.paint("To think about, or to discuss:", .bold)]
      lines += questions.flatMap { style.wrap(Markdown.plain($0), indent: "  ", first: "- ") }
      lines.append("")
    }
    if let ending = lesson.page?.ending {
      lines += style.wrap("\(lesson.pagePath), section \"\(ending.heading)\"", indent: "      ", first: "Read  ")
    }
    if let next {
      lines += style.wrap("swift run kata \(next)", indent: "      ", first: "Next  ")
    }
    return lines
  }

  /// What to say when there is nothing left to do.
  static func everything(_ style: Style) -> [String] {
    style.wrap(
      "All lessons are green. Each page ends in questions that are worth discussing: see \"When you are green\".")
  }
}
