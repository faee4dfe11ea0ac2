/// What the compiler said.
struct Diagnostic: Equatable {
  let file: String
  let line: Int
  let column: Int
  let isError: Bool
  let message: String

  /// `HTTPManager.swift:41: cannot find 'x' in scope`, with the path.
  var sentence: String { "\(file):\(line): \(message)" }

  /// Reads `path:line:column: error: message`.
  ///
  /// - Returns: `nil` for any other line.
  init?(_ text: some StringProtocol) {
    for (marker, isError) in [(": error: ", true), (": warning: ", false)] {
      guard let range = text.firstRange(of: marker) else { continue }
      let place = text[..<range.lowerBound].split(separator: ":")
      guard place.count >= 3, !text.hasPrefix(" "), let line = Int(place[place.count - 2]),
        let column = Int(place[place.count - 1])
      else {
        continue
      }
      self.file = place.dropLast(2).joined(separator: ":")
      self.line = line
      self.column = column
      self.isError = isError
      self.message = String(text[range.upperBound...])
      return
    }
    return nil
  }
}

/// What `swift build` and `swift test` print while they build.
enum BuildOutput {
  /// Every error and warning once, in the order of the output.
  static func diagnostics(in output: String) -> [Diagnostic] {
    var seen: [Diagnostic] = []
    for line in output.split(separator: "\n") {
      if let diagnostic = Diagnostic(line), !seen.contains(diagnostic) { seen.append(diagnostic) }
    }
    return seen
  }

  /// The lines that begin with "error: ", for failures without a place in a file: a broken manifest, a linker.
  static func plainErrors(in output: String) -> [String] {
    let lines = output.split(separator: "\n").filter { $0.hasPrefix("error: ") && $0 != "error: fatalError" }
    return lines.map { String($0.dropFirst(7)) }
  }

  /// How far the build is: `[45/101]` in the last line that says so.
  static func fraction(in output: some StringProtocol) -> String? {
    guard let start = output.lastIndex(of: "["), let end = output[start...].firstIndex(of: "]") else { return nil }
    let text = output[output.index(after: start)..<end]
    return !text.isEmpty && text.allSatisfy { $0.isNumber || $0 == "/" } && text.contains("/") ? String(text) : nil
  }
}
