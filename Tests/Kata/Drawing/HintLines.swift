/// Draws hints.
struct HintLines {
  let style: Style
  let lesson: Int
  let page: Page

  /// The next hint of a step, or that there are no more.
  ///
  /// - Parameters:
  ///   - suite: The step's suite: `Step2Authorize`.
  ///   - shown: How many hints of the step have been shown; one more afterwards.
  mutating func next(suite: String, shown: inout Int) -> [String] {
    let section = TestID.number(in: suite, after: "Step").flatMap(page.step)
    let hints = section.map(Hint.all) ?? []
    guard let section, !hints.isEmpty else {
      return style.wrap("Lessons/Lesson\(lesson).md has no hints for \(suite).")
    }
    guard shown < hints.count else {
      return style.wrap(
        "There are no more hints for this step: you have seen all \(hints.count). "
          + "They stand in Lessons/Lesson\(lesson).md, section \"\(section.heading)\". "
          + "The reference is in Solutions/Lesson\(lesson).")
    }
    let hint = hints[shown]
    shown += 1
    let count =
      "Lesson \(lesson), \(section.heading.prefix(1).lowercased())\(section.heading.dropFirst()): hint \(shown) of \(hints.count)"
    var lines = style.wrap(count).map { style.paint($0, .dim) } + [""]
    lines += style.wrap(hint.title).map { style.paint($0, .bold) } + body(hint.body)
    return lines + [
      "", shown == hints.count ? "This was the last one for this step." : "One more: swift run kata hint",
    ]
  }

  /// That the lesson needs no hints.
  func green() -> [String] {
    style.wrap("Lesson \(lesson) is green: nothing is left to hint at.")
  }

  /// Paragraphs are wrapped; code stays as it is.
  private func body(_ lines: [String]) -> [String] {
    var result: [String] = []
    var paragraph = ""
    var isInFence = false
    let endParagraph = {
      if !paragraph.isEmpty { result += style.wrap(Markdown.plain(paragraph)) }
      paragraph = ""
    }
    for line in lines + [""] {
      if line.hasPrefix("```") {
        endParagraph()
        isInFence.toggle()
      } else if isInFence {
        result.append(style.text(line.isEmpty ? "" : "    " + line))
      } else if line.allSatisfy(\.isWhitespace) {
        endParagraph()
        result.append("")
      } else {
        if line.hasPrefix("- ") { endParagraph() }
        paragraph += (paragraph.isEmpty ? "" : " ") + line
      }
    }
    while result.last == "" { result.removeLast() }
    return result.first == "" || result.isEmpty ? result : [""] + result
  }
}
