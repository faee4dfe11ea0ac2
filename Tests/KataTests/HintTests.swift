import Testing

@testable import kata

@Suite("Pages and hints")
struct HintTests {
  private let page = Page(Sample.pageText)

  @Test("headings divide a page into sections, except for those in fences")
  func sections() {
    #expect(page.name == "The manager that does everything")
    #expect(page.sections.map(\.heading) == ["", "The story", "Step 1: Send", "Step 2: Authorize", "When you are green"])
    #expect(page.step(2)?.heading == "Step 2: Authorize")
    #expect(page.step(3) == nil)
  }

  @Test("the file to edit is the first link of the step or page")
  func files() {
    #expect(page.exerciseFile(step: 1) == "Exercises/Lesson1/HTTPManager.swift")
    #expect(page.exerciseFile(step: 2) == "Exercises/Lesson1/Token.swift")
    #expect(Page("# Lesson 1: x").exerciseFile(step: 1) == nil)
    let handedToYou = "Read [`A`](../Exercises/Given/A.swift), and edit [`B`](../Exercises/Lesson1/B.swift)."
    #expect(Page("# Lesson 1: x\n\n## Step 1: y\n\n\(handedToYou)").exerciseFile(step: 1) == "Exercises/Lesson1/B.swift")
  }

  @Test("the questions are the last list of the last section")
  func questions() {
    #expect(
      page.questions == ["Which one can you test without the other two?", "Where is the order written down?"])
    #expect(Page("# Lesson 1: x").questions.isEmpty)
  }

  @Test("hints are read from the details blocks")
  func hints() throws {
    let hints = try #require(page.step(1)).hints

    #expect(hints.map(\.title) == ["Hint 1: a question", "Hint 2: a pointer", "Hint 3: the shape"])
    #expect(hints[1].body == "Look at `dataTask`.")
    #expect(Hint.all(in: "<details>\n</details>").isEmpty)
  }

  @Test("hints are shown one at a time until there are no more")
  func oneAtATime() throws {
    var memory = Memory()
    let texts = try (1...4).map { _ in
      try HintCommand.lines(Sample.lessons[0], &memory, Sample.plain).joined(separator: "\n")
    }

    #expect(
      texts[0] == """
        Lesson 1, step 1: Send: hint 1 of 3

        Hint 1: a question

        What does the session hand to its completion?

        For the next hint: swift run kata hint
        """)
    #expect(texts[2].contains("\n    session.dataTask(with: request)\n    // …\n    .resume()\n"), "Code is printed unchanged.")
    #expect(texts[2].hasSuffix("That was the last hint for this step."))
    #expect(texts[3].hasPrefix("You have seen all 3 hints for this step."))
    #expect(memory[1].hints == ["Step1": 3])
  }

  @Test("a step without hints is reported")
  func noHints() throws {
    var memory = Memory()
    memory[1].step = "Step2Authorize"

    #expect(
      try HintCommand.lines(Sample.lessons[0], &memory, Sample.plain) == ["Lessons/Lesson1.md has no hints for Step2Authorize."])
    #expect(memory[1].hints.isEmpty)
  }

  @Test("a lesson without a page has no hints")
  func noPage() {
    var memory = Memory()

    #expect(throws: Problem.self) { try HintCommand.lines(Sample.lessons[1], &memory, Sample.plain) }
  }

  @Test("a green lesson shows no hint")
  func green() throws {
    var memory = Memory()
    memory[1].isGreen = true

    #expect(
      try HintCommand.lines(Sample.lessons[0], &memory, Sample.plain) == ["Lesson 1 is green, so there is no hint to show."])
  }

  @Test("each item of a list in a hint is a paragraph")
  func lists() {
    let hint = Hint(title: "Hint 1: two cases", body: "Look at\nboth:\n\n- one,\n  and more\n- two")

    #expect(hint.lines(Sample.plain) == ["Hint 1: two cases", "", "Look at both:", "", "- one, and more", "", "- two"])
  }
}
