/// `kata`, `kata N` and `kata N.M`: runs the learner's suites once and shows the board.
struct BoardCommand {
  let kata: Kata
  /// The lesson that was named; `nil` for all of them.
  let number: Int?
  /// The step that was named; `nil` for all of them.
  var step: Int?

  /// Runs the suites and prints the board.
  func run() throws -> ExitCode {
    guard let state = try state(isOutdated: { false }) else { return .red }
    kata.terminal.show(state.lines(kata.style))
    return state.exitCode
  }

  /// Runs the suites and remembers the results.
  ///
  /// - Parameter isOutdated: Whether to stop, since a file has changed again.
  /// - Returns: What the board shows; `nil` if the run was outdated.
  func state(isOutdated: () -> Bool) throws -> BoardState? {
    let all = try kata.repository.lessons()
    let shown = try kata.repository.lessons(number)
    if let step, shown[0].page?.step(step) == nil {
      throw Problem("\(shown[0].pagePath) has no step \(step).", exitCode: .usage)
    }
    var memory = Memory(path: kata.memoryPath)
    memory.notice(all)
    memory.currentLesson = number ?? memory.currentLesson

    let report = try kata.suites.run(
      filter: number == nil ? Lesson.filterOfAll : shown[0].filter, live: kata.terminal.live, isOutdated: isOutdated)
    if report.ending == .outdated { return nil }

    let wasGreen = shown.filter { memory[$0.number].isGreen }
    if report.ending == .finished {
      for lesson in shown { memory.note(report.progress.lesson(lesson.number), tested: lesson.stamps) }
      memory.currentLesson = memory.current(among: shown).number
    }
    memory.save(path: kata.memoryPath)

    let current = memory.current(among: shown)
    let open = all.map(\.number).filter { $0 != current.number && !memory[$0].isGreen }
    return BoardState(
      lessons: shown, report: report, current: current, isDetailed: number != nil, step: step,
      isJustGreen: memory[current.number].isGreen && !wasGreen.contains(current),
      next: open.first { $0 > current.number } ?? open.first, missing: kata.repository.missingExercises,
      text: { Files.text(kata.repository.path($0)) })
  }
}

/// What the board shows after a run.
struct BoardState {
  /// The lessons that took part.
  let lessons: [Lesson]
  let report: RunReport
  /// The lesson to continue with.
  let current: Lesson
  /// Whether one lesson was named. If so, its steps and tests are listed.
  let isDetailed: Bool
  /// The step that was named; `nil` for all of them.
  var step: Int?
  /// Whether the current lesson was red the last time, and is green now.
  let isJustGreen: Bool
  /// A lesson for after the current one.
  let next: Int?
  /// Exercise files that should exist and do not.
  let missing: [String]
  /// Reads a file of the package.
  var text: (String) -> String? = { _ in nil }

  /// The current lesson, or the named step of it.
  var progress: LessonProgress {
    let lesson = report.progress.lesson(current.number)
    return LessonProgress(number: lesson.number, steps: lesson.steps.filter { step == nil || $0.number == step })
  }

  /// How the command exits.
  var exitCode: ExitCode {
    if report.ending == .didNotBuild { return .doesNotCompile }
    let isGreen = step == nil ? lessons.allSatisfy { report.progress.lesson($0.number).isGreen } : progress.isGreen
    let hasFailedElsewhere = !report.progress.strayComplaints.isEmpty || !report.progress.failedOwnTests.isEmpty
    return isGreen && report.ending == .finished && !hasFailedElsewhere ? .green : .red
  }
}
