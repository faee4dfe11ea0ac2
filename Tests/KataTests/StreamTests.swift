import Foundation
import Testing

@testable import kata

@Suite("The event stream")
struct StreamTests {
  private func event(_ fields: String, version: String = "0") -> String {
    #"{"kind":"event","payload":{"instant":{"absolute":3.5,"since1970":1},"messages":[],\#(fields)},"version":\#(version)}"#
  }

  private func read(_ line: String) -> Record? { Record.read(Data(line.utf8))?.record }

  @Test("suites and tests bring their names")
  func readsTests() {
    let suite = #"{"kind":"test","payload":{"displayName":"Step 1: send","id":"A.B","kind":"suite","name":"B"},"version":0}"#
    let test = #"{"kind":"test","payload":{"id":"A.B/c()/B.swift:1:2","kind":"function","name":"c()"},"version":0}"#

    #expect(read(suite) == .suite(id: "A.B", name: "Step 1: send"))
    #expect(read(test) == .test(id: "A.B/c()/B.swift:1:2", name: "c()"), "A test without a display name has its own name.")
  }

  @Test(
    "every kind of event is read",
    arguments: [
      (#""kind":"runStarted""#, Record.runStarted(at: 3.5)), (#""kind":"runEnded""#, .runEnded(at: 3.5)),
      (#""kind":"testStarted","testID":"t""#, .testStarted(id: "t")),
      (#""kind":"testEnded","testID":"t""#, .testEnded(id: "t", failed: false)),
      (#""kind":"testEnded","testID":"t","messages":[{"symbol":"fail","text":""}]"#, .testEnded(id: "t", failed: true)),
      (#""kind":"testSkipped","testID":"t""#, .testSkipped(id: "t")),
      (#""kind":"testCaseStarted","testID":"t""#, .other("testCaseStarted")),
      (#""kind":"testCaseEnded","testID":"t""#, .other("testCaseEnded")),
      (#""kind":"valueAttached","testID":"t""#, .other("valueAttached")),
      (#""kind":"testStarted""#, .other("testStarted")),
    ])
  func readsEvents(fields: String, record: Record) {
    let line = #"{"kind":"event","payload":{"instant":{"absolute":3.5},\#(fields)},"version":0}"#

    #expect(read(line) == record)
  }

  @Test("an issue brings its sentence, the expectation, the argument and the place")
  func readsIssue() {
    let line = #"""
      {"kind":"event","payload":{"_comments":["Store first."],"_testCase":{"displayName":"400","id":"x"},
      "issue":{"isKnown":false,"sourceLocation":{"_filePath":"/kata/A.swift","column":5,"line":133}},
      "kind":"issueRecorded","messages":[{"symbol":"fail","text":"Expectation failed: 0 == 1"},
      {"symbol":"difference","text":"removed 1"},{"symbol":"details","text":"Store first."}],"testID":"t"},"version":0}
      """#.replacing("\n", with: " ")

    #expect(
      read(line)
        == .issue(
          testID: "t",
          Complaint(
            sentence: "Store first.", expectation: "Expectation failed: 0 == 1", argument: "400", file: "/kata/A.swift", line: 133
          )))
  }

  @Test("a newer version without underscores is read as well")
  func readsNewerNames() {
    let line = #"""
      {"kind":"event","payload":{"comments":["Store first."],"testCase":{"displayName":"400"},
      "issue":{"isFailure":true,"severity":"error","sourceLocation":{"filePath":"/kata/A.swift","line":7}},
      "kind":"issueRecorded","messages":[{"symbol":"fail","text":"Expectation failed: 0 == 1"}],"testID":"t"},"version":"6.3"}
      """#.replacing("\n", with: " ")

    guard case .issue("t", let complaint)? = read(line) else {
      Issue.record("The line is an issue of the test t.")
      return
    }
    #expect(complaint.sentence == "Store first." && complaint.argument == "400")
    #expect(complaint.file == "/kata/A.swift" && complaint.line == 7)
  }

  @Test("a caught error and a bare expectation have no sentence")
  func readsMuteIssue() {
    let line = event(
      #""kind":"issueRecorded","testID":"t","_comments":[],"messages":[{"symbol":"fail","text":"Caught error: x"}]"#)

    #expect(Complaint(expectation: "Caught error: x") == complaint(in: line))
  }

  @Test(
    "known issues and warnings make nobody fail",
    arguments: [#"{"isKnown":true}"#, #"{"isKnown":false,"severity":"warning"}"#, #"{"isFailure":false}"#])
  func leavesOutKnownIssues(issue: String) {
    #expect(read(event(#""kind":"issueRecorded","testID":"t","issue":\#(issue)"#)) == .other("issueRecorded"))
  }

  @Test("unknown kinds of records are left out, and what is no record is no harm", arguments: ["metadata", "test", "event"])
  func readsUnknownKinds(kind: String) {
    #expect(read(#"{"kind":"\#(kind)","payload":{},"version":0}"#) == .other(kind))
    #expect(read(#"{"kind":"\#(kind)","payload":{"na"#) == nil)
    #expect(read("[]") == nil)
  }

  @Test(
    "an unknown version is noted, a known one is not", arguments: [("0", nil), (#""6.3""#, nil), (#""7.1""#, "7.1"), ("9", "9")])
  func notesVersions(version: String, noted: String?) {
    var progress = SuiteProgress()

    progress.read(Data(event(#""kind":"runStarted""#, version: version).utf8))

    #expect(progress.unknownVersion == noted)
    #expect(progress.recordCount == 1 && !progress.hasEnded, "What can be read of an unknown version is read.")
  }

  @Test("a growing file is read line by line, and an unfinished line is kept for later")
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

  @Test("a pipe delivers the lines of every process that truncates and writes it")
  func followsPipe() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/events"
    let reader = try LineReader(newPipe: path)

    #expect(reader.next().isEmpty)
    for line in ["one", "two"] {
      let shell = try Child(["sh", "-c", "echo \(line) > '\(path)'"], environment: [:], output: "\(folder.path)/output.txt")
      #expect(try shell.wait() == .exit(0))
    }
    reader.wait(atMost: 0)
    #expect(reader.next() == [Data("one".utf8), Data("two".utf8)])
  }

  @Test("the parts of an ID")
  func readsIDs() {
    let test = TestID("Lesson1.Step2Authorize/refreshesFirst()/Step2Authorize.swift:48:4")
    let suite = TestID("Solution12Tests.Step3Block")

    #expect(test?.lesson == 1 && test?.step == 2 && test?.line == 48 && test?.function == "refreshesFirst()")
    #expect(suite?.lesson == 12 && suite?.step == 3 && suite?.function == nil)
    #expect(TestID("nothing") == nil && TestID("") == nil)
  }

  private func complaint(in line: String) -> Complaint? {
    if case .issue(_, let complaint)? = read(line) { complaint } else { nil }
  }
}
