/// Whether the Swift on a page is Swift that compiles: each snippet has to occur in a source file.
struct SnippetCheck {
  private let sources: [[String]]

  /// - Parameter sources: The texts of the files that a snippet may come from.
  init(sources: [String]) {
    self.sources = sources.map { SnippetCheck.lines($0.split(separator: "\n").map(String.init)) }
  }

  /// A sentence for each Swift fence that occurs nowhere.
  func faults(in text: String) -> [String] {
    Markdown.fences(in: text).filter { $0.language == "swift" }.compactMap { fence in
      let blocks = SnippetCheck.blocks(fence.lines)
      if sources.contains(where: { SnippetCheck.occur(blocks, in: $0) }) { return nil }
      let first = fence.lines.first { !$0.allSatisfy(\.isWhitespace) } ?? ""
      return "The Swift snippet that begins with `\(first.trimmed)` occurs in no source file as it stands."
    }
  }

  /// The snippet cut at its gaps: lines that hold nothing but `…` or `// …`.
  private static func blocks(_ lines: [String]) -> [[String]] {
    let blocks = Self.lines(lines).split { ["…", "//…", "...", "//..."].contains($0) }
    return blocks.map(Array.init)
  }

  /// Lines without white space. Empty ones are left out.
  private static func lines(_ lines: [String]) -> [String] {
    lines.map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
  }

  /// Whether the blocks occur one after the other, each in one piece.
  private static func occur(_ blocks: [[String]], in source: [String]) -> Bool {
    var rest = source[...]
    for block in blocks {
      guard let range = rest.firstRange(of: block) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}

extension String {
  fileprivate var trimmed: String { String(drop(while: \.isWhitespace)) }
}

/// Whether the commands that a page prints would do something here.
struct PrintedCommands {
  /// The IDs of the learner's tests and suites, as filters see them: `Lesson1.Step1Send/sendsOnce()`.
  let ids: [String]
  /// The IDs of the package below Tests: `Solution1Tests.Step1Send/sendsOnce()`.
  let proofIDs: [String]
  /// Whether there is something at a path, from the root of the package.
  let exists: (String) -> Bool

  /// A sentence for each command that does not exist. Fences for a shell or without a language count, and inline code.
  func faults(in text: String) -> [String] {
    let shells = ["sh", "bash", "zsh", "shell", "console", ""]
    let lines = Markdown.fences(in: text).filter { shells.contains($0.language) }.flatMap(\.lines)
    return (lines + Markdown.inlineCode(in: text)).compactMap(fault)
  }

  private func fault(_ line: String) -> String? {
    var words = line.split(separator: " ").prefix { !$0.hasPrefix("#") }.map { $0.filter { $0 != "'" && $0 != "\"" } }
    if words.first == "$" { words.removeFirst() }
    let reason: String? =
      switch words.prefix(2) {
      case ["swift", "test"]: filterFault(words)
      case ["swift", "run"]: runFault(Array(words.dropFirst(2)))
      case ["git", "diff"] where words.contains("--no-index"): pathFault(words.dropFirst(3))
      // Which branches there are is a matter of the clone, not of the page.
      case ["git", "restore"]: pathFault(words.dropFirst(words.contains("--source") ? 4 : 2))
      case ["cp", "-R"]: pathFault(words.dropFirst(2))
      default: nil
      }
    return reason.map { "The command `\(words.joined(separator: " "))` is printed, but \($0)." }
  }

  private func filterFault(_ words: [String]) -> String? {
    let options = zip(words, words.dropFirst())
    let package = options.first { $0.0 == "--package-path" }?.1 ?? "."
    guard let ids = [".": ids, "Tests": proofIDs][package] else { return "there is no package at \(package)" }
    for (option, filter) in options where option == "--filter" || option == "--skip" {
      guard let pattern = try? Regex(filter) else { return "\(filter) is no regular expression" }
      if !ids.contains(where: { $0.firstMatch(of: pattern) != nil }) { return "no test matches \(filter)" }
    }
    return nil
  }

  private func runFault(_ words: [String]) -> String? {
    guard words.first == "kata" else { return "there is only `swift run kata`" }
    let arguments = Array(words.dropFirst()).filter { !$0.hasPrefix("[") }
    return (try? Command(arguments: arguments)) == nil ? "kata knows no such command" : nil
  }

  private func pathFault(_ words: ArraySlice<String>) -> String? {
    let missing = words.first { !$0.hasPrefix("-") && !exists($0) }
    return missing.map { "there is no \($0)" }
  }
}

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
