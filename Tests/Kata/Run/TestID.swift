import Foundation

/// The parts of an ID such as `Lesson1.Step2Authorize/refreshesFirst()/Step2Authorize.swift:48:4`.
struct TestID: Equatable {
  /// `Lesson1`
  let module: String
  /// `Step2Authorize`
  let suite: String
  /// `refreshesFirst()`; `nil` for a suite.
  let function: String?
  /// The line that the test starts at, for the order of a file; 0 for a suite.
  let line: Int

  /// - Parameter text: The ID as the event stream has it.
  init?(_ text: String) {
    var parts = text.split(separator: "/").map(String.init)
    guard let first = parts.first, let dot = first.firstIndex(of: ".") else { return nil }
    module = String(first[..<dot])
    suite = String(first[first.index(after: dot)...])
    if parts.count > 2, let place = parts.popLast()?.split(separator: ":"), place.count == 3 {
      line = Int(place[1]) ?? 0
      function = parts.last
    } else {
      line = 0
      function = nil
    }
  }

  /// The number in `Lesson1` and in `Solution1Tests`.
  var lesson: Int? { Self.number(in: module, after: "Lesson") ?? Self.number(in: module, after: "Solution") }

  /// The number in `Step2Authorize`.
  var step: Int? { Self.number(in: suite, after: "Step") }

  /// `refreshesFirst`
  var functionName: String? { function.map { String($0.prefix { $0 != "(" }) } }

  /// The number that follows a word at the beginning of a name: 2 in `Step2Authorize`.
  static func number(in name: some StringProtocol, after word: String) -> Int? {
    name.hasPrefix(word) ? Int(name.dropFirst(word.count).prefix { $0.isNumber }) : nil
  }
}
