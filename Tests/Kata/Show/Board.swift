// Draws the board.

extension BoardState {
  /// Everything that the board says.
  func lines(_ style: Style) -> [String] {
    let trouble = report.trouble(style, missing: missing)
    if report.ending == .didNotBuild { return trouble }

    let results = lessons.map { (lesson: $0, progress: report.progress.lesson($0.number)) }
    var lines = warnings(style) + results.map { row($0.lesson, $0.progress, style) }
    if isDetailed { lines += progress.steps.flatMap { details($0, style) } }
    lines.append("")
    lines += report.ending != .finished ? trouble : progress.isGreen ? green(style) : nextTest(progress, style)
    // The line to paste into a chat: `L1 ✔ · L2 ✔ · L3 4/11`.
    let chat = results.map { lesson, progress in
      (Lesson.isNamed(lesson.number) ? lesson.title : "L\(lesson.number)")
        + (progress.isGreen ? " ✔" : " \(progress.passed)/\(progress.all)")
    }
    return lines + ["", chat.joined(separator: " · ")]
  }

  private func warnings(_ style: Style) -> [String] {
    var sentences = report.progress.strayComplaints.prefix(1).map { "Outside of any test: \($0.sentence ?? $0.expectation)" }
    sentences += report.progress.failedOwnTests.prefix(1).map { test in
      let complaint = test.complaints.first
      return "Your own test \"\(test.name)\" fails: \(complaint?.sentence ?? complaint?.expectation ?? "it threw an error.")"
    }
    if report.progress.tests.isEmpty {
      sentences.append(
        "No tests were reported. Run `swift test --filter '\(Lesson.filterOfAll)'` to see what the toolchain reports.")
    }
    return sentences.flatMap { style.wrap($0) + [""] }
  }

  /// A lesson's number, name, bar, and how many of its tests pass. A narrow terminal has no bar.
  private func row(_ lesson: Lesson, _ progress: LessonProgress, _ style: Style) -> String {
    let (bar, paint) = (Style.bar(progress.passed, of: progress.all), progress.isGreen ? Style.Paint.green : .yellow)
    let count = "\(progress.passed)/\(progress.all)"
    let tail = String(repeating: " ", count: max(0, 5 - count.count)) + count + (progress.isGreen ? " ✔" : "")
    let name = style.fit(lesson.name, style.width < 60 ? style.width - 12 : min(48, style.width - 35))
    return "\(Lesson.isNamed(lesson.number) ? "+" : "\(lesson.number)")  \(name)  "
      + (style.width < 60 ? "" : style.paint(bar, paint) + "  ")
      + (progress.isGreen ? style.paint(tail, .green) : tail)
  }

  /// A step with each of its tests.
  private func details(_ step: StepProgress, _ style: Style) -> [String] {
    let title = style.wrap("\(step.title) · \(step.passed)/\(step.tests.count)").map { style.paint($0, .bold) }
    return [""] + title
      + step.tests.flatMap { test in
        let (mark, paint): (String, Style.Paint) =
          test.hasFailed ? ("✘", .red) : test.state == .passed ? ("✔", .green) : ("?", .yellow)
        return style.wrap(test.name, indent: "    ", first: "  \(mark) ").map { style.paint($0, paint) }
      }
  }

  /// The first failing test of the current step, and what to edit, read and run.
  private func nextTest(_ progress: LessonProgress, _ style: Style) -> [String] {
    guard let step = progress.currentStep, let test = step.next else { return [] }
    var lines: [String] = []
    if let first = report.progress.lesson(current.number).currentStep?.number, let number = step.number, first < number {
      lines += style.wrap("Step \(first) is not green yet. Start there: later steps build on it.") + [""]
    }
    if self.step == nil, progress.steps.allSatisfy({ $0.isGreen || $0.isExtra }) {
      lines += style.wrap("The core steps of \(current.title) are green. The remaining steps are extra.") + [""]
    }
    lines += style.wrap("Next: \(current.title), \(step.title.lowercasedFirst)").map { style.paint($0, .bold) }
    lines += style.wrap(test.name, indent: "  ", first: "✘ ").map { style.paint($0, .red) }
    lines += test.complaints.first.map { complaint($0, style) + excerpt(test, to: $0) } ?? ["  This test did not finish."]

    lines.append("")
    if let file = current.page?.exerciseFile(step: step.number) ?? current.files.first {
      lines += style.wrap(file, indent: "      ", first: "Edit  ")
    }
    let section = step.number.flatMap { current.page?.step($0) }.map { ", section \"\($0.heading)\"" } ?? ""
    let read = current.page == nil ? "\(current.pagePath) cannot be read." : current.pagePath + section
    lines += style.wrap(read, indent: "      ", first: "Read  ")
    let filter = current.folder + (self.step.map { ".Step\($0)" } ?? "")
    return lines + ["Run   swift test -q --filter \(filter)", "Hint  swift run kata hint"]
  }

  /// What a complaint says: first in the words of the lesson, then in those of the testing library.
  private func complaint(_ complaint: Complaint, _ style: Style) -> [String] {
    let sentence = complaint.sentence.map { style.wrap($0, indent: "  ") } ?? []
    let place = complaint.file.map { "at \($0)" + (complaint.line.map { ":\($0)" } ?? "") }
    let technical = [complaint.expectation, place].compactMap { $0 }
    return sentence + technical.flatMap { style.wrap($0, indent: "  ") }.map { style.paint($0, .dim) }
  }

  /// The test from its beginning to the line that complains: twelve lines at most.
  private func excerpt(_ test: TestProgress, to complaint: Complaint) -> [String] {
    guard let file = complaint.file, file.hasSuffix("/" + test.id.file), var end = complaint.line, let text = text(file) else {
      return []
    }
    let all = text.components(separatedBy: "\n")
    // What is expected stands on the line after the parenthesis.
    if all.indices.contains(end), all[end - 1].hasSuffix("(") { end += 1 }
    let lines = all.prefix(end).dropFirst(test.id.line - 1).drop { !$0.contains("func ") }.map { $0.dropFirst(2) }
    let shown = lines.count > 12 ? [lines[0], "  …"] + lines.suffix(10) : lines
    return [""] + shown.map { $0.isEmpty ? "" : "    " + $0 }
  }

  /// That the current lesson is green, the questions if this is new, and how to go on.
  private func green(_ style: Style) -> [String] {
    if let step { return style.wrap("\(current.title), step \(step) is green.").map { style.paint($0, .green) } }
    var lines = style.wrap("\(current.title) is green.").map { style.paint($0, .green) }
    let questions = current.page?.questions ?? []
    if isJustGreen, !questions.isEmpty {
      lines += ["", style.paint("To think about, or to discuss:", .bold)]
      lines += questions.flatMap { style.wrap($0, indent: "  ", first: "- ") } + [""]
    }
    if let ending = current.page?.ending {
      lines += style.wrap("\(current.pagePath), section \"\(ending.heading)\"", indent: "      ", first: "Read  ")
    }
    if let next { lines += style.wrap("swift run kata \(Lesson.word(next))", indent: "      ", first: "Next  ") }
    if exitCode == .green, !isDetailed {
      lines += [""]
      lines += style.wrap(
        "All lessons are green. Each page ends with questions that are worth discussing: see \"When you are green\".")
    }
    return lines
  }
}
