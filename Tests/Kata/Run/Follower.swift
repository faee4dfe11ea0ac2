/// Follows a running `swift test`: what it prints, and the events of its tests.
struct Follower {
  private(set) var progress = SuiteProgress()
  private let events: LineReader
  private let output: LineReader
  private let root: String
  private let silence: Int
  private let limit: Int
  private var building = "Building"
  private var isTesting = false
  private var lastSign = ContinuousClock.now

  /// How many bytes a run may print: 50 MB. All lessons together print two.
  static let limit = 50_000_000

  /// - Parameters:
  ///   - events: The event stream.
  ///   - output: What `swift test` prints.
  ///   - root: The root of the repository. Complaints name files from here.
  ///   - silence: The longest time, in seconds, for which running tests may be silent.
  ///   - limit: How many bytes a run may print.
  init(events: LineReader, output: LineReader, root: String, silence: Int, limit: Int = Follower.limit) {
    self.events = events
    self.output = output
    self.root = root
    self.limit = limit
    self.silence = silence
  }

  /// Reads what is new.
  ///
  /// - Parameter stream: Where to read events from, if not from the usual place.
  mutating func follow(_ stream: LineReader? = nil) {
    let records = (stream ?? events).next()
    for record in records { progress.read(record, root: root) }
    let lines = output.count > limit ? [] : output.next()
    if !records.isEmpty || !lines.isEmpty { lastSign = .now }
    if !isTesting { for line in lines + [output.unfinished] { read(String(decoding: line, as: UTF8.self)) } }
    isTesting = isTesting || progress.recordCount > 0
  }

  private mutating func read(_ line: String) {
    if line.contains("Another instance of SwiftPM") {
      building = "Waiting for another swift command to finish"
    } else if let fraction = line.firstMatch(of: /\[(\d+\/\d+)\]/) {
      building = "Building \(fraction.1)"
    } else if line.contains("Test run started.") {
      // Toolchains that deliver all events at the end still print this line in time.
      isTesting = true
    }
  }

  /// What is going on, in a line.
  var line: String {
    let count = progress.count
    return !isTesting ? building : count.all == 0 ? "Testing" : "Testing \(count.ended) of \(count.all)"
  }

  /// Why the run has to be stopped; `nil` as long as it may go on. Building may take as long as it needs.
  var trouble: RunReport.Ending? {
    if output.count > limit { return .flooded }
    return isTesting && lastSign.duration(to: .now) > .seconds(silence) ? .hung(seconds: silence) : nil
  }

  /// What an exit means.
  ///
  /// - Parameters:
  ///   - status: The exit code of a `swift test` that was not stopped.
  ///   - output: Everything that it printed.
  func ending(_ status: Int32, output: String) -> RunReport.Ending {
    if progress.hasEnded || progress.recordCount == 0 && status == 0 { return .finished }
    return progress.recordCount > 0 || output.contains("Build complete!") ? .crashed : .didNotBuild
  }
}
