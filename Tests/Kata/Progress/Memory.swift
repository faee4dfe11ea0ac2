import Foundation

/// What the command remembers from one time to the next. It lives below .build and may be lost without harm.
struct Memory: Codable, Equatable {
  /// What is remembered about one lesson.
  struct Lesson: Codable, Equatable {
    /// The exercise files as they were when kata last looked at them.
    var seen: [String: Stamp] = [:]
    /// The exercise files as they were when the suite last ran.
    var tested: [String: Stamp] = [:]
    var isGreen = false
    /// The suite of the first step that was not green.
    var step: String?
    /// How many hints of a step have been shown, by suite.
    var hints: [String: Int] = [:]
  }

  /// Raised when the meaning of a field changes. A file with another version is not read.
  var version = 1
  /// The lesson that is shown until the learner edits another or names one.
  var currentLesson: Int?
  private var lessons: [String: Lesson] = [:]

  /// What is remembered about a lesson, by its number.
  subscript(lesson: Int) -> Lesson {
    get { lessons["\(lesson)"] ?? Lesson() }
    set { lessons["\(lesson)"] = newValue }
  }

  /// Moves to the lesson that the learner has edited since the last look, if it is not the current one.
  ///
  /// - Parameter stamps: The exercise files of each lesson as they are now.
  mutating func notice(_ stamps: [Int: [String: Stamp]]) {
    let edited = stamps.filter { !self[$0.key].seen.isEmpty && self[$0.key].seen != $0.value }
    for (lesson, stamps) in stamps { self[lesson].seen = stamps }
    if let current = currentLesson, edited[current] != nil { return }
    let newest = edited.max { left, right in
      (left.value.values.map(\.modified).max() ?? 0) < (right.value.values.map(\.modified).max() ?? 0)
    }
    currentLesson = newest?.key ?? currentLesson
  }

  /// Takes in the result of a run. The hints of a step start over once it is green.
  ///
  /// - Returns: Whether the lesson has just turned green.
  @discardableResult
  mutating func note(_ progress: LessonProgress, tested: [String: Stamp]) -> Bool {
    let wasGreen = self[progress.number].isGreen
    self[progress.number].isGreen = progress.isGreen
    self[progress.number].step = progress.currentStep?.suite
    self[progress.number].tested = tested
    for step in progress.steps where step.isGreen { self[progress.number].hints[step.suite] = nil }
    return progress.isGreen && !wasGreen
  }
}

extension Memory {
  /// Reads the file. One that is missing, broken or of another version counts as empty.
  init(path: String) {
    let data = FileManager.default.contents(atPath: path) ?? Data()
    let memory = try? JSONDecoder().decode(Memory.self, from: data)
    self = memory.flatMap { $0.version == Memory().version ? $0 : nil } ?? Memory()
  }

  /// Writes the file. When that fails, only comfort is lost, and so nothing is said.
  func save(path: String) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try? JSONEncoder().encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}
