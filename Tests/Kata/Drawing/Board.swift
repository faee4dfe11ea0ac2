/// What is known about a lesson besides its tests.
struct LessonInfo: Equatable {
  let number: Int
  /// `nil` when the page cannot be read.
  let page: Page?
  /// The files to edit, as the folder has them.
  let files: [String]

  /// `The manager that does everything`
  var name: String { page.map(\.name) ?? "Lesson \(number)" }
  /// The page's path from the root of the package.
  var pagePath: String { "Lessons/Lesson\(number).md" }
}

/// Draws the board: a row for each lesson, and one line for the chat.
struct Board {
  let style: Style
  let lessons: [LessonInfo]
  let progress: SuiteProgress

  /// A row for each lesson: number, title, bar, passed of all.
  func rows() -> [String] {
    lessons.map { row($0.number, name: $0.name, progress.lesson($0.number)) }
  }

  /// A row: the bar gives way first, then the title.
  func row(_ number: Int, name: String, _ lesson: LessonProgress) -> String {
    let count = "\(lesson.passed)/\(lesson.all)"
    let mark = lesson.isGreen ? style.text(" ✔") : ""
    let tail = String(repeating: " ", count: max(0, 5 - count.count)) + count + mark
    let barWidth = style.width < 40 ? 0 : style.width < 64 ? 10 : 20
    let nameWidth = max(4, min(48, style.width - barWidth - 15))
    let bar = style.paint(style.bar(lesson.passed, of: lesson.all, width: barWidth), lesson.isGreen ? .green : .yellow)
    let parts = ["\(number)", style.fit(name, nameWidth), bar, lesson.isGreen ? style.paint(tail, .green) : tail]
    return parts.filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// The line to paste into a chat: `L1 ✔ · L2 ✔ · L3 4/11`.
  func chatLine() -> String {
    let parts = lessons.map { lesson in
      let progress = progress.lesson(lesson.number)
      return "L\(lesson.number) " + (progress.isGreen ? "✔" : "\(progress.passed)/\(progress.all)")
    }
    return style.text(parts.joined(separator: " · "))
  }

  /// Each step of a lesson with each of its tests.
  func details(ofLesson number: Int) -> [String] {
    progress.lesson(number).steps.flatMap { step in
      let count = "\(step.passed)/\(step.tests.count)"
      let title = style.wrap("\(step.title) · \(count)").map { style.paint($0, .bold) }
      return [""] + title + step.tests.flatMap(line)
    }
  }

  private func line(_ test: TestProgress) -> [String] {
    let (mark, paint): (String, Style.Paint) =
      switch test.state {
      case .passed: ("✔", .green)
      case .failed: ("✘", .red)
      case .running, .waiting, .skipped: test.hasFailed ? ("✘", .red) : ("?", .yellow)
      }
    let width = style.text(mark).count
    let lines = style.wrap(test.name, indent: "  " + String(repeating: " ", count: width + 1), first: "  \(mark) ")
    return lines.enumerated().map { index, line in
      index == 0 ? "  " + style.paint(style.text(mark), paint) + line.dropFirst(2 + width) : line
    }
  }
}
