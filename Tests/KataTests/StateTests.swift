import Testing

@testable import kata

@Suite("What is remembered")
struct StateTests {
  /// Three lessons, saved at these times, in seconds.
  private func lessons(_ first: Double, _ second: Double, _ third: Double) -> [Lesson] {
    [("Lesson1", first), ("Lesson2", second), ("Receipts", third)].map { folder, edited in
      Lesson(folder: folder, files: [], edited: edited, page: Page(Sample.page))
    }
  }

  @Test("the lesson to go on with is the last that was named or edited, or the first that is not green")
  func current() {
    var state = State()
    func current(_ lessons: [Lesson], named: Int? = nil) -> String {
      state.notice(lessons, named: named.map { lessons[$0] })
      return state.current(among: lessons).folder
    }
    state.known["Lesson1"] = .init(step: nil)

    #expect(current(lessons(1, 2, 3)) == "Lesson2", "The first look is not an edit.")
    #expect(current(lessons(1, 2, 3), named: 2) == "Receipts")
    #expect(current(lessons(1, 2, 3)) == "Receipts", "It stays until another is named or edited.")
    #expect(current(lessons(4, 2, 3)) == "Lesson1")
    #expect(current(lessons(5, 2, 6)) == "Lesson1", "An update changes it, too.")
  }

  @Test("without a look at an edit, the lesson to go on with is the last that has been begun")
  func firstLook() {
    var state = State()
    state.known = [
      "Lesson1": .init(step: nil, isBegun: true), "Lesson2": .init(step: 3, isBegun: true), "Receipts": .init(step: 1),
    ]
    state.notice(lessons(3, 1, 2), named: nil)

    #expect(state.current(among: lessons(3, 1, 2)).folder == "Lesson2")
  }

  @Test("the next lesson is the last edited that is not finished, and not the one after a restored lesson")
  func next() {
    var state = State()
    func next(after index: Int) -> String? { state.next(after: lessons(0, 0, 0)[index], among: lessons(0, 0, 0))?.folder }
    #expect(next(after: 0) == "Lesson2" && next(after: 2) == "Lesson1")

    for times in [lessons(1, 1, 1), lessons(1, 1, 2), lessons(3, 1, 2)] { state.notice(times, named: nil) }
    #expect(state.recent == ["Receipts", "Lesson1"] && next(after: 0) == "Receipts")

    state.known["Receipts"] = .init(step: 4, isFinished: true)
    #expect(next(after: 0) == "Lesson2")
    state.known["Lesson2"] = .init(step: nil, isFinished: true)
    #expect(next(after: 0) == nil)
  }

  @Test("a lesson is finished when its core steps are green, and hints belong to a step")
  func notes() {
    var state = State()
    func known(failing: [String]) -> State.Known? {
      state.note(Sample.run(Sample.events(failing: failing)).steps(of: Sample.lessons[0]), of: Sample.lessons[0])
      return state.known["Lesson1"]
    }

    let all = [Sample.sends, Sample.delivers, Sample.refreshes]
    #expect(known(failing: all) == .init(step: 1, edited: 1))
    state.known["Lesson1"]?.hints = 2
    #expect(known(failing: [Sample.delivers])?.hints == 2)
    #expect(known(failing: [Sample.refreshes]) == .init(step: 2, isBegun: true, isFinished: true, edited: 1))
    #expect(known(failing: []) == .init(step: nil, isBegun: true, isFinished: true, edited: 1))
    state.note([], of: Sample.lessons[0])
    #expect(state.known["Lesson1"]?.isFinished == true, "A run without tests says nothing.")
  }
}
