import Foundation

/// What `kata review` remembers: which cards have been shown, and how it goes on. It is stored in .build.
struct ReviewMemory: Codable, Equatable {
  /// The state of the generator. The same state leads to the same cards.
  var dice: Dice
  /// The patches that have been shown, since all of their kind had been shown.
  private var shown: Set<String> = []

  init(seed: UInt64 = .random(in: 0...UInt64(UInt32.max))) { dice = Dice(state: seed) }

  /// Draws a card. One in three is harmless, whatever has been drawn before.
  ///
  /// - Parameters:
  ///   - patches: What to draw from.
  ///   - drawn: What has been drawn in this sitting. It does not come back.
  ///   - card: Reads a patch. One that is no card is passed over.
  /// - Returns: `nil` if there is no card left.
  mutating func draw(
    from patches: [ReviewPatch], besides drawn: [ReviewPatch] = [], card: (ReviewPatch) -> ReviewCard?
  ) -> ReviewCard? {
    let isHarmless = Int.random(in: 0..<3, using: &dice) == 0
    var new = patches.filter { !drawn.contains($0) }
    while true {
      let kind = new.filter { $0.isHarmless == isHarmless }
      let ofKind = kind.isEmpty ? new : kind
      var left = ofKind.filter { !shown.contains($0.path) }
      if left.isEmpty {
        shown.subtract(ofKind.map(\.path))
        left = ofKind
      }
      // The lesson first: the lessons have different numbers of cards, and would otherwise say something about the kind.
      guard let lesson = Set(left.map(\.lesson)).sorted().randomElement(using: &dice),
        let patch = left.filter({ $0.lesson == lesson }).randomElement(using: &dice)
      else { return nil }
      if let card = card(patch) {
        shown.insert(patch.path)
        return card
      }
      new.removeAll { $0 == patch }
    }
  }
}

/// A patch that may be a card.
struct ReviewPatch: Equatable {
  /// From the root of the package.
  let path: String
  /// The number of its lesson.
  let lesson: Int

  /// Whether it may be merged. The wrong ones are among the impostors.
  var isHarmless: Bool { path.hasPrefix("Tests/Alternatives/") }
}

extension ReviewMemory {
  /// Reads the file.
  ///
  /// - Returns: `nil` if it does not make sense, and a new memory if there is no file.
  init?(path: String) {
    guard let data = FileManager.default.contents(atPath: path) else {
      self.init()
      return
    }
    guard let memory = try? JSONDecoder().decode(ReviewMemory.self, from: data) else { return nil }
    self = memory
  }

  /// Writes the file.
  ///
  /// - Returns: Whether that was possible.
  func save(path: String) -> Bool {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return (try? JSONEncoder().encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)) != nil
  }
}

/// Random numbers that can be repeated: SplitMix64.
struct Dice: RandomNumberGenerator, Codable, Equatable {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
