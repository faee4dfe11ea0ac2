import Foundation
import Testing

@testable import kata

@Suite("Running and following a process")
struct RunTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func child(_ arguments: String...) throws -> Child {
    try Child(arguments, environment: ProcessInfo.processInfo.environment, output: "\(folder.path)/output.txt")
  }

  @Test("a process reports its exit code, signal and output")
  func ends() throws {
    #expect(try child("sh", "-c", "echo out; echo err >&2; exit 3").wait() == 3)
    #expect(Files.text("\(folder.path)/output.txt") == "out\nerr\n")
    #expect(try child("sh", "-c", "kill -9 $$").wait() == 9)
  }

  @Test("an unknown program fails with its name in the output")
  func unknownProgram() throws {
    #expect(try child("no-such-program-here").wait() == 127)
    #expect(Files.text("\(folder.path)/output.txt")?.contains("no-such-program-here") == true)
  }

  @Test("a process that ignores polite signals is stopped by force")
  func stops() throws {
    let child = try child("sh", "-c", "trap '' INT TERM; echo ready; while :; do :; done")
    while Files.text("\(folder.path)/output.txt") != "ready\n" {}

    child.stop(patience: 0)

    #expect(child.status == 9)
  }

  @Test("an output file that cannot be written is a problem")
  func unwritableOutput() throws {
    let problem = try #require(throws: Problem.self) {
      try Child(["true"], environment: ProcessInfo.processInfo.environment, output: "\(folder.path)/no/such/folder.txt")
    }

    #expect(problem.sentence.contains("cannot be written"))
  }

  private func follower(silence: Int = 30, limit: Int = Follower.limit) throws -> Follower {
    for file in ["events.jsonl", "output.txt"] { try folder.append("", to: file) }
    let (events, output) = (LineReader(file: "\(folder.path)/events.jsonl"), LineReader(file: "\(folder.path)/output.txt"))
    return Follower(events: events, output: output, root: "/kata", silence: silence, limit: limit)
  }

  private func event(_ kind: String) -> String { #"{"kind":"event","payload":{"kind":"\#(kind)"},"version":0}"# + "\n" }

  @Test("only running tests may not be silent")
  func silence() throws {
    var follower = try follower(silence: 0)
    try folder.append("[3/7] Compiling\n", to: "output.txt")
    follower.follow()
    #expect(follower.line == "Building 3/7" && follower.trouble == nil)

    try folder.append(event("runStarted"), to: "events.jsonl")
    follower.follow()
    #expect(follower.line == "Testing" && follower.trouble == .hung(seconds: 0))
  }

  @Test("the output shows that tests run if events are late")
  func lateEvents() throws {
    var follower = try follower(silence: 0)
    try folder.append("Build complete! (1.00 secs)\n◇ Test run started.\n", to: "output.txt")
    follower.follow()
    #expect(follower.line == "Testing" && follower.trouble == .hung(seconds: 0))

    try folder.append(event("runStarted") + event("runEnded"), to: "merged.jsonl")
    follower.follow(LineReader(file: "\(folder.path)/merged.jsonl"))
    #expect(follower.ending(1, output: "") == .finished)
  }

  @Test("a run that prints too much is stopped")
  func flood() throws {
    var follower = try follower(limit: 100)
    try folder.append("Build complete!\n", to: "output.txt")
    follower.follow()
    #expect(follower.trouble == nil)

    try folder.append(String(repeating: "looking for the response\n", count: 10), to: "output.txt")
    follower.follow()
    #expect(follower.trouble == .flooded)
  }

  @Test("paths in the package are shortened, also behind links")
  func shortensPaths() {
    let text = SuiteRun.relative("/k/Tests/Solutions/Lesson1/A.swift:1 /k/Tests/Given/B.swift /k/D /x/E", to: "/k")

    #expect(text == "Solutions/Lesson1/A.swift:1 Exercises/Given/B.swift D /x/E")
  }

  @Test("another swift command that locks the build folder is named")
  func otherInstance() throws {
    var follower = try follower()
    try folder.append("Another instance of SwiftPM (PID: 1) is already running", to: "output.txt")
    follower.follow()

    #expect(follower.line == "Waiting for another swift command to finish")
  }

  @Test("events and output decide what an exit means")
  func endings() throws {
    var follower = try follower()

    #expect(follower.ending(0, output: "") == .finished, "A filter that matches nothing is no error.")
    #expect(follower.ending(1, output: "error: x") == .didNotBuild)
    #expect(follower.ending(1, output: "Build complete! (1s)") == .crashed)

    try folder.append(event("runStarted"), to: "events.jsonl")
    follower.follow()
    #expect(follower.ending(1, output: "") == .crashed)
    #expect(follower.ending(0, output: "") == .crashed, "The process exited before its tests ended.")

    try folder.append(event("runEnded"), to: "events.jsonl")
    follower.follow()
    #expect(follower.ending(1, output: "") == .finished)
  }
}
