/// `kata check`: whether exercises, suites, solutions, patches and pages keep their promises.
struct CheckCommand {
  let context: Context
  /// The lesson that was named; `nil` for all of them.
  let lesson: Int?

  private var lessons: [Int] { lesson.map { [$0] } ?? context.repository.lessons }

  /// Checks everything and prints the table.
  func run() throws -> ExitCode {
    if let lesson { try context.repository.check(lesson: lesson) }
    let scratch = Scratch(repository: context.repository, folder: context.scratchFolder(ofWorker: 1))
    context.terminal.live("Copying …")
    try scratch.sync(lessons: lessons)
    try scratch.touchExercises(ofLessons: lessons)

    var result = CheckResult(lessons: lessons)
    let pages = PagesCheck(repository: context.repository)
    pages.check(&result)
    if lesson == nil {
      for path in ["README.md", ".github/CONTRIBUTING.md", "Lessons/Facilitating.md"] { pages.check(path, &result) }
    }
    if try checkExercises(scratch, &result), try checkSolutions(scratch, &result) {
      try checkPatches(&result)
    }
    context.terminal.show(CheckTable(style: context.style, result: result).lines())
    return result.faults.isEmpty ? .green : .red
  }

  /// - Returns: Whether the package could be built.
  private func checkExercises(_ scratch: Scratch, _ result: inout CheckResult) throws -> Bool {
    let report = try suites(scratch.folder, scratch).run(filter: "Lesson", live: { live("Exercises", $0) })
    let found = BuildOutput.diagnostics(in: report.output)
    guard report.ending != .didNotBuild else {
      let errors = found.filter(\.isError).map { sentence($0, scratch) }
      result.add(errors.isEmpty ? BuildOutput.plainErrors(in: report.output) : errors, .redStart, nil)
      if result.faults.isEmpty { result.add(["The package does not build."], .redStart, nil) }
      return false
    }
    if report.ending != .finished { result.add([ended(report)], .redStart, nil) }
    for number in lessons {
      let folder = "\(scratch.folder)/Exercises/Lesson\(number)/"
      let warnings = found.filter { !$0.isError && $0.file.hasPrefix(folder) }
      result.add(warnings.map { "A warning in " + sentence($0, scratch) }, .redStart, number)
      let progress = report.progress.lesson(number)
      result.red[number] = progress.steps.flatMap(\.tests).count(where: \.hasFailed)
      if report.ending == .finished { result.add(RedStart.faults(in: progress), .redStart, number) }
    }
    return true
  }

  /// - Returns: Whether it makes sense to try patches.
  private func checkSolutions(_ scratch: Scratch, _ result: inout CheckResult) throws -> Bool {
    let report = try suites(scratch.proof, scratch).run(filter: "Solution", live: { live("Solutions", $0) })
    if report.ending == .didNotBuild {
      let errors = BuildOutput.diagnostics(in: report.output).filter(\.isError).map { sentence($0, scratch) }
      let said = errors.isEmpty ? BuildOutput.plainErrors(in: report.output) : errors
      result.add(said.isEmpty ? ["Tests/Package.swift does not build."] : said, .solution, nil)
      return false
    }
    guard report.ending == .finished else {
      result.add([ended(report)], .solution, nil)
      return false
    }
    for number in lessons {
      let progress = report.progress.lesson(number)
      let tests = progress.steps.flatMap(\.tests)
      result.green[number] = progress.passed
      if progress.all == 0 { result.add(["No test ran against the solution."], .solution, number) }
      result.add(
        tests.filter { $0.state != .passed }.map {
          "\"\($0.name)\" fails: \($0.complaints.first?.sentence ?? "no sentence")"
        },
        .solution, number)
    }
    return !result.faults.contains { $0.area == .solution }
  }

  private func checkPatches(_ result: inout CheckResult) throws {
    let patches = lessons.flatMap { lesson in
      Patch.Kind.allCases.flatMap { Patch.all($0, ofLesson: lesson, in: context.repository) }
    }
    result.verdicts = try PatchTrials(context: context).verdicts(on: patches)
    for verdict in result.verdicts {
      result.add(verdict.fault.map { [$0] } ?? [], verdict.patch.kind.area, verdict.patch.lesson)
    }
    for lesson in lessons {
      for kind in Patch.Kind.allCases where !patches.contains(where: { $0.lesson == lesson && $0.kind == kind }) {
        result.add(["There is no patch in Tests/\(kind.rawValue)/Lesson\(lesson)."], kind.area, lesson)
      }
    }
  }

  private func suites(_ package: String, _ scratch: Scratch) -> SuiteRun {
    SuiteRun(package: package, environment: context.environment, folder: "\(scratch.folder)/..")
  }

  private func live(_ what: String, _ line: String) { context.terminal.live("\(what): \(line)") }

  private func sentence(_ found: Diagnostic, _ scratch: Scratch) -> String {
    "\(found.file.replacing(scratch.folder + "/", with: "")):\(found.line): \(found.message)"
  }

  /// What to say about a run that did not finish.
  private func ended(_ report: RunReport) -> String {
    let running = report.progress.running.prefix(5).map(\.name).joined(separator: "; ")
    let reason = CrashReport(output: report.output).reason ?? ""
    return report.ending == .hung
      ? "The tests hang. Running: \(running)" : "The test process crashed. \(reason) Running: \(running)"
  }
}
