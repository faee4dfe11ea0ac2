import Foundation

/// What a lesson's suite says about a card.
struct Evidence: Equatable {
  enum Verdict: Equatable {
    /// A test fails, or the change does not get that far.
    case refused
    case passed
    /// The suite could not be tried.
    case none
  }

  let verdict: Verdict
  /// The first failure, as its author would read it; or else what the engine says.
  var text: [String] = []
  /// The number of the step whose test refuses the change.
  var step: Int?

  /// - Parameter output: What `.ci/variants` has printed about one patch.
  init(output: String) {
    let lines = output.split(separator: "\n").map(String.init)
    let indented = lines.filter { $0.hasPrefix("    ") }.map { String($0.dropFirst(4)) }
    guard let first = lines.firstIndex(where: { $0.contains(#/^(Lesson \d|[A-Z][a-z]+) \S+: /#) }) else {
      (verdict, text) = (.none, lines.suffix(1))
      return
    }
    if lines[first].hasSuffix(": does not apply") {
      (verdict, text) = (.none, ["git cannot apply the patch:"] + indented.suffix(1))
    } else if lines[first].contains(/: (passes|accepted)/) {
      verdict = .passed
    } else {
      verdict = .refused
      text = indented.isEmpty ? [lines[first].replacing(#/^.*?: /#, with: "")] : indented
      step = lines[first].firstMatch(of: /refused by (\d+)/).flatMap { Int($0.1) }
    }
  }
}

/// Plays the evidence for cards in the background, one after the other.
final class EvidencePlayer {
  private let kata: Kata
  private let output = FileManager.default.temporaryDirectory.appending(path: "kata-\(UUID().uuidString)").path
  private var playing: (path: String, child: Child)?
  private var wanted: ReviewCard?
  private var known: [String: Evidence] = [:]

  init(kata: Kata) { self.kata = kata }

  /// Starts to play a card, or will do so when the one before has ended.
  func play(_ card: ReviewCard) throws {
    wanted = card
    try work()
  }

  /// The evidence for a card; `nil` if it is not there yet.
  func evidence(for card: ReviewCard) throws -> Evidence? {
    try work()
    return known[card.patch.path]
  }

  /// Whether a suite is being built, which happens before the first card of a lesson.
  var isBuilding: Bool { Files.end(output).hasPrefix("Building the suite") && !Files.end(output).contains("\nLesson") }

  /// Stops what is being played, and everything that it has started.
  func stop() {
    playing?.child.stopAll()
    playing = nil
    try? FileManager.default.removeItem(atPath: output)
  }

  /// Waits for the evidence for a card.
  func wait(for card: ReviewCard) throws -> Evidence {
    try play(card)
    while true {
      if let evidence = try evidence(for: card) { return evidence }
      try Interrupt.check()
      usleep(20_000)
    }
  }

  /// Notices that the evidence for one card is there, and starts to play the next.
  func work() throws {
    if let playing, playing.child.status != nil {
      known[playing.path] = Evidence(output: (Files.text(output) ?? "").replacing("\(kata.repository.root)/", with: ""))
      self.playing = nil
    }
    guard playing == nil, let card = wanted else { return }
    wanted = nil
    // These variables change what the engine does.
    let others = ["KATA_PROOF", "KATA_ALL", "KATA_BLOCK", "CONTRACT", "QUARTER"]
    let engine = ["bash", kata.repository.path(".ci/variants"), kata.repository.path(card.patch.path)]
    playing = (
      card.patch.path, try Child(engine, environment: kata.environment.filter { !others.contains($0.key) }, output: output)
    )
  }
}
