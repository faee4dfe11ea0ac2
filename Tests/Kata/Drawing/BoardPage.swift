/// Everything that the board says after a run, as lines.
struct BoardPage {
  let style: Style
  /// The lessons that took part.
  let lessons: [LessonInfo]
  let report: RunReport
  /// The lesson to show what to do in.
  let current: Int
  /// Whether only one lesson was asked for: then its steps and tests are listed.
  let isDetailed: Bool
  /// The lessons that have just turned green.
  let justGreen: Set<Int>
  /// A lesson to go on with once the current one is green.
  let next: Int?
  /// After how many seconds of silence the tests were stopped.
  let silence: Int
  /// Exercise files that should be there and are not.
  var missing: [String] = []
  /// Takes a long path and gives the part inside the package.
  let relative: (String) -> String

  /// The text.
  func lines() -> [String] {
    let trouble = Trouble(style: style, relative: relative)
    if report.ending == .didNotBuild { return trouble.compileErrors(report.output, missing: missing) }

    let board = Board(style: style, lessons: lessons, progress: report.progress)
    var lines = warnings() + board.rows()
    if isDetailed { lines += board.details(ofLesson: current) }
    switch report.ending {
    case .crashed:
      lines += [""] + trouble.crash(CrashReport(output: report.output), running: report.progress.running)
    case .hung:
      lines += [""] + trouble.hang(silence: silence, running: report.progress.running)
    default:
      lines += whatNext()
    }
    return lines + ["", board.chatLine()]
  }

  /// How the command leaves.
  var exitCode: ExitCode {
    if report.ending == .didNotBuild { return .doesNotCompile }
    let isGreen = lessons.allSatisfy { report.progress.lesson($0.number).isGreen }
    return isGreen && report.ending == .finished && report.progress.strayComplaints.isEmpty ? .green : .red
  }

  private func whatNext() -> [String] {
    guard let lesson = lessons.first(where: { $0.number == current }) else { return [] }
    let progress = report.progress.lesson(current)
    guard progress.isGreen else {
      return NextThing(style: style, lesson: lesson, progress: progress, relative: relative).lines()
    }
    let green = GreenLines(style: style, lesson: lesson, isNew: justGreen.contains(current), next: next).lines()
    return green + (exitCode == .green && !isDetailed ? [""] + GreenLines.everything(style) : [])
  }

  private func warnings() -> [String] {
    var lines: [String] = []
    if let version = report.progress.unknownVersion {
      lines += style.wrap(
        "This toolchain reports its tests in version \(version) of the event stream, which kata does not know. "
          + "If the board looks wrong, trust `swift test --filter Lesson`.")
    }
    if report.progress.tests.isEmpty {
      lines += style.wrap(
        "No test was reported. `swift test --filter Lesson` shows what the toolchain says about that.")
    }
    for complaint in report.progress.strayComplaints.prefix(1) {
      lines += style.wrap("Outside of any test: " + (complaint.sentence ?? complaint.expectation))
    }
    return lines.isEmpty ? [] : lines + [""]
  }
}
