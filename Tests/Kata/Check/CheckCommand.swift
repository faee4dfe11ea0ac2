/// `kata check`: whether exercises, suites, solutions, variants and pages keep their promises.
struct CheckCommand {
  let kata: Kata
  /// The lesson that was named; `nil` for all of them.
  let number: Int?

  /// Checks everything and prints the table.
  func run() throws -> ExitCode {
    let lessons = try kata.repository.lessons(number)
    let numbers = lessons.map(\.number)
    var report = CheckReport(lessons: numbers)
    report.columns[.page] = PagesCheck(repository: kata.repository).column(lessons, withOthers: number == nil)

    kata.terminal.live("Copying …")
    let scratch = Scratch(kata: kata, worker: 1)
    try scratch.sync(lessons: numbers)
    try scratch.touchExercises(ofLessons: numbers)
    let exercises = try exercises(numbers, scratch)
    report.columns[.redStart] = exercises.column
    if exercises.hasRun {
      let solutions = try solutions(numbers, scratch)
      report.columns[.solution] = solutions
      if solutions.isFine {
        report.columns.merge(try VariantTrials(kata: kata).columns(numbers)) { $1 }
      }
    }
    kata.terminal.show(report.lines(kata.style))
    return report.faultCount == 0 ? .green : .red
  }

  /// Judges the start of each lesson: it compiles without warnings and is red in every step, with sentences.
  private func exercises(_ numbers: [Int], _ scratch: Scratch) throws -> (column: Column, hasRun: Bool) {
    let report = try scratch.exercises.run(filter: "Lesson", live: { kata.terminal.live("Exercises: \($0)") })
    var column = Column(faults: CheckCommand.faults(of: report))
    guard report.ending != .didNotBuild else { return (column, false) }
    let warnings = BuildOutput.diagnostics(in: report.output).filter { !$0.isError }
    for number in numbers {
      let progress = report.progress.lesson(number, withUnchanged: true)
      let red = progress.steps.flatMap(\.tests).count(where: \.hasFailed)
      let own = warnings.filter { $0.file.hasPrefix("Exercises/Lesson\(number)/") }
      column.lessons[number] = Finding(
        faults: own.map { "A warning in \($0.sentence)" } + (report.ending == .finished ? RedStart.faults(in: progress) : []),
        count: red, text: "\(red) red")
    }
    return (column, true)
  }

  /// Judges the solutions: every test passes.
  private func solutions(_ numbers: [Int], _ scratch: Scratch) throws -> Column {
    let report = try scratch.proof.run(filter: "Solution", live: { kata.terminal.live("Solutions: \($0)") })
    var column = Column(faults: CheckCommand.faults(of: report))
    guard report.ending == .finished else { return column }
    for number in numbers {
      let progress = report.progress.lesson(number, withUnchanged: true)
      let failed = progress.steps.flatMap(\.tests).filter { $0.state != .passed }
      column.lessons[number] = Finding(
        faults: (progress.all == 0 ? ["No test ran against the solution."] : [])
          + failed.map { "\"\($0.name)\" fails: \($0.complaints.first?.sentence ?? "no sentence")" },
        count: progress.passed, text: "\(progress.passed) green")
    }
    return column
  }

  /// What to say about a run that did not come to its end.
  static func faults(of report: RunReport) -> [String] {
    let running = "Running: \(report.progress.running.prefix(5).map(\.name).joined(separator: "; "))"
    switch report.ending {
    case .finished, .outdated: return []
    case .hung: return ["The tests hang. \(running)"]
    case .flooded: return ["The tests print without end. \(running)"]
    case .crashed: return ["The test process crashed. \(CrashReport(output: report.output).reason ?? "") \(running)"]
    case .didNotBuild:
      let errors = BuildOutput.diagnostics(in: report.output).filter(\.isError).map(\.sentence)
      let said = errors.isEmpty ? BuildOutput.plainErrors(in: report.output) : errors
      return said.isEmpty ? ["The package does not build."] : said
    }
  }
}
