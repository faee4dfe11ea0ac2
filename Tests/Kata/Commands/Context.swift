import Foundation

/// What every command needs: the package, the environment and a place to print.
struct Context {
  let repository: Repository
  let environment: [String: String]
  let terminal: Terminal

  var style: Style { terminal.style }
  /// The folder for everything that kata keeps. Nothing of it is tracked.
  var folder: String { repository.path(".build/kata") }
  /// Where a worker of `kata check` has its copy of the package. What it writes beside that is its own as well.
  func scratchFolder(ofWorker number: Int) -> String { "\(folder)/check/worker\(number)/package" }
  var memoryPath: String { "\(folder)/state.json" }

  /// Runs one command to its end.
  func perform(_ command: Command) throws -> ExitCode {
    switch command {
    case .board: return try BoardCommand(context: self, lesson: nil).run()
    case .lesson(let number): return try BoardCommand(context: self, lesson: number).run()
    case .watch(let number): return try WatchCommand(context: self, lesson: number).run()
    case .hint(let number): return try HintCommand(context: self, lesson: number).run()
    case .doctor: return try DoctorCommand(context: self).run()
    case .check(let number): return try CheckCommand(context: self, lesson: number).run()
    case .help:
      terminal.show(Command.usage)
      return .green
    }
  }

  /// What is known about a lesson besides its tests.
  func info(ofLesson number: Int) -> LessonInfo {
    LessonInfo(
      number: number, page: Files.text(repository.path("Lessons/Lesson\(number).md")).map { Page($0) },
      files: repository.exerciseFiles(ofLesson: number))
  }

  /// The exercise files of each lesson as they are now.
  func stamps() -> [Int: [String: Stamp]] {
    Dictionary(
      uniqueKeysWithValues: repository.lessons.map { lesson in
        let files = repository.exerciseFiles(ofLesson: lesson)
        return (lesson, Dictionary(uniqueKeysWithValues: files.map { ($0, Files.stamp(repository.path($0)) ?? .none) }))
      })
  }

  /// Runs suites of the work tree.
  func suites() -> SuiteRun {
    SuiteRun(package: repository.root, environment: environment, folder: folder)
  }

  /// The filter for one lesson, or for all.
  func filter(_ lesson: Int?) -> String { lesson.map { "Lesson\($0)\\." } ?? "Lesson" }
}

extension Stamp {
  /// The stamp of a file that is not there.
  static let none = Stamp(modified: 0, size: 0)
}
