import Foundation

/// What became of `swift test`.
struct RunReport {
  /// How it ended.
  enum Ending: Equatable {
    /// The tests ended, green or red.
    case finished
    case didNotBuild
    case crashed
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

extension RunReport.Ending {
  /// What an exit means.
  ///
  /// - Parameters:
  ///   - status: The exit code of a `swift test` that was not stopped.
  ///   - progress: What it has reported.
  ///   - output: Everything that it printed.
  init(status: Int32, progress: SuiteProgress, output: String) {
    let hasRun = !progress.tests.isEmpty || output.contains("Build complete!")
    self = progress.hasEnded || progress.tests.isEmpty && status == 0 ? .finished : hasRun ? .crashed : .didNotBuild
  }
}

/// Runs `swift test` and reads its event stream.
///
/// A run that never ends, or that ends too early, is the business of the watchdog in the tests' support.
struct SuiteRun {
  /// The root of the package. Paths are reported from here.
  let root: String
  let environment: [String: String]
  /// More arguments for `swift test`.
  var options: [String] = []

  /// How many bytes a run may print: 50 MB. All lessons together print two.
  static let limit = 50_000_000

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
    let files = FileManager.default.temporaryDirectory.appending(path: "kata-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: files) }
    let (stream, output) = ("\(files)/events.jsonl", "\(files)/output.txt")

    // One file is enough: by default, a toolchain runs all tests in one process (6.2 and 6.3), or collects the events of several
    // (from 6.4 on).
    let arguments =
      ["swift", "test", "--package-path", root, "--disable-xctest", "--filter", filter]
      + ["--event-stream-output-path", stream, "--event-stream-version", "0"] + options
    // Every test runs and reports everything, and it is the exercises that are judged.
    let environment = environment.merging(["KATA_ALL": "1"]) { $1 }.filter { $0.key != "KATA_PROOF" }
    let child = try Child(arguments, environment: environment, output: output)
    var stopped: RunReport.Ending?
    var line = ""
    let status = try child.wait {
      let now = Files.stamp(stream)?.size ?? 0 > 0 ? "Testing" : SuiteRun.activity(Files.end(output))
      if now != line {
        line = now
        live(line)
      }
      stopped = isOutdated() ? .outdated : Files.stamp(output)?.size ?? 0 > SuiteRun.limit ? .flooded : nil
      if stopped != nil { child.stop() }
    }
    var progress = SuiteProgress()
    for line in (Files.text(stream) ?? "").split(separator: "\n") { progress.read(Data(line.utf8), root: root) }
    let text = stopped == .flooded ? "" : (Files.text(output) ?? "").replacing("\(root)/", with: "")
    return RunReport(
      ending: stopped ?? RunReport.Ending(status: status, progress: progress, output: text), progress: progress, output: text)
  }

  /// What `swift test` is doing.
  ///
  /// - Parameter output: The end of what it has printed.
  static func activity(_ output: String) -> String {
    if output.contains("Build complete!") { return "Testing" }
    if let step = output.matches(of: /\[(\d+\/\d+)\]/).last { return "Building \(step.1)" }
    return output.contains("Another instance of SwiftPM") ? "Waiting for another swift command to finish" : "Building"
  }
}
