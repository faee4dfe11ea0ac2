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

  @Test(
    "the end of the output says what is going on",
    arguments: [
      ("", "Building"), ("[3/7] Compiling A\n[4/7] Compiling B", "Building 4/7"),
      ("[7/7] Linking\nBuild complete! (1.00 secs)", "Testing"),
      ("Another instance of SwiftPM (PID: 1) is already running", "Waiting for another swift command to finish"),
    ])
  func activity(output: String, line: String) throws {
    #expect(SuiteRun.activity(output) == line)

    try folder.write(String(repeating: "long ago [1/7]\n", count: 100) + output, to: "output.txt")
    #expect(Files.end("\(folder.path)/output.txt").hasSuffix(output))
    #expect(Files.end("\(folder.path)/no-such-file").isEmpty)
  }

  @Test("events and output decide what an exit means")
  func endings() {
    let (nothing, open, ended) = (SuiteProgress(), Sample.progress(open: [Sample.sends]), Sample.progress())
    func ending(_ status: Int32, _ progress: SuiteProgress, _ output: String = "") -> RunReport.Ending {
      RunReport.Ending(status: status, progress: progress, output: output)
    }

    #expect(ending(0, nothing) == .finished, "A filter that matches nothing is no error.")
    #expect(ending(1, nothing, "error: x") == .didNotBuild)
    #expect(ending(1, nothing, "Build complete! (1s)") == .crashed)
    #expect(ending(1, open) == .crashed)
    #expect(ending(0, open) == .crashed, "The process exited before its tests ended.")
    #expect(ending(1, ended) == .finished)
  }
}
