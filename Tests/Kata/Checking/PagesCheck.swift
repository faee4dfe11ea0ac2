import Foundation

/// Checks the pages of a package on disk.
struct PagesCheck {
  let repository: Repository

  /// Adds what is wrong with the page of each lesson of a check.
  func check(_ result: inout CheckResult) {
    let folders = ["Exercises", "Solutions", "Tests/Lessons", "Tests/Support"]
    let snippets = SnippetCheck(sources: folders.flatMap(swiftFiles).compactMap(Files.text))
    let commands = PrintedCommands(ids: testIDs(), proofIDs: proofIDs(), exists: repository.exists)
    let quotes = quotedFailures()
    for lesson in result.lessons {
      guard let text = Files.text(repository.path("Lessons/Lesson\(lesson).md")) else {
        result.add(["Lessons/Lesson\(lesson).md is missing or cannot be read."], .page, lesson)
        continue
      }
      let steps = Set(suites(ofLesson: lesson).compactMap { TestID.number(in: $0.name, after: "Step") })
      let page = PageCheck(lesson: lesson, page: Page(text), suiteSteps: steps, exists: repository.exists)
      let printed = snippets.faults(in: text) + commands.faults(in: text) + quotes.faults(in: text)
      result.add(page.faults() + printed, .page, lesson)
    }
  }

  /// Adds what is wrong with a page that belongs to no lesson. It is no fault when there is none.
  func check(_ path: String, _ result: inout CheckResult) {
    guard let text = Files.text(repository.path(path)) else { return }
    let commands = PrintedCommands(ids: testIDs(), proofIDs: proofIDs(), exists: repository.exists)
    let links = PageCheck.deadLinks(in: text, of: path, exists: repository.exists)
    let faults = links + commands.faults(in: text) + quotedFailures().faults(in: text)
    result.add(faults.map { "\(path): \($0)" }, .page, nil)
  }

  private func quotedFailures() -> QuotedFailures {
    QuotedFailures(
      suites: swiftFiles("Tests/Lessons").map { (URL(fileURLWithPath: $0).lastPathComponent, Files.text($0) ?? "") })
  }

  /// Everything that a filter may match in the learner's package.
  private func testIDs() -> [String] {
    ["SupportTests."] + repository.lessons.flatMap { testIDs(ofLesson: $0, module: "Lesson\($0)") }
  }

  /// Everything that a filter may match in the package below Tests.
  private func proofIDs() -> [String] {
    ["SupportTests.", "KataTests."] + repository.lessons.flatMap { testIDs(ofLesson: $0, module: "Solution\($0)Tests") }
  }

  /// Suites have the names of their files.
  private func testIDs(ofLesson lesson: Int, module: String) -> [String] {
    suites(ofLesson: lesson).flatMap { suite in
      ["\(module).\(suite.name)"] + suite.functions.map { "\(module).\(suite.name)/\($0)" }
    }
  }

  private func suites(ofLesson lesson: Int) -> [(name: String, functions: [String])] {
    swiftFiles("Tests/Lessons/Lesson\(lesson)").filter { $0.contains("/Step") }.map { path in
      let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
      let functions = (Files.text(path) ?? "").matches(of: /func (\w+)\(/).map { "\($0.1)()" }
      return (name, functions)
    }
  }

  private func swiftFiles(_ folder: String) -> [String] {
    Files.below(repository.path(folder)).filter { $0.hasSuffix(".swift") }
  }
}
