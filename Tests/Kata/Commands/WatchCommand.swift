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
      let before = try settledStamps()
      let lines = try round(before)
      if let lines {
        if !isFirst || context.terminal.isTerminal { context.terminal.clear() }
        context.terminal.show(lines + ["", context.style.paint("Watching your files. Ctrl-C ends it.", .dim)])
        isFirst = false
      }
      while stamps() == before {
        try Interrupt.check()
        usleep(50_000)
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

  /// The files as they are, once the second of the last save has passed.
  ///
  /// The compiler leaves out a file whose date is in the same second as it was at the last build. So a build must not begin
  /// in that second: a quick second save would never be compiled.
  private func settledStamps() throws -> [String: Stamp] {
    while true {
      let stamps = stamps()
      let newest = stamps.values.map(\.modified).max() ?? 0
      let now = Date().timeIntervalSince1970
      if newest.rounded(.down) != now.rounded(.down) { return stamps }
      try Interrupt.check()
      usleep(20_000)
    }
  }

  private func stamps() -> [String: Stamp] {
    Files.stamps(below: ["Exercises", "Lessons"].map(context.repository.path))
  }
}
