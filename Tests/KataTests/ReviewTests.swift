import Foundation
import Testing

@testable import kata

@Suite("The cards of kata review")
struct ReviewTests {
  private static let solution = """
    import Given

    /// Adds a header.
    final class Adding: HTTPClient {
      private let decoratee: any HTTPClient

      init(
        decoratee: any HTTPClient
      ) {
        self.decoratee = decoratee
      }

      func load(_ request: URLRequest, completion: @escaping Completion) {
        var request = request
        if request.isOpen {
          request.add()
        }
        decoratee.load(request, completion: completion)
      }
    }

    """

  /// A patch that drops the condition.
  private static let patch = """
    It also adds the header to requests that are closed.

    --- a/Solutions/Lesson1/Adding.swift
    +++ b/Solutions/Lesson1/Adding.swift
    @@ -14,5 +14,3 @@ final class Adding: HTTPClient {
         var request = request
    -    if request.isOpen {
    -      request.add()
    -    }
    +    request.add()
         decoratee.load(request, completion: completion)

    """

  private func makeCard(_ patch: String = patch, of solution: String = solution) -> Patch? {
    Patch("Tests/Impostors/Lesson1/a.patch") { $0.hasPrefix("Solutions") ? solution : patch }
  }

  @Test("a card shows the change in its file")
  func shown() throws {
    let card = try #require(makeCard())

    #expect(card.lesson == "Lesson1" && card.file == "Solutions/Lesson1/Adding.swift" && !card.isHarmless && card.fits)
    #expect(card.sentence == "It also adds the header to requests that are closed.")
    #expect(card.shown.prefix(2) == [" import Given", " "])
    #expect(
      card.shown.suffix(8) == [
        "     var request = request", "-    if request.isOpen {", "-      request.add()", "-    }", "+    request.add()",
        "     decoratee.load(request, completion: completion)", "   }", " }",
      ])
  }

  @Test("of a long file, a card shows the declarations around the change, and what their type stores")
  func long() throws {
    let steps = (1...50).map { "    step(\($0))\n" }.joined()
    let solution = Self.solution.replacing("    var request = request\n", with: "\(steps)    var request = request\n")
    // The patch says where the lines were before.
    let card = try #require(makeCard(of: solution))

    #expect(
      card.shown.prefix(6) == [
        "  …", " final class Adding: HTTPClient {", "   private let decoratee: any HTTPClient", "  …",
        "   func load(_ request: URLRequest, completion: @escaping Completion) {", "  …",
      ])
    #expect((38...Patch.rows).contains(card.shown.count) && card.shown.last == " }", "A card fills the screen.")
  }

  @Test("a signature of several lines is shown")
  func signature() throws {
    let steps = (1...50).map { "    step(\($0))\n" }.joined()
    let solution = Self.solution.replacing("    self.decoratee = decoratee\n", with: steps)
    let hunk = "@@ -49,3 +49,3 @@\n     step(40)\n-    step(41)\n+    return\n     step(42)\n"
    let patch = Self.patch.prefix(while: { $0 != "@" }) + hunk

    let card = try #require(makeCard(String(patch), of: solution))
    #expect(card.shown[4...6] == ["   init(", "     decoratee: any HTTPClient", "   ) {"])
  }

  @Test(
    "what changes tests, several files, or too much is no card",
    arguments: [
      patch.replacing("Solutions/Lesson1", with: "Tests/Lessons/Lesson1"),
      patch + "--- a/Solutions/Lesson1/Other.swift\n+++ b/Solutions/Lesson1/Other.swift\n@@ -1,1 +1,1 @@\n-a\n+b\n",
      patch.replacing("+    request.add()", with: (1...40).map { "+    add(\($0))" }.joined(separator: "\n")),
      patch.replacing("     var request", with: "     let request"), "Only a sentence.\n",
    ])
  func noCard(patch: String) {
    #expect(makeCard(patch)?.fits != true)
  }

  /// A card of one of two lessons, about a line of its own or a given one.
  private func card(_ number: Int, isHarmless: Bool, line: Int? = nil) throws -> Patch {
    let (file, line) = ("Solutions/Lesson\(number % 2 + 1)/A.swift", line ?? number)
    let text = "It is \(number).\n\n--- a/\(file)\n+++ b/\(file)\n@@ -\(line + 1),1 +\(line + 1),1 @@\n-line \(line)\n+new\n"
    let solution = (0..<100).map { "line \($0)\n" }.joined()
    let path = "Tests/\(isHarmless ? "Alternatives" : "Impostors")/Lesson\(number % 2 + 1)/p\(number).patch"
    return try #require(Patch(path) { $0 == file ? solution : text })
  }

  @Test("a third of the cards is harmless, and none comes back before all of its kind have been judged")
  func deals() throws {
    let patches = try (0..<60).map { try card($0, isHarmless: $0 < 10) }
    var state = State()
    var drawn: [Patch] = []
    for _ in 0..<200 {
      let hand = state.deal(from: patches)
      #expect(Set(hand.map(\.path)).count == 5)
      drawn += hand
      state.judged.formUnion(hand.map(\.path))
      state.cards = []
    }
    let harmless = drawn.count(where: \.isHarmless)
    let wrong = drawn.filter { !$0.isHarmless }.map(\.path)

    #expect((260...410).contains(harmless), "\(harmless) of 1000 are harmless.")
    #expect(Set(wrong.prefix(45)).count == 45 && Set(drawn.map(\.path)).count == 60)
  }

  @Test("cards that lie ready stay, even if another lesson is reviewed in between")
  func ready() throws {
    let patches = try (0..<40).map { try card($0, isHarmless: $0 < 10) }
    var state = State()
    let first = state.deal(from: patches.filter { $0.lesson == "Lesson1" })
    let second = state.deal(from: patches.filter { $0.lesson == "Lesson2" })

    #expect(state.deal(from: patches.filter { $0.lesson == "Lesson1" }) == first)
    #expect(state.deal(from: patches.filter { $0.lesson == "Lesson2" }) == second)
  }

  @Test("no two cards of a sitting are about the same place")
  func spots() throws {
    var state = State()
    let patches = try [card(0, isHarmless: true, line: 7), card(2, isHarmless: false, line: 7), card(4, isHarmless: false)]

    #expect(state.deal(from: patches).count == 2)
  }
}
