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
    /// It printed without end, and was stopped.
    case flooded
    /// It was stopped because its result is no longer of interest.
    case outdated
  }

  let ending: Ending
  let progress: SuiteProgress
  /// Everything that was printed while it built and ran. Paths in the package are relative to its root.
  let output: String
}

/// Runs `swift test` and follows its event stream.
struct SuiteRun {
  /// The root of the repository. Paths are reported from here.
  let root: String
  /// The folder of the package, from the root; `nil` for the root itself.
  var package: String?
  let environment: [String: String]
  /// Where the event stream and the output are kept while it runs.
  let folder: String
  /// After how many seconds without a sign of life running tests are stopped. Building may take as long as it likes.
  var silence = 30
  /// More arguments for `swift test`.
  var options: [String] = []

  /// Runs the tests that match a filter.
  ///
  /// - Parameters:
  ///   - filter: As in `swift test --filter`.
  ///   - live: Called with a line about what is going on.
  ///   - isOutdated: Whether to stop, since the result is no longer of interest. Called now and then.
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
    let child = try Child(arguments, environment: environment, output: output)
    var follower = Follower(events: events, output: LineReader(file: output), root: root, silence: silence)
    var stopped: RunReport.Ending?
    var line = ""
    let exit = try child.wait(
      pause: { events.wait(atMost: 20) },
      tick: {
        follower.follow()
        if follower.line != line {
          line = follower.line
          live(line)
        }
        if follower.isSilent { stopped = .hung }
        if follower.isFlooded { stopped = .flooded }
        if isOutdated() { stopped = .outdated }
        if stopped != nil { child.stop() }
      })
    follower.follow()
    // A toolchain that collects the events of several processes may have put a file in the pipe's place.
    if follower.progress.recordCount == 0 { follower.follow(LineReader(file: stream)) }
    let text = stopped == .flooded ? "" : SuiteRun.relative(Files.text(output) ?? "", to: root)
    return RunReport(ending: stopped ?? follower.ending(exit, output: text), progress: follower.progress, output: text)
  }

  /// Removes what a kata has left behind that was killed.
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
