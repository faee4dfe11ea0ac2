import Testing

@testable import kata

@Suite("The board")
struct BoardTests {
  @Test("the board shows each lesson, the first failure, and what to do")
  func whole() {
    let board = Sample.board(Sample.run(Sample.events(failing: [Sample.delivers], canceled: [Sample.refreshes])))

    #expect(
      board.lines.joined(separator: "\n") == """
        1  The manager that does everything               ██████░░░░░░░░░░░░░░    1/3
        2  Screens                                        ████████████████████    1/1 ✔

        Next: Lesson 1, Step 1: Send
        ✘ the server's response is delivered
          Send it once.
          Expectation failed: 0 == 1
          at Tests/Lessons/Lesson1/Step1Send.swift:5

        Edit  Exercises/Lesson1/HTTPManager.swift
        Read  Lessons/Lesson1.md, section "Step 1: Send"
        Run   swift test -q --filter Lesson1
        Hint  swift run kata hint

        L1 1/3 · L2 ✔
        """)
    #expect(board.exitCode == 1)
  }

  @Test("a named lesson lists its tests, and a named step has no line for the chat")
  func details() {
    let run = Sample.run(Sample.events(failing: [Sample.delivers], canceled: [Sample.refreshes]))
    let lesson = Sample.board(run, isDetailed: true).lines
    let step = Sample.board(run, isDetailed: true, step: 1).lines
    let before = ("Lesson1.Step0AsBefore/sends()/Step0AsBefore.swift:2:4", "unchanged: one call sends one request")
    let afterStep0 = Sample.run(Sample.events(Sample.names + [before], failing: [Sample.delivers]))

    #expect(
      lesson[1...7] == [
        "", "Step 1: send · 1/2", "  ✔ one call sends one request", "  ✘ the server's response is delivered", "",
        "Step 2: authorize (extra) · waits for the steps before", "  · expired credentials are refreshed first",
      ])
    #expect(lesson.last == "L1 1/3")
    #expect(step.contains("Run   swift test -q --filter Lesson1.Step1") && step.last == "Hint  swift run kata hint 1.1")
    #expect(Sample.board(afterStep0, isDetailed: true, step: 1).lines.contains("Run   swift test -q --filter 'Lesson1.Step[01]'"))
  }

  @Test("the board says that only extra steps are left")
  func extraSteps() {
    let lines = Sample.board(Sample.run(Sample.events(failing: [Sample.refreshes]))).lines
    let red = Sample.board(Sample.run(Sample.events(failing: [Sample.sends, Sample.refreshes]))).lines

    #expect(
      lines[3...5] == [
        "The core steps of Lesson 1 are green. The remaining steps are extra.", "", "Next: Lesson 1, Step 2: Authorize (extra)",
      ])
    #expect(red[3] == "Next: Lesson 1, Step 1: Send")
  }

  @Test("the board fits a narrow terminal")
  func narrow() {
    let run = Sample.run(Sample.events(failing: [Sample.sends]))

    #expect(Sample.board(run, isDetailed: true, width: 50).lines.allSatisfy { $0.count <= 50 })
    #expect(Sample.board(run, width: 20).lines[0] == "1  The man…    2/3")
  }

  @Test("the test is shown up to the line that complains")
  func code() {
    func shown(_ lines: [String]) -> [String] {
      let text = ["struct Step1Send {", "  @Test(\"it sends\")", "  func sendsOnce() {"] + lines
      let run = Sample.run(Sample.events(open: [Sample.sends]) + [Sample.issue(Sample.sends, line: text.count - 2)])
      let board = Sample.board(run, text: text.joined(separator: "\n")).lines
      return Array(board.drop { !$0.hasPrefix("  at ") }.dropFirst(2).prefix { !$0.hasPrefix("Edit") }.dropLast())
    }
    let end = ["    #expect(", "      0 == 1,", "      \"Send it once.\")"]

    #expect(shown([""] + end) == ["    func sendsOnce() {", "", "      #expect(", "        0 == 1,"])
    let long = shown(Array(repeating: "    load()", count: 20) + end)
    #expect(long.count == 12 && long.prefix(2) == ["    func sendsOnce() {", "    …"] && long.last == "        0 == 1,")
  }

  @Test("a green lesson leads to the end of its page, and to another lesson")
  func green() {
    let board = Sample.board(Sample.run(Sample.events()))

    #expect(
      board.lines.dropFirst(3) == [
        "Lesson 1 is green.", "Read  Lessons/Lesson1.md, section \"When you are green\"", "Next  swift run kata 2", "",
        "All lessons are green.", "", "L1 ✔ · L2 ✔",
      ])
    #expect(board.exitCode == 0)
    #expect(Sample.board(Sample.run(Sample.events()), isDetailed: true, step: 1).lines.last == "Lesson 1, step 1 is green.")
  }

  @Test("what is not counted is mentioned, and is not green")
  func warnings() {
    let own = Sample.board(Sample.run(Sample.events(Sample.names + [(Sample.own, "it adds")], failing: [Sample.own])))
    let stray = Sample.board(Sample.run(Sample.events() + [Sample.issue(nil)]))
    let empty = Sample.board(Sample.run([]))

    #expect(own.lines[0] == "Your own test \"it adds\" fails: Send it once.")
    #expect(stray.lines[0] == "Outside of any test: Send it once.")
    #expect(empty.lines[0].hasPrefix("No tests were reported.") && !empty.lines.contains { $0.contains("green") })
    #expect([own, stray, empty].map(\.exitCode) == [1, 1, 1])
  }

  @Test("tests that are green as shipped count only if they fail")
  func unchanged() {
    let names = [(Sample.sends, "unchanged: it sends"), (Sample.delivers, "it delivers")]
    let green = Sample.run(Sample.events(names)).steps(of: Sample.lessons[0])
    let red = Sample.run(Sample.events(names, failing: [Sample.sends])).steps(of: Sample.lessons[0])

    #expect(green[0].tests.map(\.name) == ["it delivers"] && red[0].tests.count == 2)
  }

  @Test("a crash has a reason, the place in the crashed thread, and the test whose turn it was")
  func crash() {
    let run = Sample.run(
      Sample.events(open: [Sample.sends, Sample.delivers, Sample.shows]), .crashed,
      output: """
        Exercise1/A.swift:3: Fatal error: oops
        Thread 2:
        0 [ra] wait() + 1 in x at Exercises/Lesson1/Other.swift:1:1

        Thread 3 "pool" crashed:
        0 [ra] specialized fail() + 1 in x at Exercises/Given/B.swift:2:1
        1 [ra] HTTPManager.send(_:) + 1 in x at Exercises/Lesson1/A.swift:3:5

        Thread 4:
        """)
    let board = Sample.board(run)

    #expect(
      board.lines.dropLast(2).suffix(4) == [
        "The test process crashed.", "  Exercise1/A.swift:3: Fatal error: oops", "  at Exercises/Lesson1/A.swift:3",
        "  while \"one call sends one request\" was running (Lesson 1, Step 1: send)",
      ])
    #expect(board.exitCode == 1)
  }

  @Test("a signal without a reason leads to Troubleshooting, with a test of each lesson")
  func signal() {
    let run = Sample.run(
      Sample.events(open: [Sample.refreshes, Sample.shows]), .crashed, output: "error: exited with unexpected signal code 5")

    #expect(
      Sample.board(run, width: 100).lines.dropLast(2).suffix(4) == [
        "The test process crashed.",
        "  It ended with signal 5. See Lessons/Troubleshooting.md, section \"When a run ends without results\".",
        "  while \"expired credentials are refreshed first\" was running (Lesson 1, Step 2: authorize (extra))",
        "  while \"the response fills the labels\" was running (Lesson 2, Step1Show)",
      ])
  }

  @Test("what the tests' support says about a run, or kata itself, takes the place of a crash")
  func verdicts() {
    let said = "↳ This run has failed: no test made progress for 20 seconds while \"x\" was running."
    let hang = Sample.run(Sample.events(open: [Sample.sends]), .crashed, output: said)
    var flood = Sample.run(Sample.events(open: [Sample.sends]), .crashed)
    flood.verdict = "The tests printed too much."

    #expect(Sample.board(hang).lines[3...4] == ["No test made progress for 20 seconds while \"x\" was running.", ""])
    #expect(Sample.board(flood).lines[3...4] == ["The tests printed too much.", ""])
  }

  @Test("a compile error names the file and the line, once")
  func compileError() {
    let error = "Exercises/Lesson1/A.swift:41:5: error: cannot find 'x' in scope\n"
    let noise = "39 |  // x\n   |  `- error: no\nmacro expansion #expect:1:2: error: cannot find 'x' in scope\n"
    let output = "[3/5] Emitting module\n\(error)\(noise)\(error)"
    let board = Sample.board(Sample.run([], .didNotBuild, output: output + "error: fatalError\n"))

    #expect(
      board.lines.joined(separator: "\n") == """
        The code does not compile.

        Exercises/Lesson1/A.swift:41
          cannot find 'x' in scope

        All lessons are built together, so no lesson has results until this is fixed.
        """)
    #expect(board.exitCode == 2)
  }

  @Test(
    "other build errors are shown, and explained where we can",
    arguments: [
      ("error: 'kata': invalid custom path 'x'\n", "  error: 'kata': invalid custom path 'x'"),
      ("the disk is full\n", "  the disk is full"),
      ("Tests/Lessons/Lesson1/World.swift:2:5: error: cannot find 'A' in scope\n", "The suites use names from Exercises."),
      ("Tests/Support/A.swift:3:8: error: no such module 'Testing'\n", "On a Mac, the Command Line Tools alone are not enough"),
    ])
  func otherErrors(output: String, words: String) {
    let lines = Sample.board(Sample.run([], .didNotBuild, output: output), width: 300).lines
    #expect(lines.contains { $0.contains(words) })
  }

  @Test("missing files are named")
  func missingFiles() {
    var board = Sample.board(Sample.run([], .didNotBuild, output: "error: link command failed\n"))
    board.missing = ["Exercises/Lesson1/A.swift", "Exercises/Lesson1/B.swift"]

    #expect(board.lines.joined(separator: " ").contains("Missing: Exercises/Lesson1/A.swift, Exercises/Lesson1/B.swift."))
  }

  @Test("an error in a learner's own tests leads to no advice about the suites")
  func ownError() {
    let output = "Tests/Lessons/Lesson3/YourTests.swift:2:5: error: cannot find 'spy' in scope\n"
    #expect(!Sample.board(Sample.run([], .didNotBuild, output: output), width: 300).lines.joined().contains("The suites"))
  }
}
