import Foundation

/// One hint of a step: a `<details>` block on the page.
struct Hint: Equatable {
  /// `Hint 1: What does the store know?`
  let title: String
  /// The text below it, as it stands on the page.
  let body: [String]

  /// Reads the hints of a section.
  static func all(in section: Page.Section) -> [Hint] {
    section.text.components(separatedBy: "<details>").dropFirst().compactMap { block in
      let block = block.components(separatedBy: "</details>")[0]
      guard let start = block.range(of: "<summary>"), let end = block.range(of: "</summary>") else { return nil }
      guard start.upperBound <= end.lowerBound else { return nil }
      let body = block[end.upperBound...].trimmingCharacters(in: .newlines)
      return Hint(
        title: Markdown.plain(String(block[start.upperBound..<end.lowerBound])),
        body: body.isEmpty ? [] : body.components(separatedBy: "\n"))
    }
  }
}
