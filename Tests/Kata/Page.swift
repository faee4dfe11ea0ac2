import Foundation

/// A lesson's page, cut into its sections.
struct Page: Equatable {
  /// A part under a heading of the second level. The first one, before any heading, is called "".
  struct Section: Equatable {
    let heading: String
    var text = ""

    /// 2 for `Step 2: Authorize`.
    var step: Int? { heading.prefixMatch(of: /Step (\d)/).flatMap { Int($0.1) } }
    /// What is folded under `Hint 1: a question`, and so on. The title is the first line of each.
    var hints: [String] {
      text.matches(of: /(?s)<summary>(Hint .*?)<\/summary>(.*?)<\/details>/).map {
        "\($0.1)\n\n\($0.2.trimmingCharacters(in: .newlines))"
      }
    }
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
        sections.append(Section(heading: String(line.dropFirst(3))))
      } else {
        sections[sections.count - 1].text += line + "\n"
      }
    }
    title = text.prefixMatch(of: /# (.*)/).map { String($0.1) } ?? ""
    self.sections = sections
  }

  /// The title without "Lesson 1: ".
  var name: String { title.replacing(#/^[\w ]+: /#, with: "") }

  /// The section of a step.
  func step(_ number: Int) -> Section? { sections.first { $0.step == number } }

  /// The section for the end of a lesson.
  var ending: Section? { sections.first { $0.heading.hasPrefix("When you are green") } }

  /// The file to edit in a step: the first of a learner's files that its section links to, or else the first on the page.
  func exerciseFile(step: Int) -> String? {
    let texts = [self.step(step)?.text ?? ""] + sections.map(\.text)
    return texts.flatMap { $0.matches(of: /\]\(\.\.\/([^)\s]+)\)/) }.map { String($0.1) }.first(where: Repository.isLearners)
  }
}
