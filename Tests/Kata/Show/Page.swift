import Foundation

/// A lesson's page, cut into its sections.
struct Page: Equatable {
  /// A part under a heading of the second level. The first one, before any heading, is called "".
  struct Section: Equatable {
    let heading: String
    var text = ""

    /// 2 for `Step 2: Authorize`.
    var step: Int? { TestID.number(in: heading, after: "Step ") }
    /// Whether the step is an extra one: `Step 6: When the server says 401 (extra)`.
    var isExtra: Bool { heading.hasSuffix(" (extra)") }
    var hints: [Hint] { Hint.all(in: text) }
  }

  /// `Lesson 1: The manager that does everything`
  let title: String
  let sections: [Section]

  /// - Parameter text: The Markdown.
  init(_ text: String) {
    var sections = [Section(heading: "")]
    var isInFence = false
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("```") { isInFence.toggle() }
      if !isInFence, line.hasPrefix("## ") {
        sections.append(Section(heading: line.dropFirst(3).trimmingCharacters(in: .whitespaces)))
      } else {
        sections[sections.count - 1].text += line + "\n"
      }
    }
    title = text.prefixMatch(of: /\s*# (.*)/).map { String($0.1) } ?? ""
    self.sections = sections
  }

  /// The title without "Lesson 1: ".
  var name: String { title.replacing(/^[A-Z][a-z]+( \d+)?: */, with: "") }

  /// The section of a step.
  func step(_ number: Int) -> Section? { sections.first { $0.step == number } }

  /// The file to edit in a step: the first exercise, or file for a learner's tests, that its section links to, or else the first
  /// on the page.
  func exerciseFile(step: Int?) -> String? {
    let texts = [step.flatMap(self.step)?.text ?? ""] + sections.map(\.text)
    return texts.flatMap(Markdown.links).map { $0.replacing("../", with: "") }.first(where: Repository.isLearners)
  }

  /// The section for the end of a lesson.
  var ending: Section? { sections.first { $0.heading.hasPrefix("When you are green") } }

  /// The questions to discuss: the last list of that section.
  var questions: [String] {
    let lists = (ending?.text ?? "").components(separatedBy: "\n\n").filter { $0.hasPrefix("- ") }
    return (lists.last.map { ("\n" + $0).components(separatedBy: "\n- ") } ?? []).dropFirst().map(Markdown.plain)
  }
}

/// One hint of a step: a `<details>` block on the page. What else is folded has another title.
struct Hint: Equatable {
  /// `Hint 1: What does the store know?`
  let title: String
  /// The text below it, in Markdown.
  let body: String

  /// Reads the hints in a text.
  static func all(in text: String) -> [Hint] {
    text.matches(of: /(?s)<details>\s*<summary>(Hint .*?)<\/summary>(.*?)<\/details>/).map {
      Hint(title: Markdown.plain(String($0.1)), body: $0.2.trimmingCharacters(in: .newlines))
    }
  }
}
