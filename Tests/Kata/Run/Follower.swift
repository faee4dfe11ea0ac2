import Foundation

/// Follows a running `swift test`: what it prints, and the events of its tests.
struct Follower {
  private(set) var progress = SuiteProgress()
  private let events: LineReader
  private let output: LineReader
  private let root: String
  private let silence: Duration
  private let limit: Int
  private var building = "Building"
  private var isTesting = false
  private var lastSign = ContinuousClock.now

  /// - Parameters:
  ///   - events: The event stream.
  ///   - output: What `swift test` prints.
  ///   - root: The root of the repository. Complaints name files from here.
  ///   - silence: The longest time, in seconds, that running tests may be silent.
  ///   - limit: How many bytes a run may print.
  init(events: LineReader, output: LineReader, root: String, silence: Int, limit: Int = Follower.limit) {
    self.events = events
    self.output = output
    self.root = root
    self.limit = limit
    self.silence = .seconds(silence)
  }

  /// Reads what is new.
  ///
  /// - Parameter stream: Where to read events from, if not from where they come as a rule.
  mutating func follow(_ stream: LineReader? = nil) {
    let records = (stream ?? events).next()
    for record in records { progress.read(record, root: root) }
    let lines = isFlooded ? [] : output.next()
    if !records.isEmpty || !lines.isEmpty { lastSign = .now }
    if !isTesting { for line in lines + [output.unfinished] { read(String(decoding: line, as: UTF8.self)) } }
    isTesting = isTesting || progress.recordCount > 0
  }

  private mutating func read(_ line: String) {
    if line.contains("Another instance of SwiftPM") {
      building = "Waiting for another swift command to end"
    } else if let fraction = BuildOutput.fraction(in: line) {
      building = "Building \(fraction)"
    } else if line.contains("Test run started.") {
      // Toolchains that deliver all events at the end still print this line in time.
      isTesting = true
    }
  }

  /// What is going on, in a line.
  var line: String {
    let count = progress.count
    if !isTesting { return "\(building) …" }
    return count.all == 0 ? "Testing …" : "Testing \(count.ended) of \(count.all) …"
  }

  /// Whether more has been printed than anybody can read.
  var isFlooded: Bool { output.count > limit }

  /// How many bytes a run may print: 50 MB. All lessons together print two.
  static let limit = 50_000_000

  /// Whether tests are running, and have been silent for too long.
  var isSilent: Bool { isTesting && lastSign.duration(to: .now) > silence }

  /// What an exit means.
  ///
  /// - Parameters:
  ///   - exit: How `swift test` ended by itself.
  ///   - output: All that it printed.
  func ending(_ exit: Child.Ending, output: String) -> RunReport.Ending {
    if progress.hasEnded || progress.recordCount == 0 && exit == .exit(0) { return .finished }
    let hasBuilt = progress.recordCount > 0 || output.contains("Build complete!")
    return hasBuilt ? .crashed : .didNotBuild
  }
}
