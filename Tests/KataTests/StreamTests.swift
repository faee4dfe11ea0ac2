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

  @Test("the times of a run are read")
  func readsTimes() {
    let progress = progress(
      #""kind":"runStarted","instant":{"absolute":3.5,"since1970":1}"#, #""kind":"runEnded","instant":{"absolute":5.5}"#)

    #expect(progress.hasEnded && progress.duration == 2)
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
    #expect(progress.recordCount == 0)

    progress.read(Data(#"{"kind":"metadata","payload":{},"version":0}"#.utf8), root: "/kata")
    #expect(progress.recordCount == 1, "A record of an unknown kind is a sign of life.")
  }

  @Test("a growing file is read line by line")
  func followsFile() throws {
    let folder = try TemporaryFolder()
    try folder.append("one\ntw", to: "output.txt")
    let reader = LineReader(file: "\(folder.path)/output.txt")

    #expect(reader.next() == [Data("one".utf8)])
    #expect(reader.unfinished == Data("tw".utf8))
    try folder.append("o\n\nthr", to: "output.txt")
    #expect(reader.next() == [Data("two".utf8)])
    #expect(reader.next().isEmpty)
  }

  @Test("a missing file has no lines")
  func missingFile() {
    #expect(LineReader(file: "/no/such/file").next().isEmpty)
  }

  @Test("a pipe delivers the lines of several processes")
  func followsPipe() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/events"
    let reader = try LineReader(newPipe: path)

    #expect(reader.next().isEmpty)
    for line in ["one", "two"] {
      let shell = try Child(["sh", "-c", "echo \(line) > '\(path)'"], environment: [:], output: "\(folder.path)/output.txt")
      #expect(try shell.wait() == 0)
    }
    reader.wait(atMost: 0)
    #expect(reader.next() == [Data("one".utf8), Data("two".utf8)])
  }

  @Test("an ID has parts")
  func readsIDs() {
    let test = TestID("Lesson1.Step2Authorize/refreshesFirst()/Step2Authorize.swift:48:4")

    #expect(test?.lesson == 1 && test?.step == 2 && test?.line == 48 && test?.functionName == "refreshesFirst")
    #expect(TestID("Solution12Tests.Step3Block/a(b:)/Step3Block.swift:1:2")?.lesson == 12)
    #expect(TestID("Solution12Tests.Step3Block") == nil && TestID("nothing") == nil && TestID("") == nil)
  }
}
