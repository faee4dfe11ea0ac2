import Foundation

extension Kata {
  /// `kata hint`: the next hint for the step that was named, or else for the step that fails first.
  func hint(_ named: Lesson?, step: Int?) throws {
    var state = State(path: statePath)
    let lessons = repository.lessons
    state.notice(lessons, named: named)
    let lesson = state.current(among: lessons)
    var known = state.known[lesson.folder] ?? State.Known(step: 1)
    if let step {
      if known.step != step { (known.step, known.hints) = (step, 0) }
    } else if known.edited != lesson.edited {
      let run = try test(lesson.filter)
      if run.ending == .finished {
        state.note(run.steps(of: lesson), of: lesson)
        known = state.known[lesson.folder] ?? known
      } else {
        // Such a run says nothing about the steps: the one known before counts.
        terminal.show(terminal.wrap("The suite did not finish. Run `swift run kata \(lesson.word)` to see why.") + [""])
        known.step = known.step ?? 1
      }
    }
    terminal.show(
      terminal.hint(for: lesson, &known, command: "swift run kata hint" + (step.map { " \(lesson.word).\($0)" } ?? "")))
    state.known[lesson.folder] = known
    state.save(path: statePath)
  }
}

extension Terminal {
  /// The next hint, or why there is none.
  func hint(for lesson: Lesson, _ known: inout State.Known, command: String) -> [String] {
    guard let step = known.step else { return wrap("\(lesson.title) is green, so there is no hint to show.") }
    guard let section = lesson.page.step(step), !section.hints.isEmpty else {
      return wrap("\(lesson.pagePath) has no hints for step \(step).")
    }
    let count = section.hints.count
    guard known.hints < count else {
      return wrap(
        "You have seen all \(count) hints for this step. They are in \(lesson.pagePath), section \"\(section.heading)\". "
          + "The reference solution is in Solutions/\(lesson.folder).")
    }
    known.hints += 1
    return wrap("\(lesson.title), \(section.heading): hint \(known.hints) of \(count)", "", .dim) + [""]
      + markdown(section.hints[known.hints - 1])
      + ["", known.hints == count ? "That was the last hint for this step." : "For the next hint: \(command)"]
  }

  /// A text as it stands on the page, in lines that fit. Code is indented.
  private func markdown(_ text: String) -> [String] {
    let parts = text.components(separatedBy: "```").map { $0.trimmingCharacters(in: .newlines).components(separatedBy: "\n") }
    let blocks = parts.enumerated().map { index, lines in
      // The first line of code is its language.
      index.isMultiple(of: 2) ? lines.flatMap { wrap($0) } : lines.dropFirst().map { "    " + $0 }
    }
    return Array(blocks.filter { $0 != [""] }.joined(separator: [""]))
  }
}
