/// `kata hint`: the next hint of the step that the learner is at.
struct HintCommand {
  let context: Context
  /// The lesson that was named; `nil` for the current one.
  let lesson: Int?

  /// Prints one hint and remembers that.
  func run() throws -> ExitCode {
    if let lesson { try context.repository.check(lesson: lesson) }
    let stamps = context.stamps()
    var memory = Memory(path: context.memoryPath)
    memory.notice(stamps)
    let lessons = context.repository.lessons
    let number = lesson ?? memory.currentLesson ?? lessons.first { !memory[$0].isGreen } ?? lessons[0]
    try context.repository.check(lesson: number)
    memory.currentLesson = number
    if memory[number].tested != stamps[number] { try runSuite(number, &memory, stamps[number] ?? [:]) }

    guard let page = context.info(ofLesson: number).page else {
      throw Problem("Lessons/Lesson\(number).md is missing or cannot be read, and the hints stand there.")
    }
    var lines = HintLines(style: context.style, lesson: number, page: page)
    if memory[number].isGreen {
      context.terminal.show(lines.green())
    } else {
      let suite = memory[number].step ?? "Step1"
      context.terminal.show(lines.next(suite: suite, shown: &memory[number].hints[suite, default: 0]))
    }
    memory.save(path: context.memoryPath)
    return .green
  }

  /// Finds out which step is the current one. What does not build leaves it at the step known before.
  private func runSuite(_ number: Int, _ memory: inout Memory, _ stamps: [String: Stamp]) throws {
    let report = try context.suites().run(filter: context.filter(number), live: context.terminal.live)
    if report.ending == .finished {
      memory.note(report.progress.lesson(number), tested: stamps)
    } else {
      memory[number].isGreen = false
      memory[number].step = report.progress.lesson(number).currentStep?.suite ?? memory[number].step
    }
  }
}
