import Testing

@testable import kata

@Suite("The cards of kata review")
struct ReviewCardTests {
  private static let solution = """
    import Given

    /// Adds a header.
    ///
    /// It does nothing else.
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
    @@ -15,5 +15,3 @@ final class Adding: HTTPClient {
         var request = request
    -    if request.isOpen {
    -      request.add()
    -    }
    +    request.add()
         decoratee.load(request, completion: completion)

    """

  private func card(
    _ patch: String = patch, of solution: String = solution, in folder: String = "Impostors"
  ) -> ReviewCard? {
    let files = ["Tests/\(folder)/Lesson1/a.patch": patch, "Solutions/Lesson1/Adding.swift": solution]
    return ReviewCard(ReviewPatch(path: "Tests/\(folder)/Lesson1/a.patch", lesson: 1)) { files[$0] }
  }

  @Test("a card shows the change in its declarations, and gives nothing away")
  func shown() throws {
    let lines = try #require(card()).lines(2, Sample.plain)

    #expect(lines.prefix(3) == ["Card 2 of 5 · Lesson 1 · Adding.swift", "", "  import Given"])
    #expect(
      lines.suffix(9) == [
        "    func load(_ request: URLRequest, completion: @escaping Completion) {", "      var request = request",
        "-     if request.isOpen {", "-       request.add()", "-     }", "+     request.add()",
        "      decoratee.load(request, completion: completion)", "    }", "  }",
      ])
    #expect(try #require(card(in: "Alternatives")).lines(2, Sample.plain) == lines)
  }

  @Test("of a long file, a card shows the type, what it stores, and what is near the change")
  func long() throws {
    let others = (1...40).map { "  func other\($0)() {}\n" }.joined()
    let solution = Self.solution.replacing("  init(", with: others + "\n  init(")
    let lines = try #require(card(of: solution)).lines(1, Sample.plain)

    #expect(lines.count <= ReviewCard.rows + 2)
    #expect(lines.count >= ReviewCard.rows, "A card fills the screen.")
    #expect(
      Array(lines.dropFirst(2).prefix(7)) == [
        "  …", "  /// Adds a header.", "  ///", "  /// It does nothing else.", "  final class Adding: HTTPClient {",
        "    private let decoratee: any HTTPClient", "  …",
      ])
  }

  @Test("the lines that begin a block are shown, and so is a signature of several lines")
  func headers() throws {
    let body = (1...60).map { "        step(\($0))\n" }.joined()
    let solution = Self.solution.replacing("    self.decoratee = decoratee\n", with: "    if isOpen {\n\(body)    }\n")
    let patch = """
      It stops early.

      --- a/Solutions/Lesson1/Adding.swift
      +++ b/Solutions/Lesson1/Adding.swift
      @@ -52,3 +52,3 @@
               step(40)
      -        step(41)
      +        return
               step(42)

      """
    let lines = try #require(card(patch, of: solution)).lines(1, Sample.plain)
    let head = ["    init(", "      decoratee: any HTTPClient", "    ) {", "      if isOpen {"]

    for part in [["  final class Adding: HTTPClient {"], head, ["+         return"]] { #expect(lines.contains(part)) }
  }

  @Test("long lines go on in the next row, behind their sign")
  func wraps() throws {
    let call = "request.add(\"a value that is long\", to: \"a field with a name that is long as well\")"
    let rows = try #require(card(Self.patch.replacing("+    request.add()", with: "+    \(call)"))).diff(Sample.plain)
    let changed = rows.filter { $0.hasPrefix("+") }

    #expect(changed.count == 2 && changed[1].hasPrefix("+         ") && rows.allSatisfy { $0.count <= 80 })
    #expect(changed.map { $0.dropFirst().trimmingPrefix { $0 == " " } }.joined(separator: " ") == call)
  }

  @Test(
    "what changes tests, several files, or too much is no card",
    arguments: [
      patch.replacing("Solutions/Lesson1", with: "Tests/Lessons/Lesson1/Reference"),
      patch + "--- a/Solutions/Lesson1/Other.swift\n+++ b/Solutions/Lesson1/Other.swift\n@@ -1,1 +1,1 @@\n-a\n+b\n",
      patch.replacing("+    request.add()", with: (1...30).map { "+    add(\($0))" }.joined(separator: "\n")),
      patch.replacing("     var request", with: "     let request"),
      "Only a sentence.\n",
    ])
  func noCard(patch: String) {
    #expect(card(patch) == nil)
  }

  @Test("a third of the cards is harmless, and none comes back before its kind has been shown")
  func draws() throws {
    let patches = (0..<30).map { index in
      ReviewPatch(path: "Tests/\(index < 6 ? "Alternatives" : "Impostors")/Lesson1/\(index).patch", lesson: 1 + index % 2)
    }
    let sample = try #require(card())
    func read(_ patch: ReviewPatch) -> ReviewCard? {
      let text = [patch.path: Self.patch.replacing("Lesson1", with: "Lesson\(patch.lesson)")]
      return ReviewCard(patch) { text[$0] ?? Self.solution }
    }
    var memory = ReviewMemory(seed: 7)
    var again = memory
    let drawn = (0..<600).compactMap { _ in memory.draw(from: patches, card: read)?.patch }
    let same = (0..<9).compactMap { _ in again.draw(from: patches, card: read)?.patch }

    #expect(drawn.count == 600 && (160...240).contains(drawn.count(where: \.isHarmless)) && Array(drawn.prefix(9)) == same)
    for (isHarmless, count) in [(true, 6), (false, 24)] {
      let paths = drawn.filter { $0.isHarmless == isHarmless }.map(\.path)
      #expect(Set(paths.prefix(count)).count == count && Set(paths[count..<(2 * count)]).count == count)
    }
    #expect(memory.draw(from: patches, besides: patches, card: read) == nil)
    #expect(memory.draw(from: patches, card: { $0 == patches[9] ? sample : nil }) == sample)
  }

  @Test("a failure comes with its test and its step")
  func refused() {
    let evidence = Evidence(
      output: """
        Building the suite of Lesson3 ...
        Lesson 3 adds: refused by 3Write.adds
            ✘ Test "it adds "one" header" recorded an issue at Step3Write.swift:17:5: Expectation failed
            ↳ Add it.

        """)

    #expect(evidence.verdict == .refused && evidence.step == 3)
    #expect(evidence.text.last == "↳ Add it.")
  }

  @Test("a crash, a pass, and an engine that could not work")
  func otherEvidence() {
    let crash = Evidence(output: "Receipts a: refused by crashes-or-hangs \n    Fatal error: no\n")
    #expect(crash.verdict == .refused && crash.text == ["Fatal error: no"] && crash.step == nil)
    #expect(Evidence(output: "Lesson 3 +a: passes\n").verdict == .passed)
    #expect(Evidence(output: "Lesson 3 a: accepted, because no test refuses it\n").verdict == .passed)
    let none = Evidence(output: "Impostors are patches, and git applies them: please install git.\n")
    #expect(none.verdict == .none && none.text == ["Impostors are patches, and git applies them: please install git."])
    #expect(Evidence(output: "").verdict == .none)
  }

  @Test("the tally counts both mistakes, by lesson")
  func tally() throws {
    var tally = ReviewTally()
    #expect(tally.lines(Sample.plain) == ["You have answered no card."])
    tally.add(try #require(card()), merges: true)
    tally.add(try #require(card()), merges: false)
    let first = "Lesson 1: 1 of 2 right, 1 merged although wrong, 0 sent back although right"
    #expect(tally.lines(Sample.plain) == [first])

    let path = "Tests/Alternatives/Receipts/a.patch"
    let texts = [path: Self.patch.replacing("Lesson1", with: "Receipts"), "Solutions/Receipts/Adding.swift": Self.solution]
    tally.add(try #require(ReviewCard(ReviewPatch(path: path, lesson: Lesson.number("Receipts")!)) { texts[$0] }), merges: false)
    #expect(
      tally.lines(Sample.plain) == [
        first, "Receipts: 0 of 1 right, 0 merged although wrong, 1 sent back although right",
        "All: 1 of 3 right, 1 merged although wrong, 1 sent back although right",
      ])
  }
}
