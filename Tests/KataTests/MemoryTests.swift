import Testing

@testable import kata

@Suite("The memory between runs")
struct MemoryTests {
  private func lessons(_ first: Double, _ second: Double) -> [Lesson] {
    [
      Lesson(number: 1, stamps: ["a.swift": Stamp(modified: first, size: 1)], page: nil),
      Lesson(number: 2, stamps: ["b.swift": Stamp(modified: second, size: 1)], page: nil),
    ]
  }

  @Test("the current lesson changes only when the learner edits another")
  func followsEdits() {
    var memory = Memory()
    memory.notice(lessons(1, 1))
    #expect(memory.currentLesson == nil, "The first look is not an edit.")

    memory.currentLesson = 1
    memory.note(Sample.progress().lesson(1), tested: [:])
    memory.notice(lessons(1, 1))
    #expect(memory.currentLesson == 1, "A green lesson stays the current one.")

    memory.notice(lessons(1, 2))
    #expect(memory.currentLesson == 2)

    memory.notice(lessons(3, 4))
    #expect(memory.currentLesson == 2, "If both have changed, as after an update, the current one stays.")

    memory.currentLesson = 1
    memory.notice(lessons(3, 4))
    #expect(memory.currentLesson == 1, "An edit is noticed only once.")
  }

  @Test("without a choice, the current lesson is the first red one")
  func chooses() {
    var memory = Memory()
    #expect(memory.current(among: lessons(1, 1)).number == 1)

    memory.note(Sample.progress().lesson(1), tested: [:])
    #expect(memory.current(among: lessons(1, 1)).number == 2)

    memory.note(Sample.progress(failing: [Sample.refreshes]).lesson(1), tested: [:])
    #expect(memory.current(among: lessons(1, 1)).number == 1, "A lesson that has been begun comes before those that have not.")

    memory.currentLesson = 1
    #expect(memory.current(among: lessons(1, 1)).number == 1)
    #expect(memory.current(among: [lessons(1, 1)[1]]).number == 2, "Only a lesson that takes part can be the current one.")
  }

  @Test("the hints of a step start over when it turns green")
  func forgetsHints() {
    var memory = Memory()
    memory[1].hints = ["Step1Send": 2, "Step2Authorize": 3]

    memory.note(Sample.progress(failing: [Sample.refreshes]).lesson(1), tested: [:])

    #expect(memory[1].hints == ["Step2Authorize": 3])
    #expect(memory[1].step == "Step2Authorize")
  }

  @Test("the memory is stored in a file, and a broken file is ignored")
  func saves() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/deep/state.json"
    var memory = Memory(path: path)
    #expect(memory == Memory())

    memory.currentLesson = 2
    memory[2].hints["Step1ShowAndDispatch"] = 1
    memory.save(path: path)
    #expect(Memory(path: path) == memory)

    for text in ["", "{", "[]", #"{"version":1,"currentLesson":2,"lessons":{}}"#] {
      try folder.write(text, to: "deep/state.json")
      #expect(Memory(path: path) == Memory())
    }
  }
}
