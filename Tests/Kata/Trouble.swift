// Says why a run has no results.

extension Board {
  /// Why the test process has ended too early.
  var crash: [String] {
    // What the tests' support has said about a run that hangs.
    let said = run.output.firstMatch(of: /This run has failed: (.)(.*)/).map { $0.1.uppercased() + $0.2 }
    if let verdict = run.verdict ?? said { return terminal.wrap(verdict, "", .red) }

    // Swift says where it has trapped. Where it prints a backtrace, the frames of the crashed thread say it, too.
    let reason = run.output.firstMatch(of: /.*Fatal error.*/).map { String($0.0) }
    let signal = run.output.firstMatch(of: /unexpected signal code (\d+)/).map {
      "It ended with signal \($0.1). See Lessons/Troubleshooting.md, section \"When a run ends without results\"."
    }
    let thread = run.output.firstMatch(of: /Thread \d[^\n]* crashed:\n(?s:(.*?))(?:\nThread \d|$)/)?.1 ?? ""
    let place = thread.firstMatch(of: /\ at ((?:Exercises|Tests\/Lessons)\/(?!Given)[^:\n]+:\d+)/).map { "at \($0.1)" }
    // The tests of a lesson take turns, so the first that has not ended was running, and the others were waiting.
    let running = lessons.filter { place?.contains("/\($0.folder)/") ?? true }.compactMap { lesson in
      run.tests.first { $0.lesson == lesson.folder && $0.state == .running }.map {
        "while \"\($0.name)\" was running (\(lesson.title), \(run.title(of: $0)))"
      }
    }
    let details = [reason ?? signal, place].compactMap { $0 } + running
    return terminal.wrap("The test process crashed.", "", .red) + details.flatMap { terminal.wrap($0, "  ") }
  }

  /// The errors of the compiler, ten at most, or else what the build says.
  var buildErrors: [String] {
    var errors: [(file: String, line: Int, message: String)] = []
    for match in run.output.matches(of: /(?m)^(?!macro expansion )([^\s:][^:\n]*):(\d+):\d+: error: (.*)/) {
      let error = (file: String(match.1), line: Int(match.2) ?? 0, message: String(match.3))
      if !errors.contains(where: { $0 == error }) { errors.append(error) }
    }
    var lines = terminal.wrap("The code does not compile.", "", .red) + [""]
    for error in errors.prefix(10) {
      lines += terminal.wrap("\(error.file):\(error.line)", "", .bold) + terminal.wrap(error.message, "  ")
    }
    var remarks: [String] = []
    if errors.count > 10 { remarks.append("These are the first 10 of \(errors.count) errors.") }
    if errors.isEmpty {
      // A broken manifest or the linker names no place. Without such a line, the end of the output has to do.
      let said = run.output.split(separator: "\n").map(String.init)
      let plain = said.filter { $0.hasPrefix("error: ") && !$0.contains(/: (fatalError|ExitCode\()/) }
      lines += (plain.isEmpty ? Array(said.suffix(10)) : plain).flatMap { terminal.wrap($0, "  ") }
    } else {
      remarks.append("All lessons are built together, so no lesson has results until this is fixed.")
    }
    if run.output.contains(/no such module 'Testing'|plugin for module 'TestingMacros' not found/) {
      remarks = [
        "On a Mac, the Command Line Tools alone are not enough: install Xcode 26 or later, and choose it with "
          + "`sudo xcode-select --switch /Applications/Xcode.app`."
      ]
    } else if !errors.isEmpty, errors.allSatisfy({ $0.file.hasPrefix("Tests/") && !Repository.isLearners($0.file) }) {
      remarks.append(
        "The suites use names from Exercises. If you renamed or removed something there, restore it. "
          + "If a name is ambiguous, rename yours.")
    }
    if !missing.isEmpty {
      remarks.append("Missing: \(missing.joined(separator: ", ")). If you did not remove that on purpose, restore it.")
    }
    return lines + (remarks.isEmpty ? [] : [""] + terminal.wrap(remarks.joined(separator: " ")))
  }
}
