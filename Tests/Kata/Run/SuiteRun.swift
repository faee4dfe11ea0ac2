import Foundation

/// What became of `swift test`.
struct RunReport {
  /// How it ended.
  enum Ending: Equatable {
    /// The tests ended, green or red.
    case finished
    case didNotBuild
    case crashed
    /// The tests were silent for so many seconds, and were stopped.
    case hung(seconds: Int)
    /// The tests printed without end, and were stopped.
    case flooded
    /// The run was stopped because its result is no longer of interest.
    case outdated
  }

  let ending: Ending
  let progress: SuiteProgress
  /// Everything that was printed. Paths in the package are relative to its root.
  let output: String
}

/// Runs `swift test` and follows its event stream.
struct SuiteRun {
  /// The root of the repository. Paths are reported from here.
  let root: String
  /// The folder of the package, from the root; `nil` for the root itself.
  var package: String?
  let environment: [String: String]
  /// The folder for the event stream and the output while it runs.
  let folder: String
  /// After how many seconds of silence running tests are stopped.
  var silence = 30
  /// Whether every test runs and reports everything. Plain `swift test` shows one failure at a time.
  var showsAll = true
  /// Whether to stop as soon as a test has failed.
  var stopsAtFirstFailure = false
  /// More arguments for `swift test`.
  var options: [String] = []

  /// Runs the tests that match a filter.
  ///
  /// - Parameters:
  ///   - filter: As in `swift test --filter`.
  ///   - live: Called with a line about what is going on.
  ///   - isOutdated: Whether to stop, since the result is no longer of interest. Called regularly.
  /// - Throws: ``Interrupted``, or a ``Problem`` if `swift` cannot be started.
  func run(
    filter: String, live: (String) -> Void = { _ in }, isOutdated: () -> Bool = { false }
  ) throws -> RunReport {
    removeOldRuns()
    let files = "\(folder)/run-\(ProcessInfo.processInfo.processIdentifier)"
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: files) }
    let (stream, output) = ("\(files)/events", "\(files)/output.txt")

    // The events go through a pipe: `swift test` may start a process for each test target, and each would truncate a file.
    let events = try LineReader(newPipe: stream)
    let arguments =
      ["swift", "test", "--package-path", package.map { "\(root)/\($0)" } ?? root, "--disable-xctest", "--filter", filter]
      + ["--event-stream-output-path", stream, "--event-stream-version", "0"] + options
    var environment = environment
    environment["KATA_ALL"] = showsAll ? "1" : nil
    let child = try Child(arguments, environment: environment, output: output)
    var follower = Follower(events: events, output: LineReader(file: output), root: root, silence: silence)
    var stopped: RunReport.Ending?
    var line = ""
    let status = try child.wait(
      pause: { events.wait(atMost: 20) },
      tick: {
        follower.follow()
        if follower.line != line {
          line = follower.line
          live(line)
        }
        let hasSeenEnough = stopsAtFirstFailure && !follower.progress.failed.isEmpty
        stopped = hasSeenEnough || isOutdated() ? .outdated : follower.trouble
        if stopped != nil { child.stop() }
      })
    follower.follow()
    // A toolchain that collects the events of several processes may have replaced the pipe with a file.
    if follower.progress.recordCount == 0 { follower.follow(LineReader(file: stream)) }
    let text = stopped == .flooded ? "" : SuiteRun.relative(Files.text(output) ?? "", to: root)
    return RunReport(ending: stopped ?? follower.ending(status, output: text), progress: follower.progress, output: text)
  }

  /// Removes what a killed kata has left behind.
  private func removeOldRuns() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix("run-") {
      guard let owner = pid_t(name.dropFirst(4)), owner == getpid() || kill(owner, 0) != 0 else { continue }
      try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    }
  }

  /// A text with the paths below a root shortened. The package in Tests reaches `Solutions` and `Given` through links.
  static func relative(_ text: String, to root: String) -> String {
    text.replacing("\(root)/Tests/Solutions/", with: "Solutions/").replacing("\(root)/Tests/Given/", with: "Exercises/Given/")
      .replacing("\(root)/", with: "")
  }
}
