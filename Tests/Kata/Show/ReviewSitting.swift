import Foundation

/// Five cards at a terminal, each with a question.
struct ReviewSitting {
  let kata: Kata
  let keyboard: Keyboard
  let player: EvidencePlayer

  /// Shows the cards of a deck until its end, `q`, the end of the input, or Ctrl-C, and then how it went.
  func run(_ deck: Deck) throws {
    var (deck, tally) = (deck, ReviewTally())
    defer { kata.terminal.show([""] + tally.lines(kata.style)) }
    while let card = deck.next() {
      kata.terminal.show(card.lines(deck.drawn.count, kata.style) + [""])
      deck.save()
      // While the learner thinks, the suite runs.
      try player.play(card)
      guard let merges = try merges() else { return }
      tally.add(card, merges: merges)
      kata.terminal.show([""] + verdict(card, merges) + kata.style.wrap(card.sentence))

      if let evidence = try evidence(for: card) {
        kata.terminal.show(card.lines(evidence, kata))
        if deck.isAtEnd { return }
        kata.terminal.show([""])
        guard let text = try line(prompt: "Press Return for the next card.  (q ends) "), text != "q" else { return }
      }
      kata.terminal.show([""])
    }
  }

  /// Whether the learner merges a card; `nil` to end the sitting.
  private func merges() throws -> Bool? {
    var prompt = "Merge it (m) or send it back (s)?  (q ends) "
    while let text = try line(prompt: prompt), text != "q" {
      if text == "m" || text == "s" { return text == "m" }
      prompt = "Type m, s or q, and press Return: "
    }
    return nil
  }

  /// The next line that is typed, in lowercase; `nil` at the end of the input.
  private func line(prompt: String) throws -> String? {
    kata.terminal.ask(prompt)
    while true {
      try player.work()
      switch try typed() {
      case .line(let text): return text.trimmingCharacters(in: .whitespaces).lowercased()
      case .end: return nil
      case .nothing: continue
      }
    }
  }

  private func typed() throws -> Keyboard.Typed {
    try Interrupt.check()
    return keyboard.read()
  }

  /// The evidence; `nil` if the learner does not wait for it.
  private func evidence(for card: ReviewCard) throws -> Evidence? {
    var said = ""
    while true {
      if let evidence = try player.evidence(for: card) { return evidence }
      let word = player.isBuilding ? "being built, which takes a minute or so" : "running"
      if word != said, kata.terminal.isTerminal || said.isEmpty {
        let sentence = "The suite is \(word). Press Return to go on without it."
        if kata.terminal.isTerminal { kata.terminal.live(sentence) } else { kata.terminal.show([sentence]) }
        said = word
      }
      if try typed() != .nothing { return nil }
    }
  }

  private func verdict(_ card: ReviewCard, _ merges: Bool) -> [String] {
    let isRight = merges == card.isHarmless
    let truth = card.isHarmless ? "nothing is wrong with this change" : "this change is wrong"
    let sentence = isRight ? "Right: \(truth)." : "You have \(merges ? "merged it" : "sent it back"), but \(truth)."
    return [kata.style.paint(sentence, isRight ? .green : .red)]
  }
}

/// How a sitting went.
struct ReviewTally {
  private var answers: [(card: ReviewCard, merges: Bool)] = []

  mutating func add(_ card: ReviewCard, merges: Bool) { answers.append((card, merges)) }

  /// One line for each lesson and, if there are several, one for all.
  func lines(_ style: Style) -> [String] {
    let lessons = Set(answers.map(\.card.lesson)).sorted()
    var lines = lessons.map { lesson in line(Lesson.title(lesson), answers.filter { $0.card.lesson == lesson }) }
    if lessons.count > 1 { lines.append(line("All", answers)) }
    return lessons.isEmpty ? ["You have answered no card."] : lines.flatMap { style.wrap($0) }
  }

  private func line(_ title: String, _ answers: [(card: ReviewCard, merges: Bool)]) -> String {
    let right = answers.count { $0.merges == $0.card.isHarmless }
    let merged = answers.count { $0.merges && !$0.card.isHarmless }
    return "\(title): \(right) of \(answers.count) right, \(merged) merged although wrong, "
      + "\(answers.count - right - merged) sent back although right"
  }
}
