import Foundation
import Testing

@testable import kata

@Suite("The event stream")
struct StreamTests {
  /// The progress after some lines of the stream. Each is an event with these fields.
  private func progress(_ payloads: String...) -> SuiteProgress {
    var progress = SuiteProgress()
    for payload in payloads {
      progress.read(Data(#"{"kind":"event","payload":{\#(payload)},"version":0}"#.replacing("\n", with: " ").utf8), root: "/kata")
    }
    return progress
  }

  private let sends = #""testID":"\#(Sample.sends)""#
  private let test = #""id":"\#(Sample.sends)","kind":"function","name":"sendsOnce()""#

  @Test("suites and tests have names")
  func readsTests() {
    let progress = progress(#""displayName":"Step 1: send","id":"Lesson1.Step1Send","kind":"suite","name":"Step1Send""#, test)

    #expect(progress.suiteNames == ["Lesson1.Step1Send": "Step 1: send"])
    #expect(progress.tests[Sample.sends]?.name == "sendsOnce()", "A test without a display name has its own name.")
  }

  @Test(
    "every kind of event is read",
    arguments: [
      (#""kind":"testStarted","#, TestProgress.State.running), (#""kind":"testEnded","#, .passed),
      (#""kind":"testEnded","messages":[{"symbol":"fail","text":""}],"#, .failed), (#""kind":"testSkipped","#, .skipped),
      (#""kind":"testEnded","messages":[{"symbol":"skip","text":"Test was cancelled"}],"#, .waiting),
      (#""kind":"testCaseStarted","#, .waiting), (#""kind":"valueAttached","#, .waiting), ("", .waiting),
    ])
  func readsEvents(fields: String, state: TestProgress.State) {
    #expect(progress(test, fields + sends).tests[Sample.sends]?.state == state)
  }

  @Test("an issue has a sentence, an expectation and a place")
  func readsIssue() {
    let issue = #"""
      "_comments":["Store first."],
      "issue":{"isKnown":false,"sourceLocation":{"_filePath":"/kata/A.swift","column":5,"line":133}},
      "kind":"issueRecorded","messages":[{"symbol":"fail","text":"Expectation failed: 0 == 1"},
      {"symbol":"difference","text":"removed 1"},{"symbol":"details","text":"Store first."},
      {"symbol":"details","text":"This happened with status: 400."}],
      """#

    #expect(
      progress(test, issue + sends).tests[Sample.sends]?.complaints == [
        Complaint(
          sentence: "Store first.\nThis happened with status: 400.", expectation: "Expectation failed: 0 == 1", file: "A.swift",
          line: 133)
      ])
  }

  @Test("a caught error has no sentence")
  func readsMuteIssue() {
    let progress = progress(test, #""kind":"issueRecorded","messages":[{"symbol":"fail","text":"Caught error: x"}],"# + sends)

    #expect(progress.tests[Sample.sends]?.complaints == [Complaint(expectation: "Caught error: x")])
  }

  @Test("known issues and warnings do not make a test fail", arguments: ["passWithKnownIssue", "warning"])
  func leavesOutKnownIssues(symbol: String) {
    let progress = progress(test, #""kind":"issueRecorded","messages":[{"symbol":"\#(symbol)","text":"x"}],"# + sends)

    #expect(progress.failed.isEmpty)
  }

  @Test("a line that is not a record is left out", arguments: ["[]", #"{"kind":"event","payload":{"na"#, ""])
  func leavesOutFragments(line: String) {
    var progress = SuiteProgress()
    progress.read(Data(line.utf8), root: "/kata")

    #expect(progress == SuiteProgress())
  }

  @Test("an ID has parts")
  func readsIDs() {
    let test = TestID("Lesson1.Step2Authorize/refreshesFirst()/Step2Authorize.swift:48:4")

    #expect(test?.lesson == 1 && test?.step == 2 && test?.line == 48 && test?.function == "refreshesFirst()")
    #expect(TestID("Lesson12.Step3Block/a(b:)/Step3Block.swift:1:2")?.lesson == 12)
    #expect(TestID("Lesson12.Step3Block") == nil && TestID("nothing") == nil && TestID("") == nil)
  }
}
