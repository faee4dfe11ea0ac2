import Testing

@testable import kata

@Suite("Compile errors and crashes")
struct TroubleTests {
  private let buildOutput = """
    Building for debugging...
    [3/5] Emitting module Exercise1
    Exercises/Lesson1/HTTPManager.swift:41:5: error: cannot find 'completionx' in scope
    39 |     // Step 2: put the access token on the request.
       |     `- error: cannot find 'completionx' in scope
    Exercises/Lesson1/HTTPManager.swift:20:9: warning: variable 'x' was never used
    Exercises/Lesson1/HTTPManager.swift:41:5: error: cannot find 'completionx' in scope
    error: fatalError
    """

  @Test("a compile error names the lesson, the file and the line")
  func compileError() {
    expect(
      Sample.board(SuiteProgress(), .didNotBuild, output: buildOutput),
      """
      Lesson 1 does not compile.

      Exercises/Lesson1/HTTPManager.swift:41
        cannot find 'completionx' in scope

      All lessons are built together, so no lesson has results until this is fixed.
      """)
  }

  @Test("a build error without a file is shown")
  func buildFailure() {
    expect(
      Sample.board(SuiteProgress(), .didNotBuild, output: "error: 'kata': invalid custom path 'x' for target 'y'\n"),
      """
      The package could not be built.

        error: 'kata': invalid custom path 'x' for target 'y'
      """)
  }

  @Test(
    "a wrong toolchain leads to advice",
    arguments: [
      ("/kata/A.swift:3:8: error: no such module 'Testing'", "Command Line Tools"),
      ("error: plugin for module 'TestingMacros' not found", "Command Line Tools"),
      ("error: package 'k' is using Swift tools version 6.2.0 but the installed version is 6.1.2", "Swift 6.2 or later"),
    ])
  func recognizesSetups(output: String, advice: String) {
    let lines = Sample.board(SuiteProgress(), .didNotBuild, output: output).lines(Sample.plain)

    #expect(lines.joined(separator: " ").contains(advice))
  }

  @Test("an error in an exercise leads to no advice about the toolchain")
  func ordinaryError() {
    #expect(RunReport(ending: .didNotBuild, progress: SuiteProgress(), output: buildOutput).setupAdvice == nil)
  }

  @Test(
    "an error in a suite leads to advice that fits",
    arguments: [
      (
        "Lesson1/Scene.swift:23:5: error: cannot find 'HTTPManager' in scope", "The suite for Lesson 1",
        "The suites use names from"
      ),
      (
        "Lesson4/Scene.swift:32:81: error: ambiguous use of 'expired'", "The suite for Lesson 4", "Your code declares a name that"
      ),
      ("Lesson3/YourTests.swift:23:5: error: cannot find 'spy' in scope", "Your test file for Lesson 3", nil),
    ])
  func suiteError(error: String, place: String, advice: String?) {
    let lines = Sample.board(SuiteProgress(), .didNotBuild, output: "Tests/Lessons/\(error)\n").lines(Sample.plain)

    #expect(lines[0] == "\(place) does not compile.")
    #expect(advice.map { advice in lines.contains { $0.hasPrefix(advice) } } ?? !lines.contains { $0.contains("git restore") })
  }

  @Test("a build that prints nothing leads to advice about the disk")
  func silentBuild() {
    let lines = Sample.board(SuiteProgress(), .didNotBuild).lines(Sample.plain)

    #expect(lines.contains { $0.hasPrefix("`swift test` printed nothing.") })
  }

  @Test("a test that prints without end is named")
  func flood() {
    let lines = Sample.board(Sample.progress(open: [Sample.refreshes]), .flooded).lines(Sample.plain)

    #expect(lines.contains("The tests printed more than 50 MB, so the run was stopped. Look for an endless"))
    #expect(lines.contains("- L1 step 2: expired credentials are refreshed first"))
  }

  @Test("missing exercise files are named")
  func missingFiles() {
    let lines = Sample.board(
      SuiteProgress(), .didNotBuild, output: "error: link command failed",
      missing: ["Exercises/Lesson1/A.swift", "Exercises/Lesson1/B.swift"]
    ).lines(Sample.plain).joined(separator: " ")

    #expect(lines.contains("link command failed"))
    #expect(lines.contains("These files are missing: Exercises/Lesson1/A.swift and Exercises/Lesson1/B.swift."))
  }

