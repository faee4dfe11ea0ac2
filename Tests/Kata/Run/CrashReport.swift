/// What a crashed test process left in its output.
///
/// Where Swift prints a backtrace, the frames of the crashed thread name the place and the test. Elsewhere, only the reason
/// is known.
struct CrashReport: Equatable {
  /// What the watchdog of the tests has said: `The test process exited while "one call sends one request" was running. …`
  let verdict: String?
  /// `Fatal error: Index out of range`
  let reason: String?
  /// The nearest line of an exercise or a solution: `Exercises/Lesson1/HTTPManager.swift:41`
  let place: String?
  /// Suite and function of the test that crashed: `Step1Send.sendsUntouched(method:)`
  let test: String?

  /// - Parameter output: Everything that the process printed.
  init(output: String) {
    let thread = output.firstMatch(of: /Thread \d+[^\n]* crashed:\n(?s:(.*?))(?:\nThread \d|$)/)?.1 ?? ""
    let signal = output.firstMatch(of: /unexpected signal code (\d+)/).map { String($0.1) }
    verdict = output.firstMatch(of: /This run has failed: (.)(.*)/).map { $0.1.uppercased() + $0.2 }
    reason = output.firstMatch(of: /Fatal error.*/).map { String($0.0) } ?? signal.map(CrashReport.usualCauses)
    // A fatal error in the exercise itself names its place: `Exercise1/HTTPManager.swift:41: Fatal error`.
    let own = output.firstMatch(of: /Exercise(\w+)(\/[^:\s]+:\d+): Fatal error/).map {
      "Exercises/\(Int($0.1).map(Lesson.folder) ?? String($0.1))\($0.2)"
    }
    place = own ?? thread.firstMatch(of: /\ at ((?:Exercises|Solutions)\/(?!Given)[^:\n]+:\d+)/).map { String($0.1) }
    test = thread.firstMatch(of: /(Step\w+\.\w+\([^)\n]*\)) (?:\+ \d+ )?in\s/).map { String($0.1) }
  }

  /// What a signal usually means, if nothing else is known.
  private static func usualCauses(ofSignal signal: String) -> String {
    switch signal {
    case "4", "5": "Signal \(signal), a trap. Look for code that waits for its own queue, such as `DispatchQueue.main.sync`."
    case "10", "11": "Signal \(signal). Look for endless recursion: code that calls itself again and again."
    default: "Signal \(signal); no reason was given."
    }
  }
}
