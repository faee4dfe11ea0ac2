import Foundation

/// The command `kata`: reads what was asked, finds the package, and leaves with the exit code that fits.
@main
enum Kata {
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

  /// Does what the arguments ask for.
  ///
  /// - Parameters:
  ///   - arguments: What stands behind `swift run kata`.
  ///   - folder: Where it was typed. The package is looked for here and above.
  ///   - environment: The environment variables.
  ///   - terminal: Where everything is printed.
  /// - Returns: How to leave.
  static func run(
    arguments: [String], folder: String, environment: [String: String], terminal: Terminal
  ) -> ExitCode {
    do {
      let command = try Command(arguments: arguments)
      if command == .help {
        terminal.show(Command.usage)
        return .green
      }
      let repository = try Repository(above: folder)
      let context = Context(repository: repository, environment: environment, terminal: terminal)
      return try context.perform(command)
    } catch let problem as Problem {
      terminal.erase()
      terminal.show(problem.lines(terminal.style))
      return problem.exitCode
    } catch let interruption as Interrupted {
      return .interrupted(bySignal: interruption.signal)
    } catch {
      terminal.erase()
      terminal.show(terminal.style.wrap("kata cannot go on: \(error.localizedDescription)"))
      return .red
    }
  }
}
