import Foundation

/// Checks the pages of a package on disk.
struct PagesCheck {
  private let repository: Repository
  private let suites: [Suite]
  private let snippets: SnippetCheck
  private let commands: PrintedCommands
  private let quotes: QuotedFailures

  /// A file of a lesson's suite.
  private struct Suite {
    let lesson: Int
    /// `Step2Authorize.swift`
    let file: String
    let text: String

    var name: String { String(file.dropLast(".swift".count)) }
    var isStep: Bool { name.hasPrefix("Step") }
    /// Everything that a filter may match. Suites have the names of their files.
    func ids(_ module: String) -> [String] {
      let functions = text.matches(of: /func (\w+)\(/).map { "\(module).\(name)/\($0.1)()" }
      return ["\(module).\(name)"] + functions
    }
  }

  init(repository: Repository) {
    let suites = repository.numbers.flatMap { lesson in
      repository.swiftFiles("Tests/Lessons/Lesson\(lesson)").map { path in
        Suite(
          lesson: lesson, file: path.split(separator: "/").last.map(String.init) ?? "",
          text: Files.text(repository.path(path)) ?? "")
      }
    }
    let steps = suites.filter(\.isStep)
    let others = ["Exercises", "Solutions", "Tests/Support", "Tests/Isolation"].flatMap(repository.swiftFiles)
    self.repository = repository
    self.suites = suites
    snippets = SnippetCheck(sources: suites.map(\.text) + others.compactMap { Files.text(repository.path($0)) })
    commands = PrintedCommands(
      ids: ["SupportTests."] + steps.flatMap { $0.ids("Lesson\($0.lesson)") },
      proofIDs: ["SupportTests.", "KataTests."] + steps.flatMap { $0.ids("Solution\($0.lesson)Tests") },
      exists: repository.exists)
    quotes = QuotedFailures(suites: suites.map { ($0.file, $0.text) })
  }

  /// What is wrong with pages.
  ///
  /// - Parameters:
  ///   - lessons: The lessons whose pages to check.
  ///   - withOthers: Whether to check the pages that belong to no lesson.
  func column(_ lessons: [Lesson], withOthers: Bool) -> Column {
    var column = Column()
    for lesson in lessons {
      guard let text = Files.text(repository.path(lesson.pagePath)) else {
        column.lessons[lesson.number] = Finding(faults: ["\(lesson.pagePath) is missing or cannot be read."])
        continue
      }
      let own = suites.filter { $0.lesson == lesson.number && $0.isStep }
      let steps = Set(own.compactMap { TestID.number(in: $0.name, after: "Step") })
      let page = PageCheck(lesson: lesson.number, page: Page(text), suiteSteps: steps, exists: repository.exists)
      column.lessons[lesson.number] = Finding(faults: page.faults() + snippets.faults(in: text) + printed(text))
    }
    for path in withOthers ? ["README.md", ".github/CONTRIBUTING.md", "Lessons/Facilitating.md"] : [] {
      guard let text = Files.text(repository.path(path)) else { continue }
      let links = PageCheck.deadLinks(in: text, of: path, exists: repository.exists)
      column.faults += (links + printed(text)).map { "\(path): \($0)" }
    }
    return column
  }

  private func printed(_ text: String) -> [String] { commands.faults(in: text) + quotes.faults(in: text) }
}

/// Whether a page and its suite agree, and whether what it prints exists.
struct PageCheck {
  let lesson: Int
  let page: Page
  /// The numbers of the steps that the suite has.
  let suiteSteps: Set<Int>
  /// Whether there is something at a path, from the root of the package.
  let exists: (String) -> Bool

  /// Everything that is wrong with titles, sections, hints and links.
  func faults() -> [String] {
    var faults: [String] = []
    if !page.title.hasPrefix("Lesson \(lesson): ") {
      faults.append("The title has to be \"# Lesson \(lesson): \" and a name.")
    }
    let steps = page.sections.compactMap(\.step)
    for step in suiteSteps.subtracting(steps).sorted() {
      faults.append("The suite's step \(step) has no section \"## Step \(step): \".")
    }
    for step in Set(steps).subtracting(suiteSteps).sorted() {
      faults.append("The section of step \(step) has no suite Step\(step).")
    }
    for section in page.sections where section.step != nil {
      let count = section.hints.count
      if count != 3 { faults.append("\"\(section.heading)\" has \(count) hints in <details>, and three are wanted.") }
      if page.exerciseFile(step: section.step) == nil {
        faults.append("\"\(section.heading)\" links to no file in Exercises.")
      }
    }
    if page.ending == nil {
      faults.append("There is no section \"## When you are green\".")
    } else if page.questions.isEmpty {
      faults.append("\"When you are green\" ends in no list of questions.")
    }
    return faults + PageCheck.deadLinks(in: page.text, of: "Lessons/Lesson\(lesson).md", exists: exists)
  }

  /// The relative links of a text that lead nowhere.
  ///
  /// - Parameters:
  ///   - text: What the page says.
  ///   - path: Where the page is, from the root of the package.
  ///   - exists: Whether there is something at such a path.
  static func deadLinks(in text: String, of path: String, exists: (String) -> Bool) -> [String] {
    let links = Markdown.links(in: text).filter {
      !$0.contains("://") && !$0.hasPrefix("#") && !$0.hasPrefix("mailto:")
    }
    let folder = path.split(separator: "/").dropLast()
    return links.compactMap { link in
      var parts = Array(folder)
      for part in link.prefix(while: { $0 != "#" }).split(separator: "/") {
        if part == ".." { _ = parts.popLast() } else { parts.append(part) }
      }
      return exists(parts.joined(separator: "/")) ? nil : "The link to \(link) leads nowhere."
    }
  }
}
