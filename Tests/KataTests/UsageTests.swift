import Testing

@testable import kata

@Suite("Arguments and exit codes")
struct UsageTests {
  @Test(
    "every command is understood",
    arguments: [
      ([], Command.board), (["3"], .lesson(3)), (["watch"], .watch(nil)), (["watch", "2"], .watch(2)),
      (["hint"], .hint(nil)),
      (["hint", "1"], .hint(1)), (["doctor"], .doctor), (["check"], .check(nil)), (["check", "1"], .check(1)),
      (["help"], .help), (["--help"], .help), (["-h"], .help),
    ] as [([String], Command)])
  func understands(arguments: [String], command: Command) throws {
    #expect(try Command(arguments: arguments) == command)
  }
}
