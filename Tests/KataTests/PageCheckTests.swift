import Foundation
import Testing

@testable import kata

@Suite("The checks of pages")
struct PageCheckTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for path in ["Package.swift", "README.md", "Exercises/Lesson1/HTTPManager.swift", "Exercises/Lesson1/Token.swift"] {
      try folder.write("", to: path)
    }
    try folder.write("let a = 1\nlet b = 2\n\nlet c = 3\nlet d = 4\n", to: "Solutions/Lesson1/A.swift")
    try folder.write("session.dataTask(with: request)\n.resume()\n", to: "Solutions/Lesson1/B.swift")
    try folder.write("let z = 26", to: "Tests/Support/B.swift")
    try folder.write(Sample.pageText, to: "Lessons/Lesson1.md")
    try folder.write("", to: "Tests/Lessons/Lesson1/Step2Authorize.swift")
    let suite = """
      struct Step1Send {
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
    try folder.write(suite, to: "Tests/Lessons/Lesson1/Step1Send.swift")
  }

  /// The check, once all files have been written.
  private func check() throws -> PagesCheck {
    let environment = ProcessInfo.processInfo.environment
    return PagesCheck(
      kata: Kata(
        repository: try Repository(above: folder.path), environment: environment, terminal: Terminal(environment: environment)))
  }

  private func faults(_ text: String) throws -> [String] { try check().faults(in: Page(text), of: 1) }

  @Test("every page is checked, those of the lessons and the others")
  func findings() throws {
    try folder.write("[a](Nowhere.md) rejects 0 solutions and accepts 0.", to: "README.md")
    try folder.write("", to: "Tests/Lessons/Lesson1/Step3Block.swift")
    let findings = try check().findings(try Repository(above: folder.path).lessons(), withOthers: true)

    #expect(
      findings == [
        Finding(
          area: .page, lesson: 1,
          faults: [
            "The suite's step 3 has no section \"## Step 3: \".",
            "\"Step 2: Authorize\" has 0 hints in <details> instead of three.",
          ]),
        Finding(area: .page, lesson: nil, faults: ["README.md: The link to Nowhere.md leads nowhere."]),
      ])
  }

  @Test("page and suite have the same steps")
  func steps() throws {
    try folder.write("", to: "Tests/Lessons/Lesson1/Step3Block.swift")

    #expect(try faults(Sample.pageText).contains("The suite's step 3 has no section \"## Step 3: \"."))
    #expect(try faults(Sample.pageText + "## Step 4: x\n").contains("There is no suite Step4 for the section on step 4."))
  }

  @Test("page and suite agree on extra steps, which come last")
  func extraSteps() throws {
    try folder.write("@Suite(\"Step 1: send (extra)\", .oneAtATime)\n", to: "Tests/Lessons/Lesson1/Step1Send.swift")
    try folder.write("@Suite(\"Step 2: authorize\", .oneAtATime)\n", to: "Tests/Lessons/Lesson1/Step2Authorize.swift")
    let disagreement = "\"Step 1: Send\" and the name of its suite have to agree on whether the step is extra."
    #expect(try faults(Sample.pageText).contains(disagreement))

    let text = Sample.pageText.replacing("## Step 1: Send", with: "## Step 1: Send (extra)")
    #expect(try !faults(text).contains(disagreement))
    #expect(try faults(text).contains("\"Step 2: Authorize\" is a core step that follows an extra step."))
  }

  @Test("a step lists five rules at most, and folds the others")
  func listedRules() throws {
    let folded = "<details><summary>What else the suite checks</summary>\n\n- g\n\n</details>\n"
    func faults(_ count: Int) throws -> [String] {
      try self.faults("# Lesson 1: x\n\n## Step 1: Send\n\n" + String(repeating: "- a\n", count: count) + "\n" + folded)
    }

    #expect(try faults(6).contains("\"Step 1: Send\" lists 6 rules instead of five at most."))
    #expect(try !faults(5).joined().contains("rules"))
  }

  @Test("title, exercise, end and questions are required")
  func parts() throws {
    let text = "# A lesson\n\n## Step 1: Send\n"
    let faults = try faults(text)

    #expect(faults.contains("The title has to be \"# Lesson 1: \" followed by a name."))
    #expect(faults.contains("\"Step 1: Send\" links to no file in Exercises."))
    #expect(faults.contains("There is no section \"## When you are green\"."))
    #expect(
      try self.faults(text + "## When you are green\n").contains("\"When you are green\" does not end with a list of questions."))
  }

  @Test("links lead somewhere, except for those to the web and in code")
  func links() throws {
    let text =
      "[a](../README.md#top) [b](../Nowhere.md) [c](https://example.com) [d](#x) `[e](f)`\n```text\n[g](h)\n```\n[i](Lesson9.md)"

    #expect(
      try check().linkFaults(in: text, of: "Lessons/Lesson1.md") == [
        "The link to ../Nowhere.md leads nowhere.", "The link to Lesson9.md leads nowhere.",
      ])
    #expect(try check().linkFaults(in: "[a](Exercises/Lesson1)", of: "README.md").isEmpty)
  }

  @Test(
    "a snippet is in one file, line by line, with gaps",
    arguments: [
      ("let a = 1\n  let b = 2", true), ("let a  = 1\n\nlet b = 2", true), ("let a = 1\n…\nlet d = 4", true),
      ("let a = 1\n  // …\nlet d = 4", true), ("…\nlet b = 2\n…", true), ("let a = 1\nlet c = 3", false),
      ("let d = 4\n…\nlet a = 1", false), ("let a = 1\n…\nlet z = 26", false), ("let x = 0", false),
    ])
  func snippets(snippet: String, isInSource: Bool) throws {
    let check = try check()

    #expect(check.snippetFaults(in: "```swift\n\(snippet)\n```\n").isEmpty == isInSource)
    #expect(check.snippetFaults(in: "```\n\(snippet)\n```\n").isEmpty, "A fence without a language is not checked.")
  }

  @Test(
    "a quoted failure is at an expectation of its test",
    arguments: [
      ("sends once", "5:5", true), ("sends once", "6:11", true), ("sends once", "5:7", false), ("sends once", "4:5", false),
      ("sends once", "10:23", false), ("sends twice", "10:23", true), ("sends", "5:5", false), ("sends once", "99:5", false),
    ])
  func quotedFailures(test: String, place: String, isThere: Bool) throws {
    let text = "✘ Test \"\(test)\" recorded an issue with 1 argument a → 1 at Step1Send.swift:\(place): Expectation failed: a"

    #expect(try check().quoteFaults(in: "```text\n\(text)\n```").isEmpty == isThere)
  }

  @Test(
    "a printed command works",
    arguments: [
      ("swift test --filter Lesson1", true), ("swift test --filter Lesson1.Step1", true), ("swift test --skip Lesson", true),
      ("swift test --package-path Tests --filter Solution1", true), ("swift test --package-path Tests", true),
      ("swift test --filter Solution1", false), ("swift test --package-path Tests --filter Lesson1", false),
      ("swift test --filter Lesson2", false), ("swift test --filter Lesson1.Step3", false),
      ("swift test --filter 'Lesson1.*sendsOnce'", true), ("swift test", true), ("swift test --filter Lesson2 # red", false),
      ("swift run kata", true), ("swift run kata hint 1", true), ("swift run kata hint [N]", true),
      ("swift run kata cure", false), ("swift run cure", false), ("swift build", true),
      ("git diff --no-index Exercises/Lesson1 Solutions/Lesson1", true),
      ("git diff --no-index Exercises/Lesson1 Solutions/Lesson2", false), ("git restore Exercises/Lesson7", false),
      ("git restore --source main Exercises/Lesson1", true), ("cp -R Solutions/Lesson1/. Exercises/Lesson1", true),
      ("(echo; git diff Solutions/Lesson1) > a.patch", true), ("Exercises/Lesson1/Nowhere.swift", false),
      ("mkdir Tests/Alternatives/Lesson1/my-design", true),
    ])
  func commands(command: String, works: Bool) throws {
    let check = try check()

    #expect(check.commandFaults(in: "```sh\n\(command)\n```").isEmpty == works)
    #expect(check.commandFaults(in: "Type `\(command)` now.").isEmpty == works)
    #expect(check.commandFaults(in: "```text\n\(command)\n```").isEmpty, "Output is not a command.")
  }

  @Test(
    "README has the numbers of impostors and alternatives in one paragraph",
    arguments: [
      ("They reject 2 wrong solutions\nand accept 1 correct one.", true), ("Of 3 designs, 1 is right, and (2) are not.", true),
      ("They reject 2 wrong solutions.\n\nThey accept 1 correct one.", false), ("They reject 12 and accept 1.", false),
    ])
  func counts(text: String, isRight: Bool) throws {
    for path in ["Impostors/Lesson1/a.patch", "Impostors/Lesson1/b.patch", "Alternatives/Lesson1/c/A.swift"] {
      try folder.write("", to: "Tests/\(path)")
    }
    let fault =
      "A paragraph should say how many wrong solutions the suites reject, and how many correct ones they accept. "
      + "There are 2 in Tests/Impostors and 1 in Tests/Alternatives."

    #expect(try check().countFaults(in: text) == (isRight ? [] : [fault]))
  }

  @Test("console commands print what the page says")
  func console() throws {
    let file = "Solutions/Lesson1/A.swift"
    let good =
      "$ grep -c let \(file)\n4\n$ grep 'let [ab]' \(file)\n  let   a = 1\n\nlet b = 2\n$ git --version | grep -c xyz\n0\n"
    let bad = "$ grep -c let \(file)\n5\n```\n```console\n$ rm -rf x\n```\n```console\nlet a = 1"

    #expect(
      try check().consoleFaults(in: "```console\n\(good)\(bad)\n```\n") == [
        "`grep -c let \(file)` prints \"4\", not \"5\".",
        "A console block runs `rm -rf x`. Only `$ grep` and `$ git` are allowed.",
        "A console block runs ``. Only `$ grep` and `$ git` are allowed.",
      ])
  }
}
