/// What a crashed test process left in its output.
struct CrashReport: Equatable {
  /// `Fatal error: Index out of range`
  var reason: String?
  /// The signal that ended it: 4, 5 or 6 for a trap, 11 for a bad address.
  var signal: Int?
  /// The nearest line of an exercise or a solution: `Exercises/Lesson1/HTTPManager.swift:41`
  var place: String?
  /// Suite and function of the test that it happened in: `Step1Send` and `sendsUntouched(method:)`.
  var test: Test?

  struct Test: Equatable {
    let suite: String
    let function: String
  }

  /// - Parameter output: Everything that the process printed. Where Swift prints a backtrace, the frames of the crashed
  ///   thread tell the place and the test; elsewhere only the reason is known.
  init(output: String) {
    var isInCrashedThread = false
    for line in output.split(separator: "\n", omittingEmptySubsequences: false) {
      if reason == nil, let range = line.firstRange(of: "Fatal error: ") ?? line.firstRange(of: "Fatal error") {
        reason = String(line[range.lowerBound...])
        readPlace(before: line[..<range.lowerBound])
      }
      if signal == nil, let range = line.firstRange(of: "unexpected signal code ") {
        signal = Int(line[range.upperBound...].prefix { $0.isNumber })
      }
      if line.hasPrefix("Thread ") { isInCrashedThread = line.hasSuffix("crashed:") }
      if isInCrashedThread { readFrame(line) }
    }
  }

  /// `Exercise1/HTTPManager.swift:41: `, as a fatal error in the code itself has it.
  private mutating func readPlace(before text: Substring) {
    let parts = text.split(separator: ":")
    guard let file = parts.first, file.hasPrefix("Exercise"), parts.count >= 2, let line = Int(parts[1]) else { return }
    place = "\(file):\(line)".replacing("Exercise", with: "Exercises/Lesson", maxReplacements: 1)
  }

  private mutating func readFrame(_ line: Substring) {
    guard let at = line.ranges(of: " at ").last else { return }
    let location = line[at.upperBound...].split(separator: ":")
    guard let file = location.first, location.count >= 2 else { return }
    if place == nil, file.hasPrefix("Exercises/Lesson") || file.hasPrefix("Solutions/Lesson") {
      place = "\(file):\(location[1])"
    }
    let name = file.split(separator: "/").last?.split(separator: ".").first ?? ""
    if test == nil, name.hasPrefix("Step"), let start = line.firstRange(of: "\(name)."),
      let end = line.firstRange(of: ") in ")
    {
      test = Test(suite: String(name), function: String(line[start.upperBound..<end.lowerBound]) + ")")
    }
  }
}
