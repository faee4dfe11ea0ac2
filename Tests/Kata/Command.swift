/// What the learner or the maintainer asks for.
enum Command: Equatable {
  case board
  case lesson(Int)
  case watch(Int?)
  case hint(Int?)
  case doctor
  case check(Int?)
  case help

  /// The words that may follow `swift run kata`. Pages are checked against them.
  static let names = ["watch", "hint", "doctor", "check", "help"]

  /// How to use the command.
  static let usage = [
    "usage: swift run kata [command]",
    "",
    "  swift run kata           the board: every lesson, and what to do next",
    "  swift run kata 3         one lesson, step by step",
    "  swift run kata watch     the board again on every save; Ctrl-C ends it",
    "  swift run kata hint      the next hint of the step that you are at",
    "  swift run kata doctor    checks the set-up before a workshop",
    "  swift run kata check     for maintainers: suites, solutions, patches, pages",
    "",
    "watch, hint and check take the number of a lesson: swift run kata hint 3",
    "Exit codes: 0 all green, 1 red, 2 does not compile, 64 wrong usage.",
  ]

  /// Reads the arguments.
  ///
  /// - Parameter arguments: What stands behind `swift run kata`.
  /// - Throws: A ``Problem`` with the usage when they make no sense.
  init(arguments: [String]) throws {
    let number = arguments.dropFirst().first.map { Int($0) }
    guard arguments.count <= 2, number != .some(.none) else { throw Command.misuse(arguments) }
    switch (arguments.first, number ?? nil) {
    case (nil, _): self = .board
    case ("watch", let number): self = .watch(number)
    case ("hint", let number): self = .hint(number)
    case ("check", let number): self = .check(number)
    case ("doctor", nil): self = .doctor
    case ("help", nil), ("-h", nil), ("--help", nil): self = .help
    case (let word?, nil):
      guard let number = Int(word) else { throw Command.misuse(arguments) }
      self = .lesson(number)
    default: throw Command.misuse(arguments)
    }
  }

  private static func misuse(_ arguments: [String]) -> Problem {
    Problem("kata does not know \"\(arguments.joined(separator: " "))\".", details: [""] + usage, exitCode: .usage)
  }
}
