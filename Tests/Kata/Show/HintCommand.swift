/// `kata hint`: the next hint of the step that the learner is at.
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
        // What does not build or come to its end says nothing about the steps: the one known before counts.
        memory[lesson.number].isGreen = false
        memory[lesson.number].step = memory[lesson.number].step ?? CrashReport(output: report.output).test?.suite
        kata.terminal.show(
          kata.style.wrap("The suite did not come to its end in this run. swift run kata \(lesson.number) shows why.") + [""])
      }
    }
    kata.terminal.show(try HintCommand.lines(lesson, &memory, kata.style))
    memory.save(path: kata.memoryPath)
    return .green
  }

  /// The next hint, or why there is none.
  static func lines(_ lesson: Lesson, _ memory: inout Memory, _ style: Style) throws -> [String] {
    guard let page = lesson.page else {
      throw Problem("\(lesson.pagePath) is missing or cannot be read, and the hints are there.")
    }
    guard !memory[lesson.number].isGreen else {
      return style.wrap("Lesson \(lesson.number) is green: nothing is left to hint at.")
    }
    let suite = memory[lesson.number].step ?? "Step1"
    let shown = max(0, memory[lesson.number].hints[suite] ?? 0)
    guard let section = TestID.number(in: suite, after: "Step").flatMap(page.step), !section.hints.isEmpty else {
      return style.wrap("\(lesson.pagePath) has no hints for \(suite).")
    }
    guard shown < section.hints.count else {
      return style.wrap(
        "There are no more hints for this step: you have seen all \(section.hints.count). "
          + "They are in \(lesson.pagePath), section \"\(section.heading)\". "
          + "The reference is in Solutions/Lesson\(lesson.number).")
    }
    memory[lesson.number].hints[suite] = shown + 1
    let place = "Lesson \(lesson.number), \(section.heading.prefix(1).lowercased())\(section.heading.dropFirst())"
    return section.hints[shown].lines(style, place, number: shown + 1, of: section.hints.count)
  }
}

extension Hint {
  /// The hint, with its place.
  func lines(_ style: Style, _ place: String, number: Int, of count: Int) -> [String] {
    style.wrap("\(place): hint \(number) of \(count)").map { style.paint($0, .dim) } + [""]
      + style.wrap(title).map { style.paint($0, .bold) } + text(style)
      + ["", number == count ? "This was the last one for this step." : "One more: swift run kata hint"]
  }

  /// Paragraphs are wrapped; code stays as it is.
  private func text(_ style: Style) -> [String] {
    var result: [String] = []
    var paragraph = ""
    var isInFence = false
    let endParagraph = {
      if !paragraph.isEmpty { result += style.wrap(Markdown.plain(paragraph)) }
      paragraph = ""
    }
    for line in body + [""] {
      if line.hasPrefix("```") {
        endParagraph()
        isInFence.toggle()
      } else if isInFence {
        result.append(style.text(line.isEmpty ? "" : "    " + line))
      } else if line.allSatisfy(\.isWhitespace) {
        endParagraph()
        result.append("")
      } else {
        if line.hasPrefix("- ") { endParagraph() }
        paragraph += (paragraph.isEmpty ? "" : " ") + line
      }
    }
    while result.last == "" { result.removeLast() }
    return result.first == "" || result.isEmpty ? result : [""] + result
  }
}
