import Foundation

/// `kata watch`: the board again on every save, until Ctrl-C.
struct WatchCommand {
  let kata: Kata
  /// The lesson that was named; `nil` for all of them.
  let number: Int?

  /// Runs until a signal comes.
  ///
  /// - Throws: ``Interrupted``, which is how it ends.
  func run() throws -> ExitCode {
    _ = try kata.repository.lessons(number)
    var isFirst = true
    while true {
      let before = try settledStamps()
      if let lines = try round(before) {
        if !isFirst || kata.terminal.isTerminal { kata.terminal.clear() }
        kata.terminal.show(lines + ["", kata.style.paint("Watching your files. Ctrl-C ends it.", .dim)])
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
      _ = try Repository(above: kata.repository.root)
      return try BoardCommand(kata: kata, number: number).state(isOutdated: { stamps() != before })?.lines(kata.style)
    } catch let problem as Problem {
      return problem.lines(kata.style)
    }
  }

  /// The files as they are, once the second of the last save has passed.
  ///
  /// The compiler skips a file whose date is in the same second as at the last build. So a build must not begin in that
  /// second: a quick second save would never be compiled.
  private func settledStamps() throws -> [String: Stamp] {
    while true {
      let stamps = stamps()
      let newest = stamps.values.map(\.modified).max() ?? 0
      if newest.rounded(.down) != Date().timeIntervalSince1970.rounded(.down) { return stamps }
      try Interrupt.check()
      usleep(20_000)
    }
  }

  private func stamps() -> [String: Stamp] {
    // The suites, too: a suite that was broken and is mended has to run again.
    Files.stamps(below: ["Exercises", "Lessons", "Tests/Lessons", "Tests/Support"].map(kata.repository.path))
  }
}
