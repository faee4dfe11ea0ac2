/// A card of `kata review`: a change to one file, which can be judged without the tests.
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

  var path: String { change.path }
  var lesson: String { change.lesson }
  var sentence: String { change.sentence }
  var isHarmless: Bool { change.isHarmless }

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
