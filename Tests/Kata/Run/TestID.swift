/// The parts of an ID such as `Lesson1.Step2Authorize/refreshesFirst()/Step2Authorize.swift:48:4`.
struct TestID: Equatable {
  /// `Lesson1`
  let module: String
  /// `Step2Authorize`; empty for a test outside of any suite
  let suite: String
  /// `refreshesFirst()`
  let function: String
  /// The name of the file, `Step2Authorize.swift`, and the line on which the test starts.
  let file: String
  let line: Int

  /// - Parameter text: The ID, as in the event stream.
  init?(_ text: String) {
    guard let match = text.wholeMatch(of: /([^.\/]+)\.(?:(.+)\/)?([^\/]+)\/([^\/]+):(\d+):\d+/) else { return nil }
    (module, suite, function, file) = (String(match.1), match.2.map(String.init) ?? "", String(match.3), String(match.4))
    line = Int(match.5) ?? 0
  }

  /// The number of the lesson to whose suite the test belongs.
  var lesson: Int? { Lesson.number(module) }

  /// The number in `Step2Authorize`.
  var step: Int? { Self.number(in: suite, after: "Step") }

  /// The number that follows a word at the beginning of a name: 2 in `Step2Authorize`.
  static func number(in name: some StringProtocol, after word: String) -> Int? {
    name.hasPrefix(word) ? Int(name.dropFirst(word.count).prefix { $0.isNumber }) : nil
  }
}
