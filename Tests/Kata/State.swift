import Foundation

/// What the command remembers from one run to the next. It is stored in .build and may be lost without harm.
struct State: Codable, Equatable {
  /// What is known about a lesson since its suite has run.
  struct Known: Codable, Equatable {
    /// The step of the first failure; `nil` if there was none.
    var step: Int?
    /// Whether a test was green that is red as shipped.
    var isBegun = false
    /// Whether all core steps were green.
    var isFinished = false
    /// When the newest of the tested files had been saved.
    var edited = 0.0
    /// How many hints of the step have been shown.
    var hints = 0
  }

  /// The folders of the lessons that the learner has named, or edited between two looks. The last one is shown until another is.
  private(set) var recent: [String] = []
  /// When the newest file was saved that kata has seen; `nil` if it has not looked yet.
  private var edited: Double?
  var known: [String: Known] = [:]
  /// The patches that lie ready for the next sittings of `kata review`.
  var cards: [String] = []
  /// The patches that have been judged, since all of their kind had been.
  var judged: Set<String> = []

  /// Notes which lessons the learner has edited since the last look, and which one was named.
  ///
  /// - Parameters:
  ///   - lessons: All lessons, as they are now.
  ///   - named: The lesson that was named.
  mutating func notice(_ lessons: [Lesson], named: Lesson?) {
    let edits = lessons.filter { $0.edited > edited ?? .infinity }.sorted { $0.edited < $1.edited }.map(\.folder)
    edited = lessons.map(\.edited).max()
    // An update changes many files. If the current lesson is among them, it stays the current one.
    let isUpdate = edits.contains { $0 == recent.last }
    let new = (isUpdate ? [] : edits) + (named.map { [$0.folder] } ?? [])
    recent = recent.filter { !new.contains($0) } + new
  }

  /// The lesson to go on with: the last that the learner has worked on, or else the first that is not known to be green.
  func current(among lessons: [Lesson]) -> Lesson {
    visited(of: lessons).last ?? lessons.first { !isGreen($0) } ?? lessons[lessons.count - 1]
  }

  /// A lesson for after the current one. Of those with a core step to do, it is the last that the learner has worked on, or else
  /// the next in the order of the course.
  func next(after current: Lesson, among lessons: [Lesson]) -> Lesson? {
    let open = lessons.filter { $0 != current && known[$0.folder]?.isFinished != true }
    return visited(of: open).last ?? open.first { $0.folder > current.folder } ?? open.first
  }

  /// The lessons that the learner has worked on, the last at the end. Those from before the first look come first.
  private func visited(of lessons: [Lesson]) -> [Lesson] {
    let begun = lessons.filter { !recent.contains($0.folder) && known[$0.folder]?.isBegun == true && !isGreen($0) }
    return begun.sorted { $0.edited < $1.edited } + recent.compactMap { folder in lessons.first { $0.folder == folder } }
  }

  private func isGreen(_ lesson: Lesson) -> Bool { known[lesson.folder].map { $0.step == nil } ?? false }

  /// Remembers the result of a run that has ended. A step's hints are counted until another step is the first that fails.
  ///
  /// - Parameters:
  ///   - steps: The steps of the lesson. There are none if the toolchain has reported none.
  ///   - lesson: The lesson, as it was before the run.
  mutating func note(_ steps: [Step], of lesson: Lesson) {
    guard !steps.isEmpty else { return }
    let step = steps.first { !$0.isGreen }?.number
    let hints = known[lesson.folder].flatMap { $0.step == step ? $0.hints : nil } ?? 0
    known[lesson.folder] = Known(
      step: step, isBegun: steps.contains { $0.passed > 0 }, isFinished: steps.allSatisfy { $0.isGreen || $0.isExtra },
      edited: lesson.edited, hints: hints)
  }
}

extension State {
  /// Reads the file. A file that is missing or does not make sense counts as empty.
  init(path: String) {
    self = FileManager.default.contents(atPath: path).flatMap { try? JSONDecoder().decode(State.self, from: $0) } ?? State()
  }

  /// Writes the file. If that fails, only comfort is lost, so the failure is not reported.
  func save(path: String) {
    let url = URL(fileURLWithPath: path)
    try? FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try? JSONEncoder().encode(self).write(to: url, options: .atomic)
  }
}
