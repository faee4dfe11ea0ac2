// Says why a run did not end by itself.

extension RunReport {
  /// What happened, and what to do next; `nil` if the tests ended.
  var sentence: String? {
    switch ending {
    case .finished, .outdated: return nil
    case .crashed: return CrashReport(output: output).verdict ?? "The test process crashed."
    case .flooded:
      return "The tests printed more than \(SuiteRun.limit / 1_000_000) MB, so the run was stopped. "
        + "Look for an endless loop that prints."
    case .didNotBuild:
      let places = Set(errors.map { RunReport.place(ofFile: $0.file) }).sorted()
      let verb = places.count == 1 ? "does" : "do"
      return places.isEmpty ? "The package could not be built." : "\(places.formattedList) \(verb) not compile."
    }
  }

  /// The errors of the compiler.
  var errors: [Diagnostic] { Diagnostic.errors(in: output) }

  /// What to install if the build failed because of the toolchain; `nil` if it failed for another reason.
  var setupAdvice: String? {
    if output.contains("no such module 'Testing'") || output.contains("plugin for module 'TestingMacros' not found") {
      return "Swift Testing was not found. On a Mac, the Command Line Tools alone are not enough: install Xcode 26 or later, and "
        + "choose it with `sudo xcode-select --switch /Applications/Xcode.app`. On Linux, install a toolchain from "
        + "swift.org/install."
    }
    if output.contains("is using Swift tools version") {
      return "This version of Swift is too old. On a Mac, install Xcode 26 or later. On Linux, install Swift 6.2 or later from "
        + "swift.org/install."
    }
    return nil
  }

  /// What happened, in detail; empty if the tests ended.
  ///
  /// - Parameters:
  ///   - style: What the terminal can show.
  ///   - missing: Exercise files that the solution has and the exercise has not. They may be the reason for a failed build.
  func trouble(_ style: Style, missing: [String]) -> [String] {
    guard let sentence else { return [] }
    let details = ending == .didNotBuild ? buildTrouble(style, missing: missing) : testTrouble(style)
    return style.wrap(sentence).map { style.paint($0, .red) } + details
  }

  private func buildTrouble(_ style: Style, missing: [String]) -> [String] {
    var lines = [""]
    for error in errors.prefix(10) {
      lines += style.wrap("\(error.file):\(error.line)").map { style.paint($0, .bold) }
      lines += style.wrap(error.message, indent: "  ")
    }
    var remarks: [String] = []
    if errors.count > 10 { remarks.append("These are the first 10 of \(errors.count) errors.") }
    if errors.isEmpty {
      // A broken manifest or the linker names no place. Without such an error, the end of the output has to do.
      let said = output.split(separator: "\n").filter { $0 != "error: fatalError" }
      let plain = said.filter { $0.hasPrefix("error: ") }
      lines += (plain.isEmpty ? said.suffix(10) : plain).flatMap { style.wrap(String($0), indent: "  ") }
      if said.isEmpty { remarks.append("`swift test` printed nothing. Check whether the disk is full or .build is read-only.") }
    } else {
      remarks.append("All lessons are built together, so no lesson has results until this is fixed.")
      // A learner's own tests are among the suites, and to restore them would be to lose them.
      if errors.allSatisfy({ $0.file.hasPrefix("Tests/Lessons/") && !Repository.isLearners($0.file) }) {
        remarks.append(
          errors.contains { $0.message.contains("ambiguous") }
            ? "Your code declares a name that the suite uses, too. Rename yours."
            : "The suites use names from Exercises. If you renamed or removed something there, restore it. "
              + "If you edited the suite, run `git restore Tests`.")
      }
    }
    if !missing.isEmpty {
      remarks.append(
        "These files are missing: \(missing.formattedList). If you did not remove them on purpose, restore them with "
          + "`git restore`, or copy them from a fresh download.")
    }
    return lines + (remarks + (setupAdvice.map { [$0] } ?? [])).flatMap { [""] + style.wrap($0) }
  }

  private func testTrouble(_ style: Style) -> [String] {
    var lines: [String] = []
    var running = progress.running
    if ending == .crashed {
      let crash = CrashReport(output: output)
      let reason =
        crash.reason ?? "The test process exited before its tests had finished, but it did not crash. Look for a call to `exit`."
      let place = crash.place.map { style.wrap("at \($0)", indent: "  ") } ?? []
      if crash.verdict == nil { lines += style.wrap(reason, indent: "  ") + place }
      running = running.first { "\($0.id.suite).\($0.id.function)" == crash.test }.map { [$0] } ?? running
    }
    if !running.isEmpty { lines.append(running.count == 1 ? "This test was running:" : "These tests were running:") }
    for test in running.prefix(8) {
      let step = test.id.step.map { "step \($0)" } ?? test.id.suite
      lines += style.wrap("L\(test.id.lesson ?? 0) \(step): \(test.name)", indent: "  ", first: "- ")
    }
    if running.count > 8 { lines.append("  and \(running.count - 8) more") }
    return lines + style.wrap("Tests that did not finish count as failed.")
  }

  /// `Lesson 1` for a file of its exercise, and otherwise what else the file belongs to.
  static func place(ofFile path: String) -> String {
    guard let (_, folder, name) = path.prefixMatch(of: /(Exercises|Solutions|Tests\/Lessons)\/(\w+)/)?.output,
      let lesson = Lesson.number(String(name)).map(Lesson.title)
    else { return path }
    return switch folder {
    case "Exercises": lesson
    case "Solutions": "The solution to \(lesson)"
    default: Repository.isLearners(path) ? "Your test file for \(lesson)" : "The suite for \(lesson)"
    }
  }
}
