import Testing

@testable import kata

@Suite("The cards of kata review")
struct CardTests {
  let repository = Project.repository

  @Test("each lesson has enough cards for weeks")
  func counts() {
    for lesson in repository.lessons {
      let cards = repository.patches(of: lesson)
      let harmless = cards.count(where: \.isHarmless)
      print("\(lesson.title): \(cards.count - harmless) wrong cards, \(harmless) harmless ones")
      #expect(cards.count - harmless >= 10, "\(lesson.title) has too few impostors that are cards.")
    }
  }

  @Test("every harmless change is a card")
  func harmless() {
    for lesson in repository.lessons {
      let cards = repository.patches(of: lesson).map(\.path)
      for path in repository.files("Tests/Alternatives/\(lesson.folder)", "patch") where !cards.contains(path) {
        Issue.record("\(path) changes tests or several files, or does not fit on a screen.")
      }
    }
  }

  @Test("what is left out exists, and would be a card")
  func leftOut() throws {
    for line in try Project.text("Tests/Cards.txt").split(separator: "\n") where !line.hasPrefix("#") {
      let name = try #require(line.wholeMatch(of: /(\w+\/\S+): .+\./)?.1, "Tests/Cards.txt: \(line)")
      let patches = ["Impostors", "Alternatives"].compactMap { Patch("Tests/\($0)/\(name).patch", text: repository.text) }
      #expect(!patches.filter(\.fits).isEmpty, "Tests/Cards.txt: \(name) is no card anyway.")
    }
  }
}
