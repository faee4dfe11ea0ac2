import Testing

@testable import kata

private let (middleware, receipts) = (Lesson.number("Middleware")!, Lesson.number("Receipts")!)

@Suite("Arguments and exit codes")
struct UsageTests {
  @Test(
    "every command is accepted",
    arguments: [
      ([], Command.board(nil)), (["3"], .board(3)), (["3.2"], .board(3, step: 2)), (["watch"], .watch(nil)),
      (["watch", "2"], .watch(2)), (["hint"], .hint(nil)), (["middleware"], .board(middleware)), (["receipts"], .board(receipts)),
      (["Receipts.2"], .board(receipts, step: 2)), (["hint", "receipts"], .hint(receipts)),
      (["hint", "1"], .hint(1)), (["doctor"], .doctor), (["review"], .review(nil)), (["review", "3"], .review(3)),
      (["review", "receipts"], .review(receipts)),
      (["help"], .help), (["--help"], .help), (["-h"], .help),
    ] as [([String], Command)])
  func accepts(arguments: [String], command: Command) {
    #expect(Command(arguments: arguments) == command)
  }

  @Test(
    "no other arguments are accepted",
    arguments: [
      ["board"], ["check"], ["hint", "two"], ["doctor", "1"], ["1", "2"], ["watch", "1", "2"], ["help", "me"], ["-1x"],
      ["3.", "x"], ["3.x"],
      ["hint", "3.2"], ["99999999999999999999.1"],
    ])
  func rejects(arguments: [String]) {
    #expect(Command(arguments: arguments) == nil)
  }

  @Test("the shell sees these numbers")
  func numbers() {
    let codes: [ExitCode] = [.green, .red, .doesNotCompile, .usage, .interrupted(bySignal: 2)]

    #expect(codes.map(\.number) == [0, 1, 2, 64, 130])
  }

  @Test("the result of a run decides the exit code")
  func runCodes() {
    #expect(Sample.board(Sample.progress()).exitCode == .green)
    #expect(Sample.board(Sample.progress(failing: [Sample.shows])).exitCode == .red)
    #expect(Sample.board(Sample.progress(open: [Sample.shows]), .crashed).exitCode == .red)
    #expect(Sample.board(Sample.progress(open: [Sample.shows]), .flooded).exitCode == .red)
    #expect(Sample.board(SuiteProgress(), .didNotBuild).exitCode == .doesNotCompile)
    #expect(Sample.board(SuiteProgress()).exitCode == .red, "A run without tests is not green.")
  }

  @Test("the usage fits into 80 columns")
  func usageFits() {
    #expect(Command.usage.allSatisfy { $0.count <= 80 && $0.allSatisfy(\.isASCII) })
  }
}
