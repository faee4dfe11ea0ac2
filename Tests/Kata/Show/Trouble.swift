/// Draws what to say when a run did not come to its end.
struct Trouble {
  let style: Style

  /// What does not compile: the lesson, and for each error file, line and message.
  ///
  /// - Parameters:
  ///   - output: What the build has printed.
  ///   - missing: Exercise files that the solution has and the exercise has not. They may be the reason.
  func compileErrors(_ output: String, missing: [String] = []) -> [String] {
    let errors = BuildOutput.diagnostics(in: output).filter(\.isError)
    guard !errors.isEmpty else { return buildFailure(output) + remark(missing) }
    let places = errors.map { Trouble.place(ofFile: $0.file) }
    let affected = Array(Set(places)).sorted().formattedList
    var lines = bad("\(affected) does not compile.") + [""]
    for error in errors.prefix(10) {
      lines += style.wrap("\(error.file):\(error.line)").map { style.paint($0, .bold) }
      lines += style.wrap(error.message, indent: "  ")
    }
    if errors.count > 10 { lines.append("And \(errors.count - 10) more.") }
    return lines + [""]
      + style.wrap(
        "All lessons are built together, so there are no results for the others either until this is mended.")
      + remark(missing)
  }

  /// That the process died, why and where as far as is known, and the tests that were running.
  func crash(_ report: CrashReport, running: [TestProgress]) -> [String] {
    var lines = bad("The test process crashed.")
    if let reason = report.reason ?? report.signal.map({ "Signal \($0), without a reason." }) {
      lines += style.wrap(reason, indent: "  ")
    }
    if let place = report.place { lines += style.wrap("at \(place)", indent: "  ") }
    let culprit = running.first { CrashReport.Test(suite: $0.id.suite, function: $0.id.function ?? "") == report.test }
    lines += list(culprit.map { [$0] } ?? running)
    return lines + style.wrap("Tests that had not ended count as not passed. A crash takes all of them down with it.")
  }

  /// That the process was stopped, and the tests that were running.
  func hang(silence: Int, running: [TestProgress]) -> [String] {
    bad("The tests hang: for \(silence) seconds nothing was heard of them, so they were stopped.") + list(running)
      + style.wrap("An endless loop or a wait that never ends does this. Tests that had not ended count as not passed.")
  }

  /// That exercise files are missing, which may be the reason or not.
  private func remark(_ missing: [String]) -> [String] {
    guard let file = missing.first else { return [] }
    let (files, restore) =
      missing.count == 1
      ? ("\(file) is missing. If you did not mean to remove it", "git restore \(file)")
      : (
        "\(file) and \(missing.count - 1) more are missing. If you did not mean to remove them",
        "git ls-files -zd | xargs -0 git restore"
      )
    return [""] + style.wrap("\(files), `\(restore)` brings back what is gone; without git, copy it from a fresh download.")
  }

  private func list(_ tests: [TestProgress]) -> [String] {
    guard !tests.isEmpty else { return [] }
    var lines = [tests.count == 1 ? "This test was running:" : "These tests were running:"]
    for test in tests.prefix(8) {
      let lesson = test.id.lesson.map { "L\($0) " } ?? ""
      let step = test.id.step.map { "step \($0)" } ?? test.id.suite
      lines += style.wrap("\(lesson)\(step): \(test.name)", indent: "  ", first: "- ")
    }
    if tests.count > 8 { lines.append("  and \(tests.count - 8) more") }
    return lines
  }

  private func buildFailure(_ output: String) -> [String] {
    let errors = BuildOutput.plainErrors(in: output)
    let said = errors.isEmpty ? output.split(separator: "\n").suffix(10).map(String.init) : errors
    return bad("The package could not be built.") + [""] + said.flatMap { style.wrap($0, indent: "  ") }
  }

  private func bad(_ sentence: String) -> [String] {
    style.wrap(sentence).map { style.paint($0, .red) }
  }

  /// `Lesson 1` for a file of its exercise, and otherwise what else the file belongs to.
  static func place(ofFile path: String) -> String {
    let parts = path.split(separator: "/").map(String.init)
    let lesson = parts.lazy.compactMap { TestID.number(in: $0, after: "Lesson") }.first
    switch (parts.first, lesson) {
    case ("Exercises", let lesson?): return "Lesson \(lesson)"
    case ("Solutions", let lesson?): return "The solution of lesson \(lesson)"
    case ("Tests", let lesson?): return "The suite of lesson \(lesson)"
    default: return path
    }
  }
}
