import Foundation

/// What became of `swift test`.
struct RunReport {
  /// How it ended.
  enum Ending: Equatable {
    /// The tests came to their end, green or red.
    case finished
    case didNotBuild
    case crashed
    /// Nothing was heard for too long, and it was stopped.
    case hung
    /// It was stopped because its result is of no interest any more.
    case outdated
  }

  let ending: Ending
  let progress: SuiteProgress
  /// Everything that was printed while it built and ran.
  let output: String
}

/// Runs `swift test` and follows its event stream.
struct SuiteRun {
  /// The folder of the package.
  let package: String
  let environment: [String: String]
  /// Where the event stream and the output are kept while it runs.
  let folder: String
  /// After how many seconds without an event running tests are stopped. Building may take as long as it likes.
  var silence = 30
  /// More arguments for `swift test`.
  var options: [String] = []

  /// Runs the tests that match a filter.
  ///
  /// - Parameters:
  ///   - filter: As in `swift test --filter`.
  ///   - live: Called with a line about what is going on.
  ///   - isOutdated: Whether to stop, since the result is of no interest any more. Asked now and then.
  /// - Throws: ``Interrupted``, or a ``Problem`` when `swift` cannot be started.
  func run(
    filter: String, live: (String) -> Void = { _ in }, isOutdated: () -> Bool = { false }
  ) throws -> RunReport {
    let files = "\(folder)/run-\(ProcessInfo.processInfo.processIdentifier)"
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: files) }
    let (events, output) = ("\(files)/events.jsonl", "\(files)/output.txt")
    try? FileManager.default.removeItem(atPath: events)

    let arguments =
      ["swift", "test", "--package-path", package, "--disable-xctest", "--filter", filter]
      + ["--event-stream-output-path", events, "--event-stream-version", "0"] + options
    let child = try Child(arguments, environment: environment, output: output)
    var follower = Follower(events: events, output: output, silence: silence)
    var stopped: RunReport.Ending?
    let exit = try child.wait {
      follower.follow()
      live(follower.line)
      if follower.isSilent { stopped = .hung }
      if follower.ticks % 10 == 0, isOutdated() { stopped = .outdated }
      if stopped != nil { child.stop() }
    }
    follower.follow()
    let text = Files.text(output) ?? ""
    return RunReport(ending: stopped ?? follower.ending(exit, output: text), progress: follower.progress, output: text)
  }
}
