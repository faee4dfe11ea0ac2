/// Whether a failure that a page quotes still happens where the page says.
///
/// Suites change, and line numbers with them: a learner who compares the terminal with the page should find no difference.
struct QuotedFailures {
  private let suites: [(file: String, lines: [String])]

  /// - Parameter suites: The names of the files that hold the tests, and their texts.
  init(suites: [(file: String, text: String)]) {
    self.suites = suites.map { ($0.file, $0.text.components(separatedBy: "\n")) }
  }

  /// A sentence for each quoted failure whose test has no expectation at that place.
  func faults(in text: String) -> [String] {
    let quotes = text.matches(of: /✘ Test "(.+)" recorded an issue.* at (\w+\.swift):(\d+):(\d+):/)
    return quotes.compactMap { quote in
      let (test, file) = (String(quote.1), String(quote.2))
      guard let line = Int(quote.3), let column = Int(quote.4) else { return nil }
      let isThere = suites.contains { $0.file == file && expects(test, $0.lines, line, column) }
      return isThere ? nil : "The quoted failure of \"\(test)\" is not at \(file):\(line):\(column) any more."
    }
  }

  /// Whether a test has an expectation there: a macro, or the parenthesis of a function that takes a source location.
  private func expects(_ test: String, _ lines: [String], _ line: Int, _ column: Int) -> Bool {
    guard lines.indices.contains(line - 1) else { return false }
    let character = lines[line - 1].utf8.dropFirst(column - 1).first
    let declaration = lines[..<(line - 1)].lastIndex { $0.contains("@Test(") }.map { lines[$0...].prefix(2).joined() }
    return declaration?.contains("\"\(test)\"") == true && [UInt8(ascii: "#"), UInt8(ascii: "(")].contains(character)
  }
}
