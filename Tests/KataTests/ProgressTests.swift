import Testing

@testable import kata

@Suite("The progress of a run")
struct ProgressTests {
  @Test("passed tests are counted, and steps are in order")
  func counts() {
    let progress = Sample.progress(failing: [Sample.refreshes])
    let first = progress.lesson(1)

    #expect(first.passed == 2 && first.all == 3 && !first.isGreen)
    #expect(first.steps.map(\.title) == ["Step 1: send", "Step 2: authorize"])
    #expect(first.currentStep?.suite == "Step2Authorize")
    #expect(progress.lesson(2).isGreen)
  }

  @Test("a test counts once, even if several of its cases fail")
  func countsFunctions() {
    var progress = Sample.progress(failing: [Sample.sends])
    progress.add(.issue(testID: Sample.sends, Sample.complaint))

    #expect(progress.failed.count == 1)
    #expect(progress.failed.first?.complaints.count == 2)
  }

  @Test("a test that has started and not ended was running")
  func knowsRunning() {
    let progress = Sample.progress(open: [Sample.delivers])

    #expect(progress.running.map(\.name) == ["the server's data and response come back"])
    #expect(!progress.hasEnded)
    #expect(progress.lesson(1).currentStep?.next?.id.function == "delivers()")
  }

  @Test("several runs end with the last of them")
  func severalRuns() {
    var progress = Sample.progress()
    progress.add(.runStarted)
    #expect(!progress.hasEnded)

    progress.add(.runEnded)
    #expect(progress.hasEnded)
  }

  @Test("a skipped test is left out")
  func leavesOutSkipped() {
    var progress = Sample.progress()
    progress.add(.testSkipped(id: Sample.sends))

    #expect(progress.lesson(1).all == 2)
  }

  @Test("a test that has not run is not green", arguments: ["skip", "passWithKnownIssue"])
  func knowsWhatHasNotRun(symbol: String) {
    var progress = Sample.progress()
    progress.add(Event(kind: "testEnded", testID: Sample.delivers, messages: [.init(symbol: symbol, text: "It did not run.")]))

    #expect(progress.lesson(1).passed == 2 && progress.lesson(1).all == 3)
  }

  @Test("a test that is green as shipped counts only if it fails")
  func leavesOutUnchanged() {
    var progress = Sample.progress(failing: [Sample.sends, Sample.refreshes])
    progress.add(.test(id: Sample.delivers, name: "unchanged: the response is delivered"))
    progress.add(.testEnded(id: Sample.delivers, failed: false))
    #expect(progress.lesson(1).passed == 0 && progress.lesson(1).all == 2)

    progress.add(.testEnded(id: Sample.delivers, failed: true))
    #expect(progress.lesson(1).all == 3)
  }

  @Test("an issue outside of any test makes the board red")
  func recordsStrayIssues() {
    var progress = Sample.progress()
    progress.add(.issue(testID: nil, Sample.complaint))

    #expect(progress.strayComplaints == [Sample.complaint])
    #expect(Sample.board(progress).exitCode == .red)
  }
}
