import Foundation

/// `kata review`: five changes to our solutions. Which of them would you merge?
struct ReviewCommand {
  let kata: Kata
  /// The lesson that was named; `nil` for all that are finished.
  let number: Int?

  /// Shows the cards and asks. Without a terminal, prints what the next sitting will show, each card with its answer.
  func run() throws -> ExitCode {
    let memoryPath = "\(kata.folder)/review.json"
    let (patches, memory) = (try patches(), ReviewMemory(path: memoryPath))
    var sentences: [String] = []
    if memory == nil { sentences.append(".build/kata/review.json does not make sense. All cards count as new now.") }
    let deck = Deck(repository: kata.repository, patches: patches, memory: memory ?? ReviewMemory(), path: memoryPath)
    // What has been drawn at random is stored even if no card is shown: so a pipe shows what a terminal will show.
    if !deck.save() {
      sentences.append(".build/kata cannot be written, so nothing is remembered: the next sitting may show other cards.")
    }
    kata.terminal.show(sentences.flatMap { kata.style.wrap($0) + [""] })
    let player = EvidencePlayer(kata: kata)
    defer { player.stop() }
    if let keyboard = kata.terminal.keyboard {
      try ReviewSitting(kata: kata, keyboard: keyboard, player: player).run(deck)
    } else {
      try preview(deck, player)
    }
    return .green
  }

  /// What is drawn from: the named lesson, or all that are finished.
  private func patches() throws -> [ReviewPatch] {
    let (lessons, memory) = (try kata.repository.lessons(number), Memory(path: kata.memoryPath))
    let chosen = lessons.filter { number != nil || memory.isFinished($0) }
    guard !chosen.isEmpty else {
      throw Problem(
        "No lesson is known to be finished. Run `swift run kata` if you have finished one, or name a lesson: "
          + "`swift run kata review 3`.")
    }
    let patches = chosen.map(\.number).flatMap(kata.repository.reviewPatches)
    guard !patches.isEmpty else {
      throw Problem(
        "There are no cards for \(chosen.map(\.title).formattedList). They are in Tests/Impostors: restore it with "
          + "`git restore Tests`, or copy it from a fresh download.")
    }
    return patches
  }

  private func preview(_ deck: Deck, _ player: EvidencePlayer) throws {
    var deck = deck
    while let card = deck.next() {
      kata.terminal.show(card.lines(deck.drawn.count, kata.style) + ["", "The answer:", ""])
      let evidence = try player.wait(for: card)
      let verdict = card.isHarmless ? "Merge it: nothing is wrong with this change." : "Send it back: this change is wrong."
      kata.terminal.show([verdict] + kata.style.wrap(card.sentence) + card.lines(evidence, kata) + [""])
    }
  }
}

/// The cards of one sitting.
struct Deck {
  let repository: Repository
  let patches: [ReviewPatch]
  var memory: ReviewMemory
  /// Where the memory is stored.
  let path: String
  private(set) var drawn: [ReviewPatch] = []
  private(set) var spots: Set<String> = []

  /// How many cards a sitting has.
  static let count = 5

  var isAtEnd: Bool { drawn.count == Deck.count }

  mutating func next() -> ReviewCard? {
    let card =
      isAtEnd
      ? nil
      : memory.draw(from: patches, besides: drawn) { [repository, spots] patch in
        repository.reviewCard(patch).flatMap { spots.contains($0.spot) ? nil : $0 }
      }
    guard let card else { return nil }
    drawn.append(card.patch)
    spots.insert(card.spot)
    return card
  }

  /// Stores what has been drawn.
  @discardableResult
  func save() -> Bool { memory.save(path: path) }
}

extension Repository {
  /// The patches of a lesson that may be cards: all but those that Tests/Cards.txt leaves out.
  func reviewPatches(_ lesson: Int) -> [ReviewPatch] {
    let leftOut = Set((Files.text(path("Tests/Cards.txt")) ?? "").matches(of: /(?m)^(\w+\/\S+):/).map { String($0.1) })
    let folder = Lesson.folder(lesson)
    return ["Impostors", "Alternatives"].flatMap { kind in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path("Tests/\(kind)/\(folder)"))) ?? []
      return names.sorted().filter { $0.hasSuffix(".patch") && !leftOut.contains("\(folder)/\($0.dropLast(6))") }
        .map { ReviewPatch(path: "Tests/\(kind)/\(folder)/\($0)", lesson: lesson) }
    }
  }

  /// The card that shows a patch; `nil` if it is none.
  func reviewCard(_ patch: ReviewPatch) -> ReviewCard? { ReviewCard(patch) { Files.text(path($0)) } }
}

extension Memory {
  /// Whether all core steps of a lesson have been green. Extra steps may be open.
  func isFinished(_ lesson: Lesson) -> Bool {
    let record = self[lesson.number]
    let step = record.step.flatMap { TestID.number(in: $0, after: "Step") }.flatMap { lesson.page?.step($0) }
    return record.isGreen || record.isBegun && step?.isExtra == true
  }
}
