/// What the learner or the maintainer wants.
enum Command: Equatable {
  case board(Int?)
  case watch(Int?)
  case hint(Int?)
  case doctor
  case check(Int?)
  case help

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
  /// - Parameter arguments: What follows `swift run kata`.
  /// - Throws: A ``Problem`` with the usage if they make no sense.
  init(arguments: [String]) throws {
    let number = arguments.last.flatMap { Int($0) }
    // A second argument has to be a number.
    let count = arguments.count == 2 && number == nil ? 3 : arguments.count
    switch (arguments.first, count) {
    case (nil, _): self = .board(nil)
    case (_, 1) where number != nil: self = .board(number)
    case ("watch", ...2): self = .watch(number)
    case ("hint", ...2): self = .hint(number)
    case ("check", ...2): self = .check(number)
    case ("doctor", 1): self = .doctor
    case ("help", 1), ("-h", 1), ("--help", 1): self = .help
    default:
      throw Problem(
        "kata does not know \"\(arguments.joined(separator: " "))\".", details: [""] + Command.usage, exitCode: .usage)
    }
  }
}
