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
    if errors.allSatisfy({ $0.file.hasPrefix("Tests/Lessons/") }) {
      lines += [""]
      lines += style.wrap(
        "A suite finds what it needs by its name. If you have renamed or removed something in Exercises, give it its old name "
          + "back; if you have edited the suite, `git restore Tests` brings it back.")
    }
    return lines + setup(output) + [""]
      + style.wrap(
        "All lessons are built together, so there are no results for the others either until this is mended.")
      + remark(missing)
  }

  /// That the process died, why and where as far as is known, and the tests that were running.
  func crash(_ report: CrashReport, running: [TestProgress]) -> [String] {
    var lines = bad("The test process crashed.")
    let signal = report.signal.map { "Signal \($0), without a reason." }
    lines += style.wrap(
      report.reason ?? signal ?? "It ended before its tests did, without a signal. Does something call `exit`?", indent: "  ")
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

  /// That the process was stopped because of what it printed, and the tests that were running.
  func flood(running: [TestProgress]) -> [String] {
    bad("The tests printed more than \(Follower.limit / 1_000_000) MB, so they were stopped.") + list(running)
      + style.wrap("Look for a loop that prints and never ends. Tests that had not ended count as not passed.")
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
    return [""] + style.wrap("\(files), run `\(restore)`; without git, copy what is missing from a fresh download.")
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
    guard !said.isEmpty else {
      return bad("`swift test` ended without a word. Is there room on the disk, and may files be written in .build?")
    }
    return bad("The package could not be built.") + [""] + said.flatMap { style.wrap($0, indent: "  ") } + setup(output)
  }

  /// What to install, for the setups that cannot work.
  private func setup(_ output: String) -> [String] {
    Trouble.setup(output).map { [""] + style.wrap($0) } ?? []
  }

  /// What to install if the build failed because of the toolchain; `nil` if it failed for another reason.
  static func setup(_ output: String) -> String? {
    if output.contains("no such module 'Testing'") || output.contains("plugin for module 'TestingMacros' not found") {
      return "Swift Testing was not found. On a Mac, the Command Line Tools alone are not enough: install Xcode 26 or later, and "
        + "choose it with `sudo xcode-select --switch /Applications/Xcode.app`. On Linux, install a toolchain from "
        + "swift.org/install."
    }
    if output.contains("is using Swift tools version") {
      return "This Swift is too old: 6.2 or later is needed. On a Mac, it comes with Xcode 26. On Linux, see swift.org/install."
    }
    return nil
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
