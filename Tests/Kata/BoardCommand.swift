import Foundation

extension Kata {
  /// `kata`, `kata 3` and `kata 3.2`: runs the suites once and shows the board.
  func board(_ lesson: Lesson?, step: Int?) throws -> Int32 {
    let board = try result(lesson, step: step)
    terminal.show(board.lines)
    return board.exitCode
  }

  /// Runs the suites and remembers the results.
  ///
  /// - Parameters:
  ///   - named: The lesson that was named; `nil` for all of them.
  ///   - step: The step that was named; `nil` for all of them.
  ///   - goesOn: Whether the result is still of interest. Called regularly.
  private func result(_ named: Lesson?, step: Int? = nil, while goesOn: () -> Bool = { true }) throws -> Board {
    if let named, let step, named.page.step(step) == nil {
      throw Problem("\(named.pagePath) has no step \(step).", exitCode: 64)
    }
    let lessons = repository.lessons
    let shown = named.map { [$0] } ?? lessons
    // Lesson 6 begins with a step 0, which has to stay green in every other step.
    let filters = shown.map { $0.filter + (step.map { "Step[0\($0)]" } ?? "") }
    let run = try test(filters.joined(separator: "|"), while: goesOn)

    var state = State(path: statePath)
    state.notice(lessons, named: named)
    if run.ending == .finished, step == nil {
      for lesson in shown { state.note(run.steps(of: lesson), of: lesson) }
    }
    state.save(path: statePath)
    let current = state.current(among: lessons)
    return Board(
      run: run, lessons: shown, current: current, step: step, next: state.next(after: current, among: lessons),
      missing: lessons.flatMap(\.missing), terminal: terminal, text: repository.text)
  }

  /// `kata watch`: the board again on every save, until Ctrl-C.
  func watch(_ lesson: Lesson?) throws {
    while true {
      var dates = dates()
      // The compiler skips a file that has been saved in the second of the last build. So no build begins in the second of a save.
      while (dates.values.max() ?? 0).rounded(.down) == Date().timeIntervalSince1970.rounded(.down) {
        usleep(20_000)
        dates = self.dates()
      }
      let board = try result(lesson.map { try repository.lesson($0.word) }, while: { self.dates() == dates })
      if self.dates() == dates {
        terminal.clear()
        terminal.show(board.lines + ["", terminal.paint("Watching your files. Press Ctrl-C to stop.", .dim)])
      }
      while self.dates() == dates { usleep(200_000) }
    }
  }

  /// When each file was saved that can change what the board says.
  private func dates() -> [String: Double] {
    let files = ["Exercises", "Tests/Lessons", "Tests/Support"].flatMap { repository.files($0, "swift") }
    return Dictionary(uniqueKeysWithValues: (files + repository.files("Lessons", "md")).map { ($0, repository.date($0)) })
  }
}
