import Foundation
import Testing

@testable import kata

@Suite("The board, word for word")
struct BoardTests {
  @Test("a red step shows the test, the file, the page and the command")
  func redStep() {
    expect(
      Sample.board(Sample.progress(failing: [Sample.sends, Sample.refreshes])),
      """
      1  The manager that does everything               ######--------------    1/3
      2  Lesson 2                                       ####################    1/1 ✔

      Next: Lesson 1, step 1: send
      ✘ one call sends one request
        Each call of `load` sends its request to the server, and sends it once.
        Expectation failed: (scene.server.paths → []) == ["/articles"]
        at Tests/Lessons/Lesson1/Step1Send.swift:15

      Edit  Exercises/Lesson1/HTTPManager.swift
      Read  Lessons/Lesson1.md, section "Step 1: Send"
      Run   swift test -q --filter Lesson1
      Hint  swift run kata hint

      L1 1/3 · L2 ✔
      """)
  }

  @Test("the file to edit is the one that the step links to")
  func fileOfStep() {
    let lines = Sample.board(Sample.progress(failing: [Sample.refreshes])).lines(Sample.plain)

    #expect(lines.contains("Edit  Exercises/Lesson1/Token.swift"))
    #expect(lines.contains("Run   swift test -q --filter Lesson1"))
  }

  @Test("a narrow terminal without Unicode has no bars and only ASCII")
  func narrow() {
    var style = Sample.ascii
    style.width = 44
    expect(
      Sample.board(Sample.progress(failing: [Sample.sends])),
      """
      1  The manager that does everything    2/3
      2  Lesson 2                            1/1 +

      Next: Lesson 1, step 1: send
      x one call sends one request
        Each call of `load` sends its request to
        the server, and sends it once.
        Expectation failed: (scene.server.paths >
        []) == ["/articles"]
        at
        Tests/Lessons/Lesson1/Step1Send.swift:15

      Edit  Exercises/Lesson1/HTTPManager.swift
      Read  Lessons/Lesson1.md, section "Step 1:
            Send"
      Run   swift test -q --filter Lesson1
      Hint  swift run kata hint

      L1 2/3 | L2 +
      """, in: style)
  }

