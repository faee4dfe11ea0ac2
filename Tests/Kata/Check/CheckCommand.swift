/// `kata check`: whether exercises, suites, solutions, variants and pages do what they should.
struct CheckCommand {
  let kata: Kata
  /// The lesson that was named; `nil` for all of them.
  let number: Int?

  /// Checks everything and prints the table.
  func run() throws -> ExitCode {
    let lessons = try kata.repository.lessons(number)
    let numbers = lessons.map(\.number)
    kata.terminal.live("Copying")
    let scratch = Scratch(kata: kata, worker: 1)
    try scratch.sync(lessons: numbers)

    var findings = try exercises(numbers, scratch)
    // A variant of a solution that is not green proves nothing.
    var proven: [Int] = []
    if findings.contains(where: { $0.lesson != nil }) {
      let solutions = try solutions(numbers, scratch)
      proven = solutions.filter(\.faults.isEmpty).compactMap(\.lesson)
      findings += solutions
    }
    findings += try VariantTrials(kata: kata).findings(numbers, proven: proven)
    findings += try PagesCheck(kata: kata).findings(lessons, withOthers: number == nil)
    let report = CheckReport(lessons: numbers, findings: findings)
    kata.terminal.show(report.lines(kata.style))
    return report.faultCount == 0 ? .green : .red
  }

  /// Judges the start of each lesson: it compiles without warnings and is red in every step, with sentences.
  private func exercises(_ numbers: [Int], _ scratch: Scratch) throws -> [Finding] {
    // The compiler repeats its warnings only for files that it reads again.
    for number in numbers { try scratch.touch("Exercises/Lesson\(number)") }
    let report = try scratch.exercises.run(filter: "Lesson", live: { kata.terminal.live("Exercises: \($0)") })
    if let faults = report.checkFaults { return [Finding(area: .redStart, lesson: nil, faults: faults)] }
    var plain = scratch.exercises
    plain.showsAll = false
    let first = try plain.run(filter: "Lesson", live: { kata.terminal.live("One failure at a time: \($0)") })
    let warnings = Diagnostic.all(in: report.output)
    return numbers.map { number in
      let progress = report.progress.lesson(number, withUnchanged: true)
      let red = progress.steps.flatMap(\.tests).count(where: \.hasFailed)
      let own = warnings.filter { $0.file.hasPrefix("Exercises/Lesson\(number)/") }
      let faults =
        own.map { "A warning in \($0.file):\($0.line): \($0.message)" } + RedStart.faults(in: progress)
        + RedStart.faults(inPlainRunOf: first.progress.lesson(number, withUnchanged: true))
      return Finding(area: .redStart, lesson: number, faults: faults, count: red, text: "\(red) red")
    }
  }

  /// Judges the solutions: every test passes.
  private func solutions(_ numbers: [Int], _ scratch: Scratch) throws -> [Finding] {
    let report = try scratch.proof.run(filter: "Solution", live: { kata.terminal.live("Solutions: \($0)") })
    if let faults = report.checkFaults { return [Finding(area: .solution, lesson: nil, faults: faults)] }
    return numbers.map { number in
      let progress = report.progress.lesson(number, withUnchanged: true)
      let failed = progress.steps.flatMap(\.tests).filter { $0.state != .passed }
      let faults = failed.map { "\"\($0.name)\" fails: \($0.complaints.first?.sentence ?? "it gives no reason.")" }
      return Finding(
        area: .solution, lesson: number, faults: progress.all == 0 ? ["No tests ran against the solution."] : faults,
        count: progress.passed, text: "\(progress.passed) green")
    }
  }
}

extension RunReport {
  /// What is wrong with a run that did not end by itself; `nil` if it did.
  var checkFaults: [String]? {
    guard let sentence else { return nil }
    if ending == .didNotBuild { return [sentence] + errors.map { "\($0.file):\($0.line): \($0.message)" } }
    let running = progress.running.prefix(5).map(\.name).joined(separator: "; ")
    return ["\(sentence) \(CrashReport(output: output).reason ?? "") These tests were running: \(running)"]
  }
}
