import Foundation

/// The command `kata`: finds the package, does what the arguments say, and exits with the code that fits.
@main
struct Kata {
  let repository: Repository
  let environment: [String: String]
  let terminal: Terminal

  static func main() {
    Interrupt.watch()
    let environment = ProcessInfo.processInfo.environment
    let terminal = Terminal(environment: environment)
    let code = run(
      arguments: Array(CommandLine.arguments.dropFirst()), folder: FileManager.default.currentDirectoryPath,
      environment: environment, terminal: terminal)
    terminal.erase()
    exit(code.number)
  }

  /// Does what the arguments say.
  ///
  /// - Parameters:
  ///   - arguments: What follows `swift run kata`.
  ///   - folder: The working directory. The package is this folder or one above it.
  ///   - environment: The environment variables.
  ///   - terminal: Where everything is printed.
  static func run(arguments: [String], folder: String, environment: [String: String], terminal: Terminal) -> ExitCode {
    guard let command = Command(arguments: arguments) else {
      terminal.show(["There is no command \"\(arguments.joined(separator: " "))\".", ""] + Command.usage)
      return .usage
    }
    if command == .help {
      terminal.show(Command.usage)
      return .green
    }
    do {
      return try Kata(repository: Repository(above: folder), environment: environment, terminal: terminal).perform(command)
    } catch let problem as Problem {
      terminal.show(terminal.style.wrap(problem.sentence))
      return problem.exitCode
    } catch let interruption as Interrupted {
      return .interrupted(bySignal: interruption.signal)
    } catch {
      let path = (error as NSError).userInfo[NSFilePathErrorKey].map { " (\($0))" } ?? ""
      terminal.show(
        terminal.style.wrap(
          "kata had to stop: \(error.localizedDescription)\(path) If the error is about a path in .build/kata, delete that folder and try again."
        ))
      return .red
    }
  }

  private func perform(_ command: Command) throws -> ExitCode {
    switch command {
    case .board(let number, let step): try BoardCommand(kata: self, number: number, step: step).run()
    case .watch(let number): try WatchCommand(kata: self, number: number).run()
    case .hint(let number): try HintCommand(kata: self, number: number).run()
    case .review(let number): try ReviewCommand(kata: self, number: number).run()
    case .doctor: try DoctorCommand(kata: self).run()
    case .help: .green
    }
  }

  var style: Style { terminal.style }
  /// The folder for everything that kata stores. Nothing in it is tracked.
  var folder: String { repository.path(".build/kata") }
  var memoryPath: String { "\(folder)/state.json" }
  /// Runs the learner's suites.
  var suites: SuiteRun { SuiteRun(root: repository.root, environment: environment) }
}
