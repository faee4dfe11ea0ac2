import Foundation

/// `kata watch`: the board again on every save, until Ctrl-C.
struct WatchCommand {
  let kata: Kata
  /// The lesson that was named; `nil` for all of them.
  let number: Int?

  /// Runs until a signal is received.
  ///
  /// - Throws: ``Interrupted``. The command ends in no other way.
  func run() throws -> ExitCode {
    _ = try kata.repository.lessons(number)
    while true {
      let before = try settledStamps()
      if let lines = try round(before) {
        kata.terminal.clear()
        kata.terminal.show(lines + ["", kata.style.paint("Watching your files. Press Ctrl-C to stop.", .dim)])
      }
      // The files are read every 50 ms after a run, and less and less often at rest, but at least twice a second.
      var pause: UInt32 = 50_000
      while stamps() == before {
        try Interrupt.check()
        usleep(pause)
        pause = min(500_000, pause * 21 / 20)
      }
    }
  }

  /// One run. If the package has lost a folder, the screen says so, and watching goes on.
  private func round(_ before: [String: Stamp]) throws -> [String]? {
    do {
      _ = try Repository(above: kata.repository.root)
      return try BoardCommand(kata: kata, number: number).state(isOutdated: { stamps() != before })?.lines(kata.style)
    } catch let problem as Problem {
      return kata.style.wrap(problem.sentence)
    }
  }

  /// The stamps of the files, once the second of the last save has passed.
  ///
  /// The compiler skips a file whose date is in the same second as at the last build. So a build must not begin in that
  /// second, or a quick second save would never be compiled.
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
    // The suites count as well: a broken suite that has been repaired has to run again.
    Files.stamps(
      below: ["Exercises", "Lessons", "Tests/Lessons", "Tests/Support"].map(kata.repository.path), where: Files.isVisibleText)
  }
}