  @Test("a named lesson shows its steps and tests")
  func detailed() {
    let lines = Sample.board(Sample.progress(failing: [Sample.refreshes]), isDetailed: true).lines(Sample.plain)

    #expect(
      lines.prefix(8) == [
        "1  The manager that does everything               █████████████░░░░░░░    2/3", "", "Step 1: send · 2/2",
        "  ✔ one call sends one request", "  ✔ the server's data and response come back", "", "Step 2: authorize · 0/1",
        "  ✘ expired credentials are refreshed first",
      ])
    #expect(lines.last == "L1 2/3")
  }

  @Test("a named step shows its tests, and says if an earlier step is red")
  func oneStep() {
    let failing = Sample.board(Sample.progress(failing: [Sample.sends, Sample.refreshes]), isDetailed: true, step: 2)
    let lines = failing.lines(Sample.plain)

    #expect(
      lines.dropFirst().prefix(8) == [
        "", "Step 2: authorize · 0/1", "  ✘ expired credentials are refreshed first", "",
        "Step 1 is not green yet. Start there: later steps build on it.", "", "Next: Lesson 1, step 2: authorize",
        "✘ expired credentials are refreshed first",
      ])
    #expect(failing.exitCode == .red)
    let green = Sample.board(Sample.progress(failing: [Sample.sends]), isDetailed: true, step: 2)
    #expect(green.lines(Sample.plain).contains("Lesson 1, step 2 is green.") && green.exitCode == .green)
  }

  @Test("a failure shows its test up to the line that failed")
  func showsTheTest() {
    let head = String(repeating: "\n", count: 8) + "  @Test(\"sends\")\n  func sendsOnce() {\n"
    let body = "    let scene = Scene()\n\n    #expect(\n      scene.paths == [],\n      \"Send it.\")\n  }\n"
    let shown = { (text: String, line: Int) in
      var complaint = Sample.complaint
      complaint.line = line
      let progress = Sample.progress(failing: [Sample.sends], with: complaint)
      let lines = Sample.board(progress, text: text).lines(Sample.plain)
      return Array(lines.drop { !$0.hasPrefix("  at ") }.dropFirst(2).prefix { !$0.hasPrefix("Edit") }.dropLast())
    }

    #expect(
      shown(head + body, 13) == [
        "    func sendsOnce() {", "      let scene = Scene()", "", "      #expect(", "        scene.paths == [],",
      ])
    let long = shown(head + String(repeating: "    load()\n", count: 20) + body, 33)
    #expect(
      long.count == 12 && long.prefix(2) == ["    func sendsOnce() {", "      …"] && long.last == "        scene.paths == [],")
  }

  @Test("a lesson that has just turned green shows the questions of its page")
  func justGreen() {
    expect(
      Sample.board(Sample.progress(failing: [Sample.shows]), isJustGreen: true, next: 2),
      """
      1  The manager that does everything               ####################    3/3 ✔
      2  Lesson 2                                       --------------------    0/1

      Lesson 1 is green.

      To think about, or to discuss:
      - Which one can you test without the other two?
      - Where is the order written down?

      Read  Lessons/Lesson1.md, section "When you are green"
      Next  swift run kata 2

      L1 ✔ · L2 0/1
      """)
  }

  @Test("a green board says so and shows no questions")
  func allGreen() {
    let lines = Sample.board(Sample.progress()).lines(Sample.plain)

    #expect(lines.contains("All lessons are green. Each page ends with questions that are worth discussing:"))
    #expect(!lines.contains("To think about, or to discuss:"), "The questions are shown only once.")
    #expect(lines.last == "L1 ✔ · L2 ✔")
  }

  @Test("the board says that a page cannot be read")
  func withoutPage() {
    let lines = Sample.board(Sample.progress(failing: [Sample.shows]), current: 2).lines(Sample.plain)

    #expect(lines.contains("Edit  Exercises/Lesson2/ProfileViewController.swift"))
    #expect(lines.contains("Read  Lessons/Lesson2.md cannot be read."))
  }

  @Test("the board warns about a run without tests and about stray issues")
  func warnings() {
    var progress = SuiteProgress()
    progress.add(.issue(testID: nil, Sample.complaint))
    let lines = Sample.board(progress).lines(Sample.plain)

    #expect(lines[0] == "Outside of any test: Each call of `load` sends its request to the server, and")
    #expect(lines[3].hasPrefix("No tests were reported."))
  }

  @Test("a learner's own test is shown if it fails, and never counted")
  func ownTests() {
    var progress = Sample.progress()
    progress.add(.test(id: Sample.own, name: "adds()"))
    let passing = Sample.board(progress)
    #expect(passing.lines(Sample.plain).first?.hasSuffix("3/3 ✔") == true && passing.exitCode == .green)

    progress.add(.issue(testID: Sample.own, Complaint(expectation: "Expectation failed: 1 == 2")))
    let board = Sample.board(progress)
    let lines = board.lines(Sample.plain)
    #expect(lines[0] == "Your own test \"adds()\" fails: Expectation failed: 1 == 2")
    #expect(lines.last == "L1 ✔ · L2 ✔" && board.exitCode == .red)
  }

  /// A run of Lesson 1 whose step 2 is an extra one.
  private func extra(failing: [String], isDetailed: Bool = false) -> [String] {
    let page = Page(Sample.pageText.replacing("## Step 2: Authorize", with: "## Step 2: Authorize (extra)"))
    let lesson = Lesson(number: 1, stamps: [:], page: page)
    var progress = Sample.progress(failing: failing)
    progress.add(.suite(id: "Lesson1.Step2Authorize", name: "Step 2: authorize (extra)"))
    let report = RunReport(ending: .finished, progress: progress, output: "")
    return BoardState(
      lessons: [lesson], report: report, current: lesson, isDetailed: isDetailed, isJustGreen: false, next: nil, missing: []
    ).lines(Sample.plain)
  }

  @Test("an extra step is marked, and the green core steps are mentioned")
  func extraStep() {
    let lines = extra(failing: [Sample.refreshes])

    #expect(
      lines.dropFirst(2).prefix(3) == [
        "The core steps of Lesson 1 are green. The remaining steps are extra.", "", "Next: Lesson 1, step 2: authorize (extra)",
      ])
    #expect(lines.contains("Read  Lessons/Lesson1.md, section \"Step 2: Authorize (extra)\""))
    #expect(extra(failing: [Sample.refreshes], isDetailed: true).contains("Step 2: authorize (extra) · 0/1"))
  }

  @Test("the board says nothing about extra steps while a core step is red")
  func coreStep() {
    let lines = extra(failing: [Sample.sends, Sample.refreshes])

    #expect(lines.contains("Next: Lesson 1, step 1: send") && !lines.joined().contains("The remaining steps are extra."))
  }

  @Test("color changes nothing but the color")
  func colored() {
    var style = Sample.plain
    style.hasColor = true
    let progress = Sample.progress(failing: [Sample.sends])

    let colored = Sample.board(progress).lines(style).map { $0.replacing(/\u{1B}\[\d+m/, with: "") }

    #expect(colored == Sample.board(progress).lines(Sample.plain))
  }

  private func expect(
    _ board: BoardState, _ text: String, in style: Style = Sample.plain, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(board.lines(style).map(style.printable).joined(separator: "\n") == text, sourceLocation: sourceLocation)
  }
}
