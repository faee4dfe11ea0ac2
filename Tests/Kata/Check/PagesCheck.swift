import Foundation

/// Checks what the pages say against the package on disk.
struct PagesCheck {
  let kata: Kata
  /// The suites of all lessons.
  let suites: [Suite]
  /// The lines of all source files that a page may quote.
  let sources: [[String]]

  /// A file of a lesson's suite. The suite has the name of its file.
  struct Suite {
    let lesson: Int
    /// `Step2Authorize`
    let name: String
    let lines: [String]
    /// `Step 6: when the server says 401 (extra)`; empty if the file declares no suite.
    var title: String {
      lines.lazy.compactMap { $0.firstMatch(of: /@Suite\("(.*?)"/).map { String($0.1) } }.first ?? ""
    }
    /// What a filter matches: `Step2Authorize/refreshesFirst()`
    let tests: [String]
  }

  /// The pages that belong to no lesson.
  static let others =
    ["README.md", ".github/CONTRIBUTING.md"] + ["CheatSheet", "Facilitating", "Testing"].map { "Lessons/\($0).md" }

  init(kata: Kata) {
    self.kata = kata
    suites = kata.repository.numbers.flatMap { lesson in
      let folder = kata.repository.path("Tests/Lessons/Lesson\(lesson)")
      return Files.below(folder).map { file in
        let (name, text) = (file.replacing(".swift", with: ""), Files.text("\(folder)/\(file)") ?? "")
        let tests = text.matches(of: /func (\w+)\(/).map { "\(name)/\($0.1)()" }
        return Suite(lesson: lesson, name: name, lines: text.components(separatedBy: "\n"), tests: tests)
      }
    }
    let folders = ["Exercises", "Solutions", "Tests/Lessons", "Tests/Support", "Tests/SupportTests", "Tests/Isolation"]
    let files = folders.flatMap(kata.repository.swiftFiles)
    sources = files.compactMap { Files.text(kata.repository.path($0)) }.map(PagesCheck.squeezed)
  }

  /// The lines of a text that are not empty, with single spaces between their words.
  static func squeezed(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.filter { !$0.isEmpty }
  }

  /// What is wrong with pages.
  ///
  /// - Parameters:
  ///   - lessons: The lessons whose pages to check.
  ///   - withOthers: Whether to check the pages that belong to no lesson.
  func findings(_ lessons: [Lesson], withOthers: Bool) throws -> [Finding] {
    var findings: [Finding] = []
    for lesson in lessons {
      guard let page = lesson.page, let text = Files.text(kata.repository.path(lesson.pagePath)) else {
        findings.append(Finding(area: .page, lesson: lesson.number, faults: ["\(lesson.pagePath) cannot be read."]))
        continue
      }
      let faults = try faults(in: page, of: lesson.number) + snippetFaults(in: text) + faults(in: text, of: lesson.pagePath)
      findings.append(Finding(area: .page, lesson: lesson.number, faults: faults))
    }
    for path in withOthers ? PagesCheck.others : [] {
      guard let text = Files.text(kata.repository.path(path)) else { continue }
      let faults = try snippetFaults(in: text) + faults(in: text, of: path) + (path == "README.md" ? countFaults(in: text) : [])
      findings.append(Finding(area: .page, lesson: nil, faults: faults.map { "\(path): \($0)" }))
    }
    return findings
  }

  /// What is wrong with the links, the commands and the output on any page.
  private func faults(in text: String, of path: String) throws -> [String] {
    try linkFaults(in: text, of: path) + commandFaults(in: text) + quoteFaults(in: text) + consoleFaults(in: text)
  }

  /// What is wrong with the title, the sections and the hints of a lesson's page.
  func faults(in page: Page, of lesson: Int) -> [String] {
    var faults: [String] = []
    if !page.title.hasPrefix("Lesson \(lesson): ") {
      faults.append("The title has to be \"# Lesson \(lesson): \" followed by a name.")
    }
    // What comes before step 1 is green as shipped, and needs no section.
    let suiteSteps = Set(suites.filter { $0.lesson == lesson }.compactMap { TestID.number(in: $0.name, after: "Step") })
      .subtracting([0])
    for step in suiteSteps.subtracting(page.sections.compactMap(\.step)).sorted() {
      faults.append("The suite's step \(step) has no section \"## Step \(step): \".")
    }
    for section in page.sections {
      guard let step = section.step else { continue }
      if !suiteSteps.contains(step) { faults.append("There is no suite Step\(step) for the section on step \(step).") }
      let count = section.hints.count
      let titles = suites.filter { $0.lesson == lesson && TestID.number(in: $0.name, after: "Step") == step }.map(\.title)
      if titles.contains(where: { $0 != "" && $0.hasSuffix(" (extra)") != section.isExtra }) {
        faults.append("\"\(section.heading)\" and the name of its suite have to agree on whether the step is extra.")
      }
      if !section.isExtra, page.sections.contains(where: { $0.isExtra && $0.step ?? 0 < step }) {
        faults.append("\"\(section.heading)\" is a core step that follows an extra step.")
      }
      // Stories need no hints.
      if count != 3, count != 0 || !section.heading.contains("Whatever happens") {
        faults.append("\"\(section.heading)\" has \(count) hints in <details> instead of three.")
      }
      if section.listedRules > 5, section.text.contains("<summary>What else") {
        faults.append("\"\(section.heading)\" lists \(section.listedRules) rules instead of five at most.")
      }
      if page.exerciseFile(step: step) == nil { faults.append("\"\(section.heading)\" links to no file in Exercises.") }
    }
    if page.ending == nil { faults.append("There is no section \"## When you are green\".") }
    if page.questions.isEmpty { faults.append("\"When you are green\" does not end with a list of questions.") }
    return faults
  }

  /// The relative links of a page that lead nowhere.
  ///
  /// - Parameters:
  ///   - text: The page.
  ///   - path: Where the page is, from the root of the package.
  func linkFaults(in text: String, of path: String) -> [String] {
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    let links = Markdown.links(in: text).filter { !$0.contains(":") && !$0.hasPrefix("#") }
    let dead = links.filter { !kata.repository.exists("\(folder)/\($0.prefix { $0 != "#" })") }
    return dead.map { "The link to \($0) leads nowhere." }
  }
}
