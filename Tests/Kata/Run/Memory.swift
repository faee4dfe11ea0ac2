import Foundation

/// What the command remembers from one run to the next. It is stored in .build and may be lost without harm.
struct Memory: Codable, Equatable {
  /// What is remembered about one lesson.
  struct Record: Codable, Equatable {
    /// The stamps of the exercise files when kata last looked at them.
    var seen: [String: Stamp] = [:]
    /// The stamps of the exercise files when the suite last ran.
    var tested: [String: Stamp] = [:]
    var isGreen = false
    /// Whether some tests were green, but not all.
    var isBegun = false
    /// The suite of the first step that was not green.
    var step: String?
    /// How many hints of a step have been shown, by suite.
    var hints: [String: Int] = [:]
  }

  /// The lesson that is shown until the learner edits or names another.
  var currentLesson: Int?
  private var records: [Int: Record] = [:]

  /// What is remembered about a lesson, by its number.
  subscript(number: Int) -> Record {
    get { records[number] ?? Record() }
    set { records[number] = newValue }
  }

  /// Moves to the lesson that the learner has edited since the last look, unless the current one was edited as well.
  ///
  /// - Parameter lessons: All lessons, as they are now.
  mutating func notice(_ lessons: [Lesson]) {
    let edited = lessons.filter { !self[$0.number].seen.isEmpty && self[$0.number].seen != $0.stamps }
    for lesson in lessons { self[lesson.number].seen = lesson.stamps }
    if edited.contains(where: { $0.number == currentLesson }) { return }
    let date = { (lesson: Lesson) in lesson.stamps.values.map(\.modified).max() ?? 0 }
    currentLesson = edited.max { date($0) < date($1) }?.number ?? currentLesson
  }

  /// The lesson to continue with: the current one if it takes part, or else the last one begun, or the first red one.
  func current(among lessons: [Lesson]) -> Lesson {
    lessons.first { $0.number == currentLesson } ?? lessons.last { self[$0.number].isBegun }
      ?? lessons.first { !self[$0.number].isGreen } ?? lessons[lessons.count - 1]
  }

  /// Remembers the result of a run. When a step is green, its hints start over.
  mutating func note(_ progress: LessonProgress, tested: [String: Stamp]) {
    self[progress.number].isGreen = progress.isGreen
    self[progress.number].isBegun = progress.passed > 0 && !progress.isGreen
    self[progress.number].step = progress.currentStep?.suite
    self[progress.number].tested = tested
    for step in progress.steps where step.isGreen { self[progress.number].hints[step.suite] = nil }
  }
}

extension Memory {
  /// Reads the file. A file that is missing or does not make sense counts as empty.
  init(path: String) {
    let data = FileManager.default.contents(atPath: path) ?? Data()
    self = (try? JSONDecoder().decode(Memory.self, from: data)) ?? Memory()
  }

  /// Writes the file. If that fails, only comfort is lost, so the failure is not reported.
  func save(path: String) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try? JSONEncoder().encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}