  @Test("a crash names the place and the test from the backtrace")
  func crash() {
    let output = """
      Swift/ContiguousArrayBuffer.swift:692: Fatal error: Index out of range
      Thread 3 "-qos":

        0  0x00007f epoll_wait + 86 in libc.so.6 at Exercises/Lesson1/Other.swift:1:1

      Thread 4 "oot.default-qos" crashed:

        0  0x00007f closure #1 in _assertionFailure(_:_:file:line:flags:) + 623 in libswiftCore.so
        3 [ra] 0x00005618 HTTPManager.load(_:completion:) + 554 in x.xctest at Exercises/Lesson1/HTTPManager.swift:41:64
        4 [ra] 0x00005618 Scene.load(_:with:) + 1463 in x.xctest at Tests/Lessons/Lesson1/Scene.swift:42:24
        5 [async] 0x00005618 Step1Send.delivers() in x.xctest at Tests/Lessons/Lesson1/Step1Send.swift:27
      error: Process 'x.xctest' exited with unexpected signal code 4
      """
    expect(
      Sample.board(
        Sample.progress(failing: [Sample.shows], open: [Sample.delivers, Sample.refreshes]), .crashed, output: output),
      """
      1  The manager that does everything               ######--------------    1/3
      2  Lesson 2                                       --------------------    0/1

      The test process crashed.
        Fatal error: Index out of range
        at Exercises/Lesson1/HTTPManager.swift:41
      This test was running:
      - L1 step 1: the server's data and response come back
      Tests that did not finish count as failed.

      L1 1/3 · L2 0/1
      """)
  }

  @Test("a crash without a backtrace names all tests that were running")
  func crashWithoutBacktrace() {
    let board = Sample.board(
      Sample.progress(open: [Sample.sends, Sample.shows]), .crashed, output: "error: exited with unexpected signal code 11")

    #expect(
      board.lines(Sample.plain).dropFirst(3).prefix(5) == [
        "The test process crashed.", "  Signal 11. Look for endless recursion: code that calls itself again and again.",
        "These tests were running:",
        "- L1 step 1: one call sends one request", "- L2 step 1: the response fills the labels",
      ])
  }

  @Test("what the watchdog of the tests has said comes first")
  func watchdog() {
    let output = "↳ This run has failed: the test process exited. Look for a call to `exit`.\nerror: Exited with 1\n"
    let lines = Sample.board(Sample.progress(open: [Sample.sends]), .crashed, output: output).lines(Sample.plain)

    #expect(lines.dropFirst(3).prefix(2) == ["The test process exited. Look for a call to `exit`.", "This test was running:"])
  }

  @Test(
    "a signal without a reason leads to its usual causes", arguments: [("5", "DispatchQueue.main.sync"), ("10", "recursion")])
  func usualCauses(signal: String, cause: String) {
    #expect(CrashReport(output: "error: exited with unexpected signal code \(signal)").reason?.contains(cause) == true)
  }

  @Test("the test that crashed is the first frame of a suite", arguments: ["delivers(after:) + 1463", "delivers(after:)"])
  func crashedTest(frame: String) {
    let report = CrashReport(
      output: """
        Thread 1 "-qos" crashed:
          4 [ra] 0x0005 Scene.load(_:with:) + 1463 in x.xctest at Tests/Lessons/Lesson1/Scene.swift:42:24
          5 [ra] 0x0006 Step1Send.\(frame) in x.xctest at Tests/Lessons/Lesson1/Step1Send.swift:27
          6 [async] 0x0007 static Step1Send.$s7() in x.xctest at Tests/Lessons/Lesson1/Step1Send.swift:27
        """)

    #expect(report.test == "Step1Send.delivers(after:)")
  }

  @Test("a fatal error in the exercise names its line without a backtrace")
  func fatalErrorPlace() {
    let report = CrashReport(output: "Exercise1/HTTPManager.swift:41: Fatal error: not yet\n")

    #expect(report.reason == "Fatal error: not yet" && report.test == nil)
    #expect(report.place == "Exercises/Lesson1/HTTPManager.swift:41")
  }

  private func expect(
    _ board: BoardState, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let lines = board.lines(Sample.plain).map(Sample.plain.printable)
    #expect(lines.joined(separator: "\n") == text, sourceLocation: sourceLocation)
  }
}
