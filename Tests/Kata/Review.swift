import Foundation

extension State {
  /// Draws cards until five lie ready. One in three is harmless, whatever has been drawn before.
  ///
  /// - Parameter all: What to draw from.
  /// - Returns: The cards of the next sitting.
  mutating func deal(from all: [Card]) -> [Card] {
    var hand = Array(cards.compactMap { path in all.first { $0.path == path } }.prefix(5))
    while hand.count < 5 {
      let isHarmless = Int.random(in: 0..<3) == 0
      let free = all.filter { card in !hand.contains { $0.spot == card.spot } }
      let kind = free.filter { $0.isHarmless == isHarmless }
      let ofKind = kind.isEmpty ? free : kind
      if ofKind.allSatisfy({ judged.contains($0.path) }) { judged.subtract(ofKind.map(\.path)) }
      let new = ofKind.filter { !judged.contains($0.path) }
      // The lesson first: the lessons have different numbers of cards, and would otherwise say something about the kind.
      guard let lesson = Set(new.map(\.lesson)).randomElement(), let card = new.filter({ $0.lesson == lesson }).randomElement()
      else { break }
      hand.append(card)
      cards.append(card.path)
    }
    return hand
  }
}

extension Kata {
  /// `kata review`: five changes to our solutions. In a pipe, what the next sitting will show, each with its answer.
  func review(_ named: Lesson?) throws {
    var state = State(path: statePath)
    let chosen = named.map { [$0] } ?? repository.lessons.filter { state.known[$0.folder]?.isFinished == true }
    if chosen.isEmpty {
      throw Problem(
        "No lesson is known to be finished. Run `swift run kata` if you have finished one, or name a lesson: "
          + "`swift run kata review 3`.")
    }
    let cards = state.deal(from: chosen.flatMap(repository.cards))
    if cards.isEmpty { throw Problem("There are no cards. They are on the pages in Tests/Mistakes.") }
    state.save(path: statePath)

    var right = 0
    var judged = 0
    for (index, card) in cards.enumerated() {
      show(card, title: "Card \(index + 1) of \(cards.count) · \(Lesson.title(card.lesson)) · \(card.file)")
      let truth = card.isHarmless ? "Merge it: nothing is wrong with this change." : "Send it back: this change is wrong."
      guard terminal.isInteractive else {
        terminal.show(["The answer:", "", truth] + terminal.wrap(card.sentence) + ["", "Proof  .ci/variants \(card.path)", ""])
        continue
      }
      guard let answer = ask("Merge it (m) or send it back (s)?  (q ends) ", ["m", "s"]) else { break }
      // A `kata watch` beside this sitting writes to the same file.
      state = State(path: statePath)
      state.cards.removeAll { $0 == card.path }
      state.judged.insert(card.path)
      state.save(path: statePath)
      let isRight = (answer == "m") == card.isHarmless
      right += isRight ? 1 : 0
      judged += 1
      terminal.show(["", terminal.paint((isRight ? "Right. " : "No. ") + truth, isRight ? .green : .red)])
      terminal.show(terminal.wrap(card.sentence) + [""])
      guard try hasMore(card) else { break }
    }
    if judged > 0 { terminal.show(["", "\(right) of \(judged) right."]) }
  }

  private func show(_ card: Card, title: String) {
    let paints = ["+": Terminal.Paint.green, "-": .red]
    let lines = card.shown.map { terminal.paint($0, paints[String($0.prefix(1))]) }
    terminal.show(terminal.wrap(title, "", .bold) + [""] + lines + [""])
  }

  /// Whether to go on after a card. Before that, the learner may see what the suite says about it.
  private func hasMore(_ card: Card) throws -> Bool {
    while let answer = ask("Press Return to go on, or see what the suite says (p).  (q ends) ", ["", "p"]) {
      terminal.show([""])
      if answer.isEmpty { return true }
      terminal.show(terminal.wrap("The first time in a lesson, this takes a minute or so."))
      try Child.run(["bash", ".ci/variants", card.path], in: repository.root, environment: environment)
      terminal.show([""])
    }
    return false
  }

  /// Asks until one of some answers is given; `nil` for `q` and at the end of the input.
  private func ask(_ question: String, _ answers: [String]) -> String? {
    while true {
      terminal.write(question)
      guard let line = terminal.read()?.trimmingCharacters(in: .whitespaces).lowercased(), line != "q" else { return nil }
      if answers.contains(line) { return line }
    }
  }
}
