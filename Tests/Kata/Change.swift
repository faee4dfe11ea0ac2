import Foundation

/// A change to our solution, from a page in Tests/Mistakes: what is wrong with it, or why nothing is, and what it replaces.
struct Change: Equatable {
  /// Its page and its heading, as in a link: `Tests/Mistakes/Lesson4.md#repeats-a-401-without-end`.
  let path: String
  /// The folder of its lesson: `Lesson3`, or `Receipts`.
  let lesson: String
  /// The heading above: `Step 2: Log`, `Step 3: Wrong tests`, or, if it is harmless, any other.
  let part: String
  let sentence: String
  let blocks: [Block]

  /// A file, and what happens to it.
  struct Block: Equatable {
    let name: String
    /// The lines of each place, behind plus signs, minus signs, and spaces.
    let places: [[String]]
  }

  var isHarmless: Bool { !part.hasPrefix("Step ") }

  /// The changes on a page.
  ///
  /// - Parameters:
  ///   - page: The Markdown of `Tests/Mistakes/Lesson4.md`. `.ci/variants` reads the same pages, and says what is in them.
  ///   - lesson: The folder of its lesson.
  static func all(on page: String, of lesson: String) -> [Change] {
    Page(page).sections.flatMap { section -> [Change] in
      let parts = section.text.components(separatedBy: "\n### ")
      let usual = parts[0].firstMatch(of: /`(\w+\.swift)`/)?.1 ?? ""
      return parts.dropFirst().map { text in
        let paragraphs = text.components(separatedBy: "\n\n")
        let blocks = text.matches(of: /(?:`(\w+\.swift)`\n\n)?```diff\n(?s:(.*?)\n)```/).map { block in
          let lines = block.2.components(separatedBy: "\n").map { $0.isEmpty ? " " : $0 }
          return Block(
            name: String(block.1 ?? usual), places: lines.split { $0.hasPrefix("@@") }.map(Array.init))
        }
        return Change(
          path: "Tests/Mistakes/\(lesson).md#\(Page.anchor(paragraphs[0]))", lesson: lesson, part: section.heading,
          sentence: paragraphs.dropFirst().first ?? "", blocks: blocks)
      }
    }
  }
}

extension Change.Block {
  /// A file with the change in it: its lines behind plus signs, minus signs, and spaces.
  ///
  /// - Parameter text: The file of our solution; `nil` if there is none.
  /// - Returns: `nil` unless each place is in the file, and only once.
  func lines(in text: String?) -> [String]? {
    guard let text else { return places.joined().allSatisfy { $0.hasPrefix("+") } ? Array(places.joined()) : nil }
    var lines = text.components(separatedBy: "\n").dropLast().map { " " + $0 }
    for place in places {
      let old = place.filter { !$0.hasPrefix("+") }.map { " " + $0.dropFirst() }
      let starts = lines.indices.filter { lines[$0...].starts(with: old) }
      guard !old.isEmpty, starts.count == 1 else { return nil }
      lines.replaceSubrange(starts[0]..<starts[0] + old.count, with: place)
    }
    return lines
  }
}

extension Page {
  /// What a link to a heading ends with, as GitHub makes it.
  static func anchor(_ heading: some StringProtocol) -> String {
    heading.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.replacing(" ", with: "-")
  }
}
