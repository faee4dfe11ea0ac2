/// `kata` and `kata N`: runs the learner's suites once and draws the board.
struct BoardCommand {
  let context: Context
  /// The lesson that was named; `nil` for all of them.
  let lesson: Int?

  /// Runs it once and prints the board.
  func run() throws -> ExitCode {
    let page = try page(isOutdated: { false })
    context.terminal.show(page?.lines() ?? [])
    return page?.exitCode ?? .red
  }

  /// Runs the suites and remembers what came of it.
  ///
  /// - Parameter isOutdated: Whether to stop, since a file has changed again.
  /// - Returns: The board to draw; `nil` when the run was outdated.
  func page(isOutdated: () -> Bool) throws -> BoardPage? {
    if let lesson { try context.repository.check(lesson: lesson) }
    let stamps = context.stamps()
    var memory = Memory(path: context.memoryPath)
    memory.notice(stamps)
    memory.currentLesson = lesson ?? memory.currentLesson

    let suites = context.suites()
    let report = try suites.run(filter: context.filter(lesson), live: context.terminal.live, isOutdated: isOutdated)
    if report.ending == .outdated { return nil }

    let shown = lesson.map { [$0] } ?? context.repository.lessons
    let results = shown.map(report.progress.lesson)
    var justGreen: Set<Int> = []
    if report.ending == .finished {
      for result in results where memory.note(result, tested: stamps[result.number] ?? [:]) {
        justGreen.insert(result.number)
      }
    }
    let known = memory.currentLesson.flatMap { shown.contains($0) ? $0 : nil }
    let current = known ?? results.first { !$0.isGreen }?.number ?? shown.last ?? 1
    if report.ending == .finished { memory.currentLesson = current }
    memory.save(path: context.memoryPath)

    let open = context.repository.lessons.filter { $0 != current && !memory[$0].isGreen }
    return BoardPage(
      style: context.style, lessons: shown.map(context.info), report: report, current: current,
      isDetailed: lesson != nil, justGreen: justGreen, next: open.first { $0 > current } ?? open.first,
      silence: suites.silence, missing: context.repository.missingExercises, relative: context.repository.relative)
  }
}
