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
