import Testing

@testable import kata

@Suite("The checks of pages")
struct PageCheckTests {
  private let existing: Set<String> = [
    "Exercises/Lesson1/HTTPManager.swift", "Exercises/Lesson1/Token.swift", "README.md", "Exercises/Lesson1", "Solutions/Lesson1",
  ]

  private func faults(_ text: String, steps: Set<Int> = [1, 2]) -> [String] {
    PageCheck(lesson: 1, page: Page(text), suiteSteps: steps, exists: existing.contains).faults()
  }

  @Test("a step without three hints is a fault")
  func hints() {
    #expect(faults(Sample.pageText) == ["\"Step 2: Authorize\" has 0 hints in <details>, and three are wanted."])
  }

  @Test("page and suite have the same steps")
  func steps() {
    #expect(faults(Sample.pageText, steps: [1, 2, 3]).contains("The suite's step 3 has no section \"## Step 3: \"."))
    #expect(faults(Sample.pageText, steps: [1]).contains("The section of step 2 has no suite Step2."))
  }

  @Test("title, exercise, end and questions have to be there")
  func parts() {
    let text = "# A lesson\n\n## Step 1: Send\n"

    let faults = faults(text, steps: [1])

    #expect(faults.contains("The title has to be \"# Lesson 1: \" and a name."))
    #expect(faults.contains("\"Step 1: Send\" links to no file in Exercises."))
    #expect(faults.contains("There is no section \"## When you are green\"."))
    #expect(self.faults(text + "## When you are green\n").contains("\"When you are green\" ends in no list of questions."))
  }

  @Test("links have to lead somewhere, those to the web and in code aside")
  func links() {
    let text =
      "[a](../README.md#top) [b](../Nowhere.md) [c](https://example.com) [d](#x) `[e](f)`\n```text\n[g](h)\n```\n[i](Lesson9.md)"

    #expect(
      PageCheck.deadLinks(in: text, of: "Lessons/Lesson1.md", exists: existing.contains) == [
        "The link to ../Nowhere.md leads nowhere.", "The link to Lesson9.md leads nowhere.",
      ])
    #expect(PageCheck.deadLinks(in: "[a](Exercises/Lesson1)", of: "README.md", exists: existing.contains).isEmpty)
  }

  @Test(
    "a snippet occurs in one file, line by line, with gaps",
    arguments: [
      ("let a = 1\n  let b = 2", true), ("let a=1\n\nlet b = 2", true), ("let a = 1\n…\nlet d = 4", true),
      ("let a = 1\n  // …\nlet d = 4", true), ("…\nlet b = 2\n…", true), ("let a = 1\nlet c = 3", false),
      ("let d = 4\n…\nlet a = 1", false), ("let a = 1\n…\nlet z = 26", false), ("let x = 0", false),
    ])
  func snippets(snippet: String, occurs: Bool) {
    let check = SnippetCheck(sources: ["let a = 1\nlet b = 2\n\nlet c = 3\nlet d = 4\n", "let z = 26"])

    #expect(check.faults(in: "```swift\n\(snippet)\n```\n").isEmpty == occurs)
    #expect(check.faults(in: "```\n\(snippet)\n```\n").isEmpty, "A fence without a language is free.")
  }

  @Test(
    "a quoted failure is at an expectation of its test",
    arguments: [
      ("sends once", "5:5", true), ("sends once", "6:11", true), ("sends once", "5:7", false), ("sends once", "4:5", false),
      ("sends once", "10:23", false), ("sends twice", "10:23", true), ("sends", "5:5", false), ("sends once", "99:5", false),
    ])
  func quotedFailures(test: String, place: String, isThere: Bool) {
    let suite = """
      struct Step1 {
        @Test("sends once")
        func sendsOnce() {
          let a = 1
          #expect(a == 1)
          expect(a, is: 1)
        }
        @Test(
          "sends twice", arguments: [1])
        func sendsTwice() { #expect(a == 1) }
      """
    let quotes = QuotedFailures(suites: [("Step1.swift", suite)])

    let text = "✘ Test \"\(test)\" recorded an issue with 1 argument a → 1 at Step1.swift:\(place): Expectation failed: a"
    #expect(quotes.faults(in: "```text\n\(text)\n```").isEmpty == isThere)
  }

  @Test(
    "a printed command exists",
    arguments: [
      ("swift test --filter Lesson1", true), ("swift test --filter Lesson1.Step1", true), ("swift test --skip Lesson", true),
      ("swift test --package-path Tests --filter Solution1", true), ("swift test --package-path Tests", true),
      ("swift test --filter Solution1", false), ("swift test --package-path Tests --filter Lesson1", false),
      ("swift test --package-path Nowhere", false), ("swift test --filter Lesson2", false),
      ("swift test --filter Lesson1.Step3", false),
      ("swift test --filter 'Lesson1.*sendsOnce'", true), ("swift test", true), ("$ swift test --filter Lesson2 # red", false),
      ("swift run kata", true), ("swift run kata hint 1", true), ("swift run kata hint [N]", true),
      ("swift run kata cure", false),
      ("swift run cure", false), ("git diff --no-index Exercises/Lesson1 Solutions/Lesson1", true),
      ("git diff --no-index Exercises/Lesson1 Solutions/Lesson2", false), ("git restore Exercises/Lesson1", true),
      ("git restore Exercises/Lesson7", false), ("git restore --source main Exercises/Lesson1", true),
      ("git restore --source main Exercises/Lesson7", false), ("cp -R Solutions/Lesson1 Exercises/Lesson1", true),
      ("swift build", true),
    ])
  func commands(command: String, exists: Bool) {
    let check = PrintedCommands(
      ids: ["Lesson1.Step1Send/sendsOnce()"], proofIDs: ["Solution1Tests.Step1Send"], exists: existing.contains)

    #expect(check.faults(in: "```sh\n\(command)\n```").isEmpty == exists)
    #expect(check.faults(in: "Type `\(command)` now.").isEmpty == exists)
    #expect(check.faults(in: "```text\n\(command)\n```").isEmpty, "Output is not a command.")
  }
}
