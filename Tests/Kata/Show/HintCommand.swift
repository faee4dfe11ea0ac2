import Foundation

/// `kata hint`: the next hint for the current step.
struct HintCommand {
  let kata: Kata
  /// The lesson that was named; `nil` for the current one.
  let number: Int?

  /// Prints one hint and remembers that.
  func run() throws -> ExitCode {
    var memory = Memory(path: kata.memoryPath)
    memory.notice(try kata.repository.lessons())
    memory.currentLesson = number ?? memory.currentLesson
    let lesson = memory.current(among: try kata.repository.lessons(number))
    memory.currentLesson = lesson.number

    if memory[lesson.number].tested != lesson.stamps {
      let report = try kata.suites.run(filter: lesson.filter, live: kata.terminal.live)
      if report.ending == .finished {
        memory.note(report.progress.lesson(lesson.number), tested: lesson.stamps)
      } else {
        // A run that does not build or end says nothing about the steps: the one known before counts.
        memory[lesson.number].isGreen = false
        kata.terminal.show(
          kata.style.wrap("The suite did not finish. Run `swift run kata \(Lesson.word(lesson.number))` to see why.") + [""])
      }
    }
    kata.terminal.show(try HintCommand.lines(lesson, &memory, kata.style))
    memory.save(path: kata.memoryPath)
    return .green
  }

  /// The next hint, or why there is none.
  static func lines(_ lesson: Lesson, _ memory: inout Memory, _ style: Style) throws -> [String] {
    guard let page = lesson.page else {
      throw Problem("\(lesson.pagePath) contains the hints, but it cannot be read. Restore it with `git restore Lessons`.")
    }
    guard !memory[lesson.number].isGreen else {
      return style.wrap("\(lesson.title) is green, so there is no hint to show.")
    }
    let suite = memory[lesson.number].step ?? "Step1"
    let shown = max(0, memory[lesson.number].hints[suite] ?? 0)
    guard let section = TestID.number(in: suite, after: "Step").flatMap(page.step), !section.hints.isEmpty else {
      return style.wrap("\(lesson.pagePath) has no hints for \(suite).")
    }
    let count = section.hints.count
    guard shown < count else {
      return style.wrap(
        "You have seen all \(count) hints for this step. They are in \(lesson.pagePath), section \"\(section.heading)\". "
          + "The reference solution is in Solutions/\(lesson.folder).")
    }
    memory[lesson.number].hints[suite] = shown + 1
    let place = "\(lesson.title), \(section.heading.lowercasedFirst): hint \(shown + 1) of \(count)"
    return style.wrap(place).map { style.paint($0, .dim) } + [""] + section.hints[shown].lines(style)
      + ["", shown + 1 == count ? "That was the last hint for this step." : "For the next hint: swift run kata hint"]
  }
}

extension Hint {
  /// The title and the text. Paragraphs are wrapped; code is printed unchanged.
  func lines(_ style: Style) -> [String] {
    var lines = style.wrap(title).map { style.paint($0, .bold) }
    for (index, part) in body.components(separatedBy: "```").enumerated() {
      if index.isMultiple(of: 2) {
        let paragraphs = part.replacing("\n- ", with: "\n\n- ").components(separatedBy: "\n\n").map(Markdown.plain)
        for paragraph in paragraphs where !paragraph.isEmpty { lines += [""] + style.wrap(paragraph) }
      } else {
        // The first line is the language, and the last one is empty.
        lines += [""] + part.components(separatedBy: "\n").dropFirst().dropLast().map { "    " + $0 }
      }
    }
    return lines
  }
}

extension String {
  /// `step 1: Send` for `Step 1: Send`.
  var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
