import Foundation

/// `kata review`: a sitting of five cards. Each is a change to one of our solutions: merge it, or send it back?
struct ReviewCommand {
  let kata: Kata
  /// The lesson that was named; `nil` for all that are finished.
  let number: Int?

  /// How many cards a sitting has.
  static let count = 5

  private var memoryPath: String { "\(kata.folder)/review.json" }

  /// Shows the cards and asks. Without a terminal, prints what the next sitting will show, each card with its answer.
  func run() throws -> ExitCode {
    let patches = try patches()
    let memory = ReviewMemory(path: memoryPath)
    if memory == nil {
      kata.terminal.show(
        kata.style.wrap(".build/kata/review.json does not make sense. All cards count as new now.") + [""])
    }
    let player = EvidencePlayer(kata: kata)
    defer { player.stop() }
    let deck = Deck(repository: kata.repository, patches: patches, memory: memory ?? ReviewMemory())
    if let keyboard = kata.terminal.keyboard { return try sitting(deck, player, keyboard) }
    return try preview(deck, player)
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

  /// What is drawn from, and what has been.
  private struct Deck {
    let repository: Repository
    let patches: [ReviewPatch]
    var memory: ReviewMemory
    var drawn: [ReviewPatch] = []

    var isAtEnd: Bool { drawn.count == ReviewCommand.count }

    mutating func next() -> ReviewCard? {
      guard !isAtEnd, let card = memory.draw(from: patches, besides: drawn, card: repository.reviewCard) else { return nil }
      drawn.append(card.patch)
      return card
    }
  }

  private func preview(_ deck: Deck, _ player: EvidencePlayer) throws -> ExitCode {
    var deck = deck
    // The next sitting begins with what is stored. It shows these cards only if that is possible.
    remember(deck.memory)
    while let card = deck.next() {
      kata.terminal.show(card.lines(deck.drawn.count, kata.style) + ["", "The answer:", ""])
      let evidence = try player.wait(for: card)
      let verdict = card.isHarmless ? "Merge it: nothing is wrong with this change." : "Send it back: this change is wrong."
      kata.terminal.show(kata.style.wrap(verdict) + kata.style.wrap(card.sentence))
      kata.terminal.show(card.lines(evidence, page: page(card), kata.style) + [""])
    }
    return .green
  }

  private func sitting(_ deck: Deck, _ player: EvidencePlayer, _ keyboard: Keyboard) throws -> ExitCode {
    var (deck, tally) = (deck, ReviewTally())
    defer { kata.terminal.show([""] + tally.lines(kata.style)) }
    var canRemember = true
    while let card = deck.next() {
      kata.terminal.show(card.lines(deck.drawn.count, kata.style) + [""])
      if canRemember { canRemember = remember(deck.memory) }
      try player.play(card)
      guard let merges = try answer(card, player, keyboard) else { return .green }
      tally.add(card, merges: merges)
      kata.terminal.show([""] + verdict(card, merges) + kata.style.wrap(card.sentence))

      if let evidence = try evidence(card, player, keyboard) {
        kata.terminal.show(card.lines(evidence, page: page(card), kata.style))
        guard !deck.isAtEnd else { break }
        kata.terminal.show([""])
        let next = try line(keyboard, player, prompt: "Press Return for the next card.  (q ends) ")
        guard let next, next != "q" else { break }
      }
      if !deck.isAtEnd { kata.terminal.show([""]) }
    }
    return .green
  }

  /// Whether the learner merges a card; `nil` to end the sitting.
  private func answer(_ card: ReviewCard, _ player: EvidencePlayer, _ keyboard: Keyboard) throws -> Bool? {
    var prompt = "Merge it (m) or send it back (s)?  (q ends) "
    while let text = try line(keyboard, player, prompt: prompt) {
      switch text {
      case "m": return true
      case "s": return false
      case "q": return nil
      default: prompt = "Type m, s or q, and press Return: "
      }
    }
    return nil
  }

  /// The next line that is typed, in lowercase; `nil` at the end of the input.
  private func line(_ keyboard: Keyboard, _ player: EvidencePlayer, prompt: String) throws -> String? {
    kata.terminal.ask(prompt)
    while true {
      try Interrupt.check()
      try player.work()
      switch keyboard.read() {
      case .line(let text): return text.trimmingCharacters(in: .whitespaces).lowercased()
      case .end: return nil
      case .nothing: continue
      }
    }
  }

  /// The evidence; `nil` if the learner does not wait for it.
  private func evidence(_ card: ReviewCard, _ player: EvidencePlayer, _ keyboard: Keyboard) throws -> Evidence? {
    var word = ""
    while true {
      if let evidence = try player.evidence(for: card) { return evidence }
      try Interrupt.check()
      let now =
        player.isBuilding
        ? "The suite is being built, for a minute or so. Return goes on without it."
        : "The suite is running. Return goes on without its result."
      if now != word, kata.terminal.isTerminal || word.isEmpty {
        word = now
        if kata.terminal.isTerminal { kata.terminal.live(now) } else { kata.terminal.show([now]) }
      }
      if keyboard.read() != .nothing { return nil }
    }
  }

  private func verdict(_ card: ReviewCard, _ merges: Bool) -> [String] {
    let isRight = merges == card.isHarmless
    let sentence =
      switch (merges, card.isHarmless) {
      case (true, true): "Right: nothing is wrong with this change."
      case (false, false): "Right: this change is wrong."
      case (true, false): "You have merged it, but this change is wrong."
      case (false, true): "You have sent it back, but nothing is wrong with this change."
      }
    return kata.style.wrap(sentence).map { kata.style.paint($0, isRight ? .green : .red) }
  }

  private func page(_ card: ReviewCard) -> Page? { (try? kata.repository.lesson(card.lesson))?.page }

  /// Stores what has been shown.
  @discardableResult
  private func remember(_ memory: ReviewMemory) -> Bool {
    if memory.save(path: memoryPath) { return true }
    kata.terminal.show(
      kata.style.wrap(".build/kata cannot be written, so nothing is remembered: the next sitting may show other cards.") + [""])
    return false
  }
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

extension ReviewCard {
  /// The card: its place, and the diff.
  func lines(_ index: Int, _ style: Style) -> [String] {
    let title = style.wrap("Card \(index) of \(ReviewCommand.count) · \(Lesson.title(lesson)) · \(place)")
    return title.map { style.paint($0, .bold) } + [""] + diff(style)
  }

  /// What the suite says, and which rule that is.
  func lines(_ evidence: Evidence, page: Page?, _ style: Style) -> [String] {
    let suite = "the suite of \(Lesson.title(lesson))"
    switch (evidence.verdict, isHarmless) {
    case (.none, _):
      return [""] + style.wrap("The suite could not be tried. \(evidence.text.joined(separator: " "))")
    case (.passed, true): return [""] + style.wrap("Nothing goes wrong: \(suite) passes.")
    case (.passed, false):
      return [""] + style.wrap("This time, \(suite) has passed. Some mistakes need two threads that meet. Read the diff again.")
    case (.refused, _):
      var lines = [""] + style.wrap(isHarmless ? "But \(suite) fails, which is our mistake:" : "What \(suite) says:")
      lines += evidence.text.prefix(15).flatMap { style.wrap($0, indent: "    ", first: "  ") }
      if evidence.text.count > 15 { lines.append("  …") }
      if let test = evidence.test { lines += [""] + style.wrap(test, indent: "      ", first: "Rule  ") }
      let link = evidence.step.flatMap { page?.step($0) }.map { "Lessons/\(Lesson.folder(lesson)).md#\($0.anchor)" }
      return lines + (link.map { ["Read  \($0)"] } ?? [])
    }
  }
}

extension Page.Section {
  /// `step-6-send-once-more-extra`: what a link to the section ends in.
  var anchor: String {
    heading.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.replacing(" ", with: "-")
  }
}

/// How the sitting went.
struct ReviewTally: Equatable {
  private struct Count: Equatable {
    var all = 0, merged = 0, sentBack = 0
  }
  private var counts: [Int: Count] = [:]

  /// Counts an answer.
  mutating func add(_ card: ReviewCard, merges: Bool) {
    counts[card.lesson, default: Count()].all += 1
    if merges, !card.isHarmless { counts[card.lesson]?.merged += 1 }
    if !merges, card.isHarmless { counts[card.lesson]?.sentBack += 1 }
  }

  /// One line for each lesson, and one for all.
  func lines(_ style: Style) -> [String] {
    guard !counts.isEmpty else { return ["You have answered no card."] }
    let all = counts.values.reduce(into: Count()) {
      $0 = Count(all: $0.all + $1.all, merged: $0.merged + $1.merged, sentBack: $0.sentBack + $1.sentBack)
    }
    let lessons = counts.count < 2 ? [] : counts.keys.sorted().map { line(Lesson.title($0), counts[$0] ?? Count()) }
    let title = counts.count == 1 ? counts.keys.first.map(Lesson.title) ?? "" : "All"
    return (lessons + [line(title, all)]).flatMap { style.wrap($0) }
  }

  private func line(_ title: String, _ count: Count) -> String {
    "\(title): \(count.all - count.merged - count.sentBack) of \(count.all) right, \(count.merged) merged although wrong, "
      + "\(count.sentBack) sent back although right"
  }
}
