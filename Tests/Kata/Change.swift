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

/// A card of `kata review`: a change to one file, which can be judged without the tests.
@dynamicMemberLookup
struct Card: Equatable {
  private let change: Change
  /// From the root of the package.
  let file: String
  /// The whole file with the change in it, without its imports, and without comments that stay.
  let lines: [String]

  /// - Parameter text: Reads a file of the package.
  init?(_ change: Change, text: (String) -> String?) {
    // Tests, predictions, and verdicts cannot be judged from what a card shows.
    guard !change.part.contains(": Wrong "), change.blocks.count == 1 else { return nil }
    file = "Solutions/\(change.lesson)/\(change.blocks[0].name)"
    guard let lines = text(file).flatMap(change.blocks[0].lines) else { return nil }
    self.change = change
    self.lines = lines.filter { line in
      !["//", "import ", "#if", "#endif"].contains(where: line.drop { $0 == " " }.hasPrefix)
    }
  }

  subscript<Value>(dynamicMember path: KeyPath<Change, Value>) -> Value { change[keyPath: path] }

  /// The lines for a screen of 40 rows with 80 columns: the paragraphs with a change, those near it, and the first line of others.
  var shown: [String] {
    let paragraphs = lines.split(separator: " ").map(Array.init)
    let changed = paragraphs.indices.filter { paragraphs[$0].contains { !$0.hasPrefix(" ") } }
    let distances = paragraphs.indices.map { index in changed.map { abs($0 - index) }.min() ?? 0 }
    var rows = paragraphs.count
    var open: Set<Int> = []
    for index in paragraphs.indices.sorted(by: { (distances[$0], $0) < (distances[$1], $1) }) {
      let more = paragraphs[index].reduce(0) { $0 + 1 + $1.count / 81 }
      guard rows + more <= 40 || distances[index] == 0 else { continue }
      rows += more
      open.insert(index)
    }
    return paragraphs.indices.flatMap { index -> [String] in
      let lines = paragraphs[index]
      return open.contains(index) ? lines + [" "] : [lines[0] + (lines.count > 1 ? " …" : "")]
    }
  }

  /// Where it begins. Two changes of the same place can answer each other.
  var spot: String { "\(file) \(lines.firstIndex { !$0.hasPrefix(" ") } ?? 0)" }
}

extension Repository {
  /// The changes on the page of a lesson.
  func changes(of lesson: Lesson) -> [Change] {
    Change.all(on: text("Tests/Mistakes/\(lesson.folder).md") ?? "", of: lesson.folder)
  }

  /// The cards of a lesson.
  func cards(of lesson: Lesson) -> [Card] { changes(of: lesson).compactMap { Card($0, text: text) } }
}
