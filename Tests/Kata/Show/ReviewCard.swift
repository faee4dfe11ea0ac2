import Foundation

/// A change to one of our solutions, as `kata review` shows it: the lines around it, and nothing that gives the verdict away.
struct ReviewCard: Equatable {
  /// A line of a diff.
  struct Line: Equatable {
    /// A plus sign, a minus sign, or a space.
    let sign: Character
    let text: String
    /// The text behind its indentation.
    let code: String
    let indentation: Int

    init(sign: Character, text: String) {
      (self.sign, self.text, code) = (sign, text, String(text.drop { $0 == " " }))
      indentation = text.utf8.count - code.utf8.count
    }

    var isChanged: Bool { sign != " " }
  }

  let patch: ReviewPatch
  /// `HeadersHTTPClientDecorator in AddingHeaders.swift`
  let place: String
  /// What is wrong with the change, or why nothing is.
  let sentence: String
  /// The lines to show. `nil` stands for lines that are left out.
  let lines: [Line?]
  /// Where the change begins. Two cards about the same place can answer each other.
  let spot: String

  var lesson: Int { patch.lesson }
  var isHarmless: Bool { patch.isHarmless }

  /// A card fills at most so many rows of 80 columns. With its title and the question, that is one screen.
  static let rows = 35

  /// Reads a patch.
  ///
  /// - Parameters:
  ///   - patch: The patch.
  ///   - text: Reads a file, from the root of the package.
  /// - Returns: `nil` if it is no card: it changes tests, or several files, or it is too long for a screen.
  init?(_ patch: ReviewPatch, text: (String) -> String?) {
    guard let diff = text(patch.path).flatMap(Patch.init), diff.file.hasPrefix("Solutions/\(Lesson.folder(patch.lesson))/"),
      let all = text(diff.file).flatMap(diff.lines), let shown = ReviewCard.shown(of: all)
    else { return nil }
    (self.patch, sentence) = (patch, diff.sentence)
    let file = diff.file.split(separator: "/").last.map(String.init) ?? diff.file
    let first = all.firstIndex(where: \.isChanged)
    spot = "\(diff.file) \(first ?? 0)"
    let headers = first.map { ReviewCard.headers(of: $0, in: all) } ?? []
    let type = headers.compactMap { all[$0].text.firstMatch(of: /\b(?:class|struct|actor|enum|extension|protocol) (\w+)/)?.1 }
      .last
    place = type.map { $0 == file.dropLast(6) ? file : "\($0) in \(file)" } ?? file
    lines = all.indices.reduce(into: []) { lines, index in
      if shown.contains(index) { lines.append(all[index]) } else if lines.isEmpty || lines.last! != nil { lines.append(nil) }
    }
  }

  /// The diff. A long line goes on in the next row, behind the same sign.
  func diff(_ style: Style) -> [String] {
    lines.flatMap { line in
      guard let line else { return [style.paint("  …", .dim)] }
      let rows = ReviewCard.rows(of: line, columns: style.width)
      return line.isChanged ? rows.map { style.paint($0, line.sign == "+" ? .green : .red) } : rows
    }
  }

