import Foundation
import Testing

@testable import kata

@Suite("The cards of kata review")
struct ReviewTests {
  private static let solution = """
    import Given

    /// Adds a header.
    final class Adding: HTTPClient {
      func load(_ request: URLRequest, completion: @escaping Completion) {
        var request = request
        if request.isOpen {
          request.add()
        }

        decoratee.load(request, completion: completion)
      }
    }

    """

  /// A page with a change that drops the condition.
  private static let page = """
    # What people get wrong in Lesson 1

    ## Step 2: Add

    `Adding.swift`

    ### Adds the caller's `401`

    It also adds the header to requests that are closed.

    ```diff
         var request = request
    -    if request.isOpen {
    -      request.add()
    -    }
    +    request.add()

    @@
    -    decoratee.load(request, completion: completion)
    +    decoratee.load(request) { completion($0) }
    ```

    """

  private func makeCards(_ page: String = page) -> [Card] {
    Change.all(on: page, of: "Lesson1").compactMap {
      Card($0) { $0 == "Solutions/Lesson1/Adding.swift" ? Self.solution : nil }
    }
  }

  @Test("a card shows the change in its file")
  func shown() throws {
    let card = try #require(makeCards().first)

    #expect(card.path == "Tests/Mistakes/Lesson1.md#adds-the-callers-401" && card.lesson == "Lesson1" && !card.isHarmless)
    #expect(card.sentence == "It also adds the header to requests that are closed.")
    #expect(
      card.lines == [
        " ", " final class Adding: HTTPClient {",
        "   func load(_ request: URLRequest, completion: @escaping Completion) {", "     var request = request",
        "-    if request.isOpen {", "-      request.add()", "-    }", "+    request.add()", " ",
        "-    decoratee.load(request, completion: completion)", "+    decoratee.load(request) { completion($0) }", "   }", " }",
      ])
    #expect(makeCards(Self.page.replacing("## Step 2: Add", with: "## Only looks wrong")).first?.isHarmless == true)
  }

  @Test(
    "what changes tests or several files, or is not in the solution once, is no card",
    arguments: [
      page.replacing("## Step 2: Add", with: "## Step 2: Wrong tests"), page + "`Other.swift`\n\n```diff\n+new\n```\n",
      page.replacing("     var request", with: "     let request"), page.replacing("```diff", with: "```diff\n \n+new\n@@"),
      "Only a sentence.\n",
    ])
  func noCard(page: String) {
    #expect(makeCards(page).isEmpty)
  }

  @Test("a change may add a file")
  func newFile() throws {
    let change = try #require(Change.all(on: Self.page + "`Other.swift`\n\n```diff\n+new\n```\n", of: "Lesson1").first)

    #expect(change.blocks.map(\.name) == ["Adding.swift", "Other.swift"])
    #expect(change.blocks[1].lines(in: nil) == ["+new"] && change.blocks[0].lines(in: nil) == nil)
  }

  /// A card of one of two lessons, about a line of its own or a given one.
  private func card(_ number: Int, isHarmless: Bool, line: Int? = nil) throws -> Card {
    let block = "### P\(number)\n\nIt is \(number).\n\n```diff\n-line \(line ?? number)\n+new\n```\n"
    let change = Change.all(
      on: "## \(isHarmless ? "Only looks wrong" : "Step 1: Add")\n\n`A.swift`\n\n\(block)", of: "Lesson\(number % 2 + 1)")[0]
    return try #require(Card(change) { _ in (0..<100).map { "line \($0)\n" }.joined() })
  }

  @Test("a third of the cards is harmless, and none comes back before all of its kind have been judged")
  func deals() throws {
    let cards = try (0..<60).map { try card($0, isHarmless: $0 < 10) }
    var state = State()
    var drawn: [Card] = []
    for _ in 0..<200 {
      let hand = state.deal(from: cards)
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
    let cards = try (0..<40).map { try card($0, isHarmless: $0 < 10) }
    var state = State()
    let first = state.deal(from: cards.filter { $0.lesson == "Lesson1" })
    let second = state.deal(from: cards.filter { $0.lesson == "Lesson2" })

    #expect(state.deal(from: cards.filter { $0.lesson == "Lesson1" }) == first)
    #expect(state.deal(from: cards.filter { $0.lesson == "Lesson2" }) == second)
  }

  @Test("no two cards of a sitting are about the same place")
  func spots() throws {
    var state = State()
    let cards = try [card(0, isHarmless: true, line: 7), card(2, isHarmless: false, line: 7), card(4, isHarmless: false)]

    #expect(state.deal(from: cards).count == 2)
  }
}
