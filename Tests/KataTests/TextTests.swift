import Foundation
import Testing

@testable import kata

@Suite("Arguments, pages, events, lines, and programs")
struct TextTests {
  @Test(
    "every command is accepted",
    arguments: [
      ([], Command()), (["3"], Command(lesson: "3")), (["3.2"], Command(lesson: "3", step: 2)),
      (["Receipts.2"], Command(lesson: "receipts", step: 2)), (["watch"], Command(name: .watch)),
      (["hint", "3.2"], Command(name: .hint, lesson: "3", step: 2)), (["review", "3"], Command(name: .review, lesson: "3")),
      (["doctor"], Command(name: .doctor)), (["--help"], Command(name: .help)), (["-h"], Command(name: .help)),
    ])
  func accepts(arguments: [String], command: Command) {
    #expect(Command(arguments: arguments) == command)
  }

  @Test(
    "no other arguments are accepted",
    arguments: [
      ["doctor", "1"], ["1", "2"], ["watch", "1", "2"], ["help", "me"], ["-1x"], ["3."], ["3.x"], ["review", "3.2"],
    ])
  func rejects(arguments: [String]) {
    #expect(Command(arguments: arguments) == nil)
  }

  @Test("lessons have solutions, and those with a name come last")
  func lessons() throws {
    let folder = TemporaryFolder()
    for name in ["Receipts", "Lesson2", "Lesson1"] { try folder.write("", to: "Solutions/\(name)/A.swift") }
    let own = ["Exercises/Lesson1/A.swift", "Tests/Lessons/Lesson1/YourTests.swift"]
    let others = ["Exercises/Lesson1/.A.swift.swp", "Tests/Lessons/Lesson1/Reference/YourTests.swift", "Exercises/Given/A.swift"]
    for path in own + others { try folder.write("", to: path) }
    try folder.write("# Lesson 2: Two\n\n[A](../Exercises/Lesson2/A.swift)\n", to: "Lessons/Lesson2.md")
    try folder.write("# Receipts: A class\r\n\r\n## Step 1: Cut\r\n", to: "Lessons/Receipts.md")
    let lessons = Repository(root: folder.path).lessons

    #expect(lessons.map(\.word) == ["1", "2", "receipts"])
    #expect(lessons[0].files == own && lessons[0].missing.isEmpty && lessons[1].missing == ["Exercises/Lesson2/A.swift"])
    #expect(lessons.map(\.title) == ["Lesson 1", "Lesson 2", "Receipts"] && lessons[2].filter == "^Receipts\\.")
    #expect(lessons[2].page.name == "A class" && lessons[2].page.step(1)?.heading == "Step 1: Cut")
  }

  @Test("a page has sections, steps, files and hints")
  func page() {
    let page = Page(Sample.page)

    #expect(page.name == "The manager that does everything")
    #expect(page.sections.map(\.heading) == ["", "The story", "Step 1: Send", "Step 2: Authorize (extra)", "When you are green"])
    #expect(page.exerciseFile(step: 2) == "Exercises/Lesson1/Token.swift")
    #expect(page.exerciseFile(step: 1) == "Exercises/Lesson1/HTTPManager.swift")
    #expect(page.step(2)?.hints.isEmpty == true && page.step(1)?.hints.count == 2)
  }