  private static func rows(of line: Line, columns: Int) -> [String] {
    let comment = line.code.prefixMatch(of: #/\/\/\/? /#).map { String($0.0) }
    let indent = String(repeating: " ", count: line.indentation) + (comment ?? "    ")
    var (rows, rest) = ([String](), "\(line.sign) \(line.text)"[...])
    while rest.count > columns {
      let start = rest.index(rest.startIndex, offsetBy: min(indent.count + 3, columns - 1))
      let end = rest.index(rest.startIndex, offsetBy: columns)
      let cut = rest[start..<end].lastIndex(of: " ") ?? end
      rows.append(String(rest[..<cut]))
      rest = "\(line.sign) \(indent)\(rest[cut...].drop { $0 == " " })"[...]
      if end <= start || columns < indent.count + 20 { break }
    }
    return rows + [String(rest.reversed().drop { $0 == " " }.reversed())]
  }

  /// Which lines fit on a screen: as many around the changed ones as possible, so that the length of a card says nothing.
  ///
  /// The declarations that the changed lines are in are always among them.
  private static func shown(of all: [Line]) -> Set<Int>? {
    let changed = all.indices.filter { all[$0].isChanged }
    let headers = Set(changed.flatMap { self.headers(of: $0, in: all) })
    // Next to them, what the type stores and the comments on the declarations say most about a change.
    let stored = headers.flatMap { header in
      all.indices.dropFirst(header + 1).prefix { all[$0].code.isEmpty || all[$0].indentation > all[header].indentation }.filter {
        all[$0].indentation == all[header].indentation + 2 && isType(all[header]) && isStored(all[$0])
      }
    }
    let comments = headers.flatMap { header in
      all.indices.prefix(header).reversed().prefix { all[$0].code.hasPrefix("///") }
    }
    let height = all.map { rows(of: $0, columns: 80).count }
    func lines(around: Int, with others: Set<Int>) -> Set<Int>? {
      var lines = others.union(changed.flatMap { max(0, $0 - around)...min(all.count - 1, $0 + around) })
      // Dots take as much room as the line that they would stand for.
      for index in all.indices where [index - 1, index + 1].allSatisfy({ lines.contains($0) || !all.indices.contains($0) }) {
        lines.insert(index)
      }
      let gaps = all.indices.count { !lines.contains($0) && ($0 == 0 || lines.contains($0 - 1)) }
      return lines.reduce(gaps) { $0 + height[$1] } <= rows ? lines : nil
    }
    // A patch itself has one line around each change.
    guard let least = [3, 2].first(where: { lines(around: $0, with: headers) != nil }) else { return nil }
    var others = headers
    for more in [stored, comments] where lines(around: least, with: others.union(more)) != nil { others.formUnion(more) }
    var best = others
    for around in least...max(least, all.count) {
      guard let wider = lines(around: around, with: others) else { break }
      best = wider
    }
    // Beside dots, an empty line explains nothing, and behind them, neither does the end of something.
    for index in best.sorted() where index > 0 && !best.contains(index - 1) && ["", "}", "///"].contains(all[index].code) {
      if !all[index].isChanged { best.remove(index) }
    }
    for index in best where index + 1 < all.count && !best.contains(index + 1) && all[index].text.isEmpty {
      if !all[index].isChanged { best.remove(index) }
    }
    return best
  }

  private static func isType(_ line: Line) -> Bool { line.text.contains(/\b(class|struct|actor|enum|extension|protocol) \w/) }

  private static func isStored(_ line: Line) -> Bool { line.code.contains(/^[a-z()@ ]*\b(let|var) \w/) }

  /// The lines that begin the declarations and blocks around a line, from the outside to the inside.
  private static func headers(of line: Int, in all: [Line]) -> [Int] {
    var (found, limit, isClosing) = ([Int](), all[line].indentation, false)
    for index in all.indices.prefix(line).reversed() where !all[index].code.isEmpty {
      let (indentation, code) = (all[index].indentation, all[index].code)
      guard indentation < limit || isClosing else { continue }
      found.append(index)
      // A parameter list on several lines ends in `) {`, and another branch begins with `} else`: what they end began above.
      if indentation < limit { isClosing = code.hasPrefix(")") } else if indentation == limit, isClosing { isClosing = false }
      limit = code.hasPrefix("}") ? indentation + 1 : indentation
    }
    return found.reversed()
  }
}

extension ReviewCard {
  /// The card: its place, and the diff.
  func lines(_ index: Int, _ style: Style) -> [String] {
    let title = style.wrap("Card \(index) of \(Deck.count) · \(Lesson.title(lesson)) · \(place)")
    return title.map { style.paint($0, .bold) } + [""] + diff(style)
  }

  /// What the suite says, and where the rules are.
  func lines(_ evidence: Evidence, _ kata: Kata) -> [String] {
    let style = kata.style
    let suite = "the suite of \(Lesson.title(lesson))"
    switch (evidence.verdict, isHarmless) {
    case (.none, _):
      return [""] + style.wrap("The suite could not be tried. \(evidence.text.joined(separator: " "))")
    case (.passed, true): return [""] + style.wrap("Nothing goes wrong: \(suite) passes.")
    case (.passed, false):
      return [""] + style.wrap("This time, \(suite) has passed. Some mistakes need two threads that meet. Read the diff again.")
    case (.refused, _):
      var lines = [""] + style.wrap(isHarmless ? "But \(suite) fails, which is our mistake:" : "What \(suite) says:")
      lines += evidence.text.prefix(15).flatMap { style.wrap($0, indent: "    ", first: "  ") }
      if evidence.text.count > 15 { lines.append("  …") }
      let page = try? kata.repository.lesson(lesson)
      guard let page, let section = evidence.step.flatMap({ page.page?.step($0) }) else { return lines }
      return lines + ["", "Rules  \(page.pagePath)#\(section.anchor)"]
    }
  }
}

extension Page.Section {
  /// `step-6-send-once-more-extra`: what a link to the section ends in.
  var anchor: String {
    heading.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.replacing(" ", with: "-")
  }
}
