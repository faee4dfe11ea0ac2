/// Follows a running `swift test`: what it prints while it builds, and its events once tests run.
struct Follower {
  private(set) var progress = SuiteProgress()
  /// How often it has looked.
  private(set) var ticks = 0
  private var events: LineReader
  private var output: LineReader
  private var building = "Building"
  private var lastRecord = ContinuousClock.now
  private let silence: Duration

  /// - Parameters:
  ///   - events: The file of the event stream.
  ///   - output: The file of the output.
  ///   - silence: How many seconds without an event are too many.
  init(events: String, output: String, silence: Int) {
    self.events = LineReader(path: events)
    self.output = LineReader(path: output)
    self.silence = .seconds(silence)
  }

  /// Reads what is new.
  mutating func follow() {
    ticks += 1
    let lines = events.next()
    for line in lines { progress.read(line) }
    if !lines.isEmpty { lastRecord = .now }
    guard progress.recordCount == 0 else { return }
    for line in output.next().map({ String(decoding: $0, as: UTF8.self) }) {
      if line.contains("Another instance of SwiftPM") {
        building = "Waiting for another swift command to end"
      } else if let fraction = BuildOutput.fraction(in: line) {
        building = "Building \(fraction)"
      }
    }
  }

  /// What is going on, in a line.
  var line: String {
    let count = progress.count
    return progress.recordCount == 0 ? "\(building) …" : "Testing \(count.ended) of \(count.all) …"
  }

  /// Whether tests run and nothing has been heard of them for too long.
  var isSilent: Bool {
    progress.hasStarted && lastRecord.duration(to: .now) > silence
  }

  /// What an exit means.
  ///
  /// - Parameters:
  ///   - exit: How `swift test` ended by itself.
  ///   - output: All that it printed.
  func ending(_ exit: Child.Ending, output: String) -> RunReport.Ending {
    if progress.hasEnded || exit == .exit(0) { return .finished }
    let hasBuilt = progress.recordCount > 0 || output.contains("Build complete!")
    return hasBuilt ? .crashed : .didNotBuild
  }
}