  @Test("a hint is shown in lines that fit, with its code indented")
  func hint() {
    var known = State.Known(step: 1)
    let first = Terminal(width: 30).hint(for: Sample.lessons[0], &known, command: "swift run kata hint")
    let second = Terminal().hint(for: Sample.lessons[0], &known, command: "swift run kata hint")

    #expect(
      first == [
        "Lesson 1, Step 1: Send: hint 1", "of 2", "", "Hint 1: a question", "", "What does the session hand to",
        "its completion?", "",
        "For the next hint: swift run kata hint",
      ])
    #expect(
      second.dropFirst(2) == [
        "Hint 2: the shape", "", "    session.dataTask(with: request)", "    ", "      .resume()", "",
        "That was the last hint for this step.",
      ])
    known.step = 2
    #expect(
      Terminal().hint(for: Sample.lessons[0], &known, command: "swift run kata hint") == [
        "Lessons/Lesson1.md has no hints for step 2."
      ])
  }

  @Test("known issues and warnings do not make a test fail, and what is no record is left out")
  func events() {
    let lines = Sample.events().dropLast() + ["[]", "", #"{"kind":"event","payload":{"na"#]
    let run = Sample.run(lines + ["passWithKnownIssue", "warning"].map { Sample.issue(Sample.sends, symbol: $0) })
    let skipped = Sample.event(#""kind":"testSkipped","testID":"\#(Sample.sends)""#)

    #expect(run.tests.count == 4 && run.tests.allSatisfy { $0.state == .passed && !$0.hasFailed })
    #expect(Sample.run(Sample.events() + [skipped]).tests.count == 3)
    #expect(TestResult(id: "nothing", name: "") == nil)
  }

  @Test("several runs end with the last of them")
  func severalRuns() {
    var run = Sample.run(Sample.events())
    #expect(run.hasEnded)
    run.read(Sample.event(#""kind":"runStarted""#), root: "")
    #expect(!run.hasEnded)
    run.read(Sample.event(#""kind":"runEnded""#), root: "")
    #expect(run.hasEnded)
  }

  @Test(
    "the end of the output says what is going on",
    arguments: [
      ("", "Building"), ("[3/7] Compiling A\n[4/7] Compiling B", "Building 4/7"),
      ("Another instance of SwiftPM (PID: 1) is already running", "Waiting for another swift command to finish"),
    ])
  func activity(output: String, line: String) {
    #expect(Kata.activity(output) == line)
  }

  @Test("lines break at spaces, and a long word stays whole")
  func wraps() {
    let terminal = Terminal(width: 12)

    #expect(terminal.wrap("one two three four", "- ") == ["- one two", "  three four"])
    #expect(terminal.wrap("a-very-long-word b\n\nc") == ["a-very-long-word", "b", "", "c"])
    #expect(terminal.wrap("") == [""])
    #expect(Terminal.fit("abcdef", 4) == "abc…" && Terminal.fit("ab", 4) == "ab  ")
  }

  @Test("colors and live lines are for terminals")
  func terminals() {
    var written = ""
    let pipe = Terminal { written += $0 }
    pipe.live("Testing")
    pipe.show([pipe.paint("x", .red)])
    let terminal = Terminal(hasControls: true, hasColor: true) { written += $0 }
    terminal.live("Testing")
    terminal.show([terminal.paint("x", .red)])

    #expect(written == "x\n\r\u{1B}[2mTesting\u{1B}[0m\u{1B}[K\r\u{1B}[K\u{1B}[31mx\u{1B}[0m\n")
  }

  @Test("a program has a folder, an exit code, and an output")
  func programs() throws {
    let folder = TemporaryFolder()
    try folder.write("", to: "x")
    func run(_ script: String, output: String = "y", while goesOn: () -> Bool = { true }) throws -> Int32 {
      try Child.run(
        ["sh", "-c", script], in: folder.path, environment: ProcessInfo.processInfo.environment,
        output: "\(folder.path)/\(output)",
        while: goesOn)
    }

    #expect(try run("pwd; echo error >&2; exit 3") == 3)
    #expect(Repository.text("\(folder.path)/y")?.hasSuffix("\(folder.path.suffix(20))\nerror\n") == true)
    // Where the tests were started, Ctrl-C may be ignored. Then force has to do.
    #expect([SIGINT, SIGKILL].contains(try run("sleep 100", while: { false })), "A result of no interest is not waited for.")
    #expect(throws: Problem.self) { try run("true", output: "x/y") }
  }
}
