import Foundation

/// A lesson's page, cut into its sections.
struct Page: Equatable {
  /// A part under a heading of the second level. The first one, before any heading, is called "".
  struct Section: Equatable {
    let heading: String
    var lines: [String] = []

    /// 2 for `Step 2: Authorize`.
    var step: Int? { TestID.number(in: heading, after: "Step ") }
    var text: String { lines.joined(separator: "\n") }
    var hints: [Hint] { Hint.all(in: text) }
  }

  /// `Lesson 1: The manager that does everything`
  let title: String
  let sections: [Section]

  /// - Parameter text: The Markdown.
  init(_ text: String) {
    var title = ""
    var sections = [Section(heading: "")]
    var isInFence = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isInFence.toggle() }
      if !isInFence, title.isEmpty, line.hasPrefix("# ") {
        title = line.dropFirst(2).trimmingCharacters(in: .whitespaces)
      } else if !isInFence, line.hasPrefix("## ") {
        sections.append(Section(heading: line.dropFirst(3).trimmingCharacters(in: .whitespaces)))
      } else {
        sections[sections.count - 1].lines.append(String(line))
      }
    }
    self.title = title
    self.sections = sections
  }

  /// The title without "Lesson 1: ".
  var name: String {
    guard title.hasPrefix("Lesson "), let colon = title.firstIndex(of: ":") else { return title }
    return title[title.index(after: colon)...].trimmingCharacters(in: .whitespaces)
  }

  /// All text of the page, headings left out.
  var text: String { sections.map(\.text).joined(separator: "\n") }

  /// The section of a step.
  func step(_ number: Int) -> Section? { sections.first { $0.step == number } }

  /// The file to edit in a step: the first one in Exercises that its section links to, or else the first on the page.
  func exerciseFile(step: Int?) -> String? {
    let section = step.flatMap(self.step)
    return (section.map { Markdown.links(in: $0.text) } ?? []).first(where: Page.isExercise).map(Page.fromRoot)
      ?? Markdown.links(in: text).first(where: Page.isExercise).map(Page.fromRoot)
  }

  /// The section for the end of a lesson.
  var ending: Section? { sections.first { $0.heading.hasPrefix("When you are green") } }

  /// The questions to discuss: the last list of the last section.
  var questions: [String] { ending.map { Markdown.lists(in: $0.lines).last ?? [] } ?? [] }

  private static func isExercise(_ link: String) -> Bool {
    fromRoot(link).hasPrefix("Exercises/Lesson") && link.hasSuffix(".swift")
  }

  private static func fromRoot(_ link: String) -> String {
    link.hasPrefix("../") ? String(link.dropFirst(3)) : link
  }
}

/// One hint of a step: a `<details>` block on the page.
struct Hint: Equatable {
  /// `Hint 1: What does the store know?`
  let title: String
  /// The text below it, as it stands on the page.
  let body: [String]

  /// Reads the hints in a text.
  static func all(in text: String) -> [Hint] {
    text.components(separatedBy: "<details>").dropFirst().compactMap { block in
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
