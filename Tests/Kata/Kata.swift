import Foundation

/// The command `kata`: shows what the suites say, the hints of the pages, and changes to review.
@main
struct Kata {
  let repository: Repository
  let terminal: Terminal
  let environment: [String: String]

  static func main() {
    let environment = ProcessInfo.processInfo.environment
    let kata = Kata(repository: Repository(), terminal: Terminal(environment: environment), environment: environment)
    exit(kata.run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Does what the arguments say.
  ///
  /// - Parameter arguments: What follows `swift run kata`.
  /// - Returns: The exit code.
  func run(_ arguments: [String]) -> Int32 {
    do {
      guard let command = Command(arguments: arguments) else {
        throw Problem("There is no command \"\(arguments.joined(separator: " "))\". See swift run kata help.", exitCode: 64)
      }
      let lesson = try command.lesson.map(repository.lesson)
      switch command.name {
      case .board: return try board(lesson, step: command.step)
      case .watch: try watch(lesson)
      case .hint: try hint(lesson, step: command.step)
      case .review: try review(lesson)
      case .doctor: return try doctor()
      case .help: terminal.show([Command.usage])
      }
      return 0
    } catch let problem as Problem {
      terminal.show(terminal.wrap(problem.sentence))
      return problem.exitCode
    } catch {
      terminal.show(terminal.wrap("kata had to stop: \(error.localizedDescription)"))
      return 1
    }
  }

  /// The folder for what kata remembers. Nothing in it is tracked.
  var folder: String { repository.path(".build/kata") }
  var statePath: String { "\(folder)/state.json" }
}

/// What the learner asks for.
struct Command: Equatable {
  enum Name: String { case board, watch, hint, review, doctor, help }

  var name = Name.board
  /// What was typed for a lesson: `3`, or `receipts`. Nothing here knows which lessons there are.
  var lesson: String?
  var step: Int?

  static let usage = """
    usage: swift run kata [command]

      swift run kata           shows the board: every lesson, and what to do next
      swift run kata 3         shows one lesson, step by step
      swift run kata 3.2       shows one step of a lesson
      swift run kata receipts  shows an exercise that has a name instead of a number
      swift run kata watch     redraws the board on every save, until Ctrl-C
      swift run kata hint      shows the next hint for your current step
      swift run kata review    shows changes to our code: would you merge them?
      swift run kata doctor    checks your machine before a workshop

    watch, hint and review accept a lesson, too, and hint a step: swift run kata hint 3.2
    Exit codes: 0 all green, 1 red, 2 does not compile, 64 incorrect usage.
    """
}

extension Command {
  /// Reads the arguments.
  ///
  /// - Parameter arguments: What follows `swift run kata`.
  /// - Returns: `nil` if there is no such command.
  init?(arguments: [String]) {
    var words = arguments.map { ["-h", "--help"].contains($0) ? "help" : $0.lowercased() }
    if let name = words.first.flatMap(Name.init), name != .board {
      self.name = name
      words.removeFirst()
    }
    if ![.doctor, .help].contains(name), let match = words.first?.wholeMatch(of: /(\w+)(?:\.(\d))?/) {
      lesson = String(match.1)
      step = match.2.flatMap { Int($0) }
      words.removeFirst()
    }
    if !words.isEmpty || step != nil && ![.board, .hint].contains(name) { return nil }
  }
}

/// A reason why the command cannot do its work, and what helps.
struct Problem: Error {
  /// The text for the learner.
  let sentence: String
  let exitCode: Int32

  init(_ sentence: String, exitCode: Int32 = 1) {
    self.sentence = sentence
    self.exitCode = exitCode
  }
}
