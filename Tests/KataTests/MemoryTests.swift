import Testing

@testable import kata

@Suite("What is remembered")
struct MemoryTests {
  private func stamps(_ first: Double, _ second: Double) -> [Int: [String: Stamp]] {
    [1: ["a.swift": Stamp(modified: first, size: 1)], 2: ["b.swift": Stamp(modified: second, size: 1)]]
  }

  @Test("nothing moves the learner on until another lesson is edited")
  func followsEdits() {
    var memory = Memory()
    memory.notice(stamps(1, 1))
    #expect(memory.currentLesson == nil, "A first look is not an edit.")

    memory.currentLesson = 1
    memory.note(Sample.progress().lesson(1), tested: [:])
    memory.notice(stamps(1, 1))
    #expect(memory.currentLesson == 1, "A green lesson stays the current one.")

    memory.notice(stamps(1, 2))
    #expect(memory.currentLesson == 2)

    memory.notice(stamps(3, 4))
    #expect(memory.currentLesson == 2, "When both have changed, as after an update, the current one stays.")

    memory.currentLesson = 1
    memory.notice(stamps(3, 4))
    #expect(memory.currentLesson == 1, "What has been noticed once is not noticed again.")
  }

  @Test("a lesson turns green once")
  func turnsGreenOnce() {
    var memory = Memory()
    let (red, green) = (Sample.progress(failing: [Sample.sends]).lesson(1), Sample.progress().lesson(1))

    let turns = [red, green, green, red, green].map { memory.note($0, tested: [:]) }

    #expect(turns == [false, true, false, false, true])
  }

  @Test("the hints of a step start over when it turns green, those of the others do not")
  func forgetsHints() {
    var memory = Memory()
    memory[1].hints = ["Step1Send": 2, "Step2Authorize": 3]

    memory.note(Sample.progress(failing: [Sample.refreshes]).lesson(1), tested: [:])

    #expect(memory[1].hints == ["Step2Authorize": 3])
    #expect(memory[1].step == "Step2Authorize")
  }

  @Test("it is kept in a file, and a file that makes no sense is ignored")
  func keeps() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/deep/state.json"
    var memory = Memory(path: path)
    #expect(memory == Memory())

    memory.currentLesson = 2
    memory[2].hints["Step1Show"] = 1
    memory.save(path: path)
    #expect(Memory(path: path) == memory)

    for text in ["", "{", "[]", #"{"version":2,"currentLesson":2,"lessons":{}}"#] {
      try folder.write(text, to: "deep/state.json")
      #expect(Memory(path: path) == Memory())
    }
  }
}
