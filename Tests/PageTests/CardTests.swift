import Testing

@testable import kata

@Suite("The cards of kata review")
struct CardTests {
  private static let all = Project.repository.map { repository in
    repository.numbers.flatMap(repository.reviewPatches).compactMap(repository.reviewCard)
  }
  let cards: [ReviewCard]
  let repository: Repository

  init() throws {
    repository = try Project.repository.get()
    cards = try Self.all.get()
  }

  @Test("each lesson has enough cards for weeks")
  func counts() {
    for number in repository.numbers {
      let own = cards.filter { $0.lesson == number }
      let harmless = own.count(where: \.isHarmless)
      print("\(Lesson.title(number)): \(own.count - harmless) wrong cards, \(harmless) harmless ones")
      #expect(own.count - harmless >= 10, "\(Lesson.title(number)) has too few impostors that are cards.")
    }
  }

  @Test("every harmless change is a card")
  func harmless() {
    for patch in repository.numbers.flatMap(repository.reviewPatches) where patch.isHarmless {
      #expect(cards.contains { $0.patch == patch }, "\(patch.path) changes more than one file, or does not fit on a screen.")
    }
  }

  @Test("a card fits on a screen of 80 columns")
  func fits() {
    for card in cards {
      let lines = card.lines(5, Style())
      #expect(lines.allSatisfy { $0.count <= 80 } && lines.count <= ReviewCard.rows + 3, "\(card.patch.path)")
    }
  }

  @Test("what is left out exists, and would be a card")
  func leftOut() throws {
    for line in try Project.text("Tests/Cards.txt").split(separator: "\n") where !line.hasPrefix("#") {
      let match = try #require(line.wholeMatch(of: /((\w+)\/\S+): .+\./), "Tests/Cards.txt: \(line)")
      let paths = ["Impostors", "Alternatives"].map { "Tests/\($0)/\(match.1).patch" }.filter(repository.exists)
      let lesson = try #require(Lesson.number(String(match.2)), "Tests/Cards.txt: \(line)")
      #expect(
        paths.contains { repository.reviewCard(ReviewPatch(path: $0, lesson: lesson)) != nil },
        "Tests/Cards.txt: \(match.1) is no card anyway.")
    }
  }
}
