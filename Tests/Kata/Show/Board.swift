// Draws the board.

extension BoardState {
  /// Everything that the board says.
  func lines(_ style: Style) -> [String] {
    let trouble = Trouble(style: style)
    if report.ending == .didNotBuild { return trouble.compileErrors(report.output, missing: missing) }

    let results = lessons.map { (lesson: $0, progress: report.progress.lesson($0.number)) }
    var lines = warnings(style) + results.map { row($0.lesson, $0.progress, style) }
    if isDetailed { lines += report.progress.lesson(current.number).steps.flatMap { details($0, style) } }
    switch report.ending {
    case .crashed: lines += [""] + trouble.crash(CrashReport(output: report.output), running: report.progress.running)
    case .flooded: lines += [""] + trouble.flood(running: report.progress.running)
    case .hung: lines += [""] + trouble.hang(silence: silence, running: report.progress.running)
    default:
      let progress = report.progress.lesson(current.number)
      lines += progress.isGreen ? green(style) : nextTest(progress, style)
    }
    // The line to paste into a chat: `L1 ✔ · L2 ✔ · L3 4/11`.
    let chat = results.map { "L\($0.lesson.number) " + ($0.progress.isGreen ? "✔" : "\($0.progress.passed)/\($0.progress.all)") }
    return lines + ["", style.text(chat.joined(separator: " · "))]
  }

  private func warnings(_ style: Style) -> [String] {
    var sentences: [String] = []
    if let version = report.progress.unknownVersion {
      sentences.append(
        "This toolchain reports its tests in version \(version) of the event stream, which kata does not know. "
          + "If the board looks wrong, trust `swift test --filter Lesson`.")
    }
    if report.progress.tests.isEmpty {
      sentences.append("No test was reported. `swift test --filter Lesson` shows what the toolchain says about that.")
    }
    for complaint in report.progress.strayComplaints.prefix(1) {
      sentences.append("Outside of any test: " + (complaint.sentence ?? complaint.expectation))
    }
    return sentences.isEmpty ? [] : sentences.flatMap { style.wrap($0) } + [""]
  }

  /// A lesson's number, title, bar, and passed of all. In a narrow terminal, the bar shrinks first, then the title.
  private func row(_ lesson: Lesson, _ progress: LessonProgress, _ style: Style) -> String {
    let count = "\(progress.passed)/\(progress.all)"
    let mark = progress.isGreen ? style.text(" ✔") : ""
    let tail = String(repeating: " ", count: max(0, 5 - count.count)) + count + mark
    let barWidth = style.width < 40 ? 0 : style.width < 64 ? 10 : 20
    let nameWidth = max(4, min(48, style.width - barWidth - 15))
    let bar = style.paint(style.bar(progress.passed, of: progress.all, width: barWidth), progress.isGreen ? .green : .yellow)
    let parts = [
      "\(lesson.number)", style.fit(lesson.name, nameWidth), bar, progress.isGreen ? style.paint(tail, .green) : tail,
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// A step with each of its tests.
  private func details(_ step: StepProgress, _ style: Style) -> [String] {
    let title = style.wrap("\(step.title) · \(step.passed)/\(step.tests.count)").map { style.paint($0, .bold) }
    return [""] + title
      + step.tests.flatMap { test in
        let (mark, paint): (String, Style.Paint) =
          test.hasFailed ? ("✘", .red) : test.state == .passed ? ("✔", .green) : ("?", .yellow)
        let width = style.text(mark).count
        var lines = style.wrap(test.name, indent: "  " + String(repeating: " ", count: width + 1), first: "  \(mark) ")
        lines[0] = "  " + style.paint(style.text(mark), paint) + lines[0].dropFirst(2 + width)
        return lines
      }
  }

  /// The first failing test of the current step, and where to write, read, run and get help.
  private func nextTest(_ progress: LessonProgress, _ style: Style) -> [String] {
    guard let step = progress.currentStep, let test = step.next else { return [] }
    let heading = style.wrap("Next: Lesson \(current.number), \(step.title.prefix(1).lowercased())\(step.title.dropFirst())")
    var lines = [""] + heading.map { style.paint($0, .bold) }
    lines += style.wrap(test.name, indent: "  ", first: "✘ ").map { style.paint($0, .red) }
    lines += test.complaints.first.map { complaint($0, style) } ?? ["  It has not come to its end in this run."]
    if test.complaints.count > 1 {
      lines += style.wrap("And \(test.complaints.count - 1) more; `swift test` below shows them all.", indent: "  ")
    }

    lines.append("")
    if let file = current.page?.exerciseFile(step: step.number) ?? current.files.first {
      lines += style.wrap(file, indent: "      ", first: "Edit  ")
    }
    let section = step.number.flatMap { current.page?.step($0) }.map { ", section \"\($0.heading)\"" } ?? ""
    let read = current.page == nil ? "\(current.pagePath) is missing or cannot be read." : current.pagePath + section
    lines += style.wrap(read, indent: "      ", first: "Read  ")
    let filter = "Lesson\(current.number)." + (step.number.map { "Step\($0)" } ?? step.suite)
    return lines + ["Run   swift test --filter \(filter)", "Hint  swift run kata hint"]
  }

  /// What a complaint says: first in the words of the lesson, then in those of the testing library.
  private func complaint(_ complaint: Complaint, _ style: Style) -> [String] {
    let sentence = style.wrap(complaint.sentence ?? "", indent: "  ").filter { !$0.isEmpty }
    var technical = style.wrap(complaint.expectation, indent: "  ")
    if let argument = complaint.argument { technical += style.wrap("for \(argument)", indent: "  ") }
    if let file = complaint.file { technical.append(style.text("  at " + file + (complaint.line.map { ":\($0)" } ?? ""))) }
    return sentence + technical.map { style.paint($0, .dim) }
  }

  /// That the current lesson is green, the questions if this is new, and how to go on.
  private func green(_ style: Style) -> [String] {
    var lines = [""] + style.wrap("Lesson \(current.number) is green.").map { style.paint($0, .green) }
    let questions = current.page?.questions ?? []
    if isJustGreen, !questions.isEmpty {
      lines += ["", style.paint("To think about, or to discuss:", .bold)]
      lines += questions.flatMap { style.wrap(Markdown.plain($0), indent: "  ", first: "- ") } + [""]
    }
    if let ending = current.page?.ending {
      lines += style.wrap("\(current.pagePath), section \"\(ending.heading)\"", indent: "      ", first: "Read  ")
    }
    if let next { lines += style.wrap("swift run kata \(next)", indent: "      ", first: "Next  ") }
    if exitCode == .green, !isDetailed {
      lines += [""]
      lines += style.wrap(
        "All lessons are green. Each page ends in questions that are worth discussing: see \"When you are green\".")
    }
    return lines
  }
}
