import Foundation

/// `kata watch`: the board again on every save, until Ctrl-C.
struct WatchCommand {
  let context: Context
  /// The lesson that was named; `nil` for all of them.
  let lesson: Int?

  /// Runs until a signal comes.
  ///
  /// - Throws: ``Interrupted``, which is how it ends.
  func run() throws -> ExitCode {
    if let lesson { try context.repository.check(lesson: lesson) }
    var isFirst = true
    while true {
      let before = stamps()
      let lines = try round(before)
      if let lines {
        if !isFirst || context.terminal.isTerminal { context.terminal.clear() }
        context.terminal.show(lines + ["", context.style.paint("Watching your files. Ctrl-C ends it.", .dim)])
        isFirst = false
      }
      while stamps() == before {
        try Interrupt.check()
        usleep(150_000)
      }
    }
  }

  /// One run. A package that has lost a folder is a sentence on the screen, and not the end.
  private func round(_ before: [String: Stamp]) throws -> [String]? {
    do {
      _ = try Repository(above: context.repository.root)
      return try BoardCommand(context: context, lesson: lesson).page(isOutdated: { stamps() != before })?.lines()
    } catch let problem as Problem {
      return problem.lines(context.style)
    }
  }

  private func stamps() -> [String: Stamp] {
    Files.stamps(below: ["Exercises", "Lessons"].map(context.repository.path))
  }
}
