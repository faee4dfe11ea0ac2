/// What the learner asks for.
enum Command: Equatable {
  case board(Int?, step: Int? = nil)
  case watch(Int?)
  case hint(Int?)
  case review(Int?)
  case doctor
  case help

  /// How to use the command.
  static let usage = [
    "usage: swift run kata [command]",
    "",
    "  swift run kata           shows the board: every lesson, and what to do next",
    "  swift run kata 3         shows one lesson, step by step",
    "  swift run kata 3.2       shows one step of a lesson",
    "  swift run kata receipts  shows an exercise with a name: Middleware or Receipts",
    "  swift run kata watch     redraws the board on every save, until Ctrl-C",
    "  swift run kata hint      shows the next hint for your current step",
    "  swift run kata review    shows changes to our code: would you merge them?",
    "  swift run kata doctor    checks your machine before a workshop",
    "",
    "watch, hint and review accept a lesson, too: swift run kata hint 3",
    "Exit codes: 0 all green, 1 red, 2 does not compile, 64 incorrect usage.",
  ]

  /// Reads the arguments.
  ///
  /// - Parameter arguments: What follows `swift run kata`.
  /// - Returns: `nil` if there is no such command.
  init?(arguments: [String]) {
    if let match = arguments.last?.wholeMatch(of: /(\w+)\.(\d+)/), arguments.count == 1 {
      guard let lesson = Lesson.number(named: match.1), let step = Int(match.2) else { return nil }
      self = .board(lesson, step: step)
      return
    }
    let number = arguments.last.flatMap { Lesson.number(named: $0) }
    switch number == nil ? arguments : arguments.dropLast() {
    case []: self = .board(number)
    case ["watch"]: self = .watch(number)
    case ["hint"]: self = .hint(number)
    case ["review"]: self = .review(number)
    case ["doctor"] where number == nil: self = .doctor
    case ["help"], ["-h"], ["--help"]: self = .help
    default: return nil
    }
  }
}
