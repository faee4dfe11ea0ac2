import Given
import TestSupport
import Testing

/// A story about the composed feed screen, its user, and loaders that deliver on any queue.
final class FeedStory: Story {
  enum Event: Sendable {
    case requestFeed(early: Ending? = nil)
    case appear(Int, early: Ending? = nil, afterCancel: Loads.AfterCancel = .endsSilently)
    case disappear(Int)
    case end(Int = 0, with: Ending = .value, on: Place, then: FeedWorld.FollowUp? = nil)
    case leave

    /// Whether the event may cancel a load of a row that stays. What that load delivers is open before step 4.
    var mayCancel: Bool {
      switch self {
      case .disappear: true
      case .end(_, _, _, let next): next != nil
      case .requestFeed, .appear, .leave: false
      }
    }
  }

  static func event(using random: inout SeededRandom) -> Event {
    let ending = Ending.random(using: &random)
    let early = Int.random(in: 0..<4, using: &random) == 0 ? ending : nil
    let position = Int.random(in: 0..<6, using: &random)
    // After the user has left, not much can happen.
    let isLast = Int.random(in: 0..<12, using: &random) == 0
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<3: return .requestFeed(early: early)
    case 3..<9:
      return .appear(position, early: early, afterCancel: Loads.AfterCancel.allCases.randomElement(using: &random)!)
    case 9..<11: return .disappear(position)
    case 11..<19:
      return .end(
        position, with: ending, on: Place.allCases.randomElement(using: &random)!,
        then: isLast ? .leaves : [nil, nil, .rowDisappears(position)].randomElement(using: &random)!)
    default: return isLast ? .leave : .requestFeed(early: early)
    }
  }

  static let leakMessage: Comment =
    "The user has left, and all loads have ended, but something still retains a part of the screen. Follow the arrows in the page's diagram."

  let leaks = LeakTracker()
  let setting = ["The feed screen is composed."]
  private let world: FeedWorld
  private var model = FeedModel()
  /// Whether the user leaves in the end, if not before. If the user never leaves, the story is not about the release.
  private let endsByLeaving: Bool

  init(endingByLeaving endsByLeaving: Bool = false) {
    (world, self.endsByLeaving) = (FeedWorld(leaks), endsByLeaving)
  }

  convenience init(using random: inout SeededRandom) {
    self.init(endingByLeaving: true)
  }

  func play(_ event: Event) async -> String? {
    guard !model.isLeft || isEnd(event) else { return nil }
    defer { model.noteChanges() }
    switch event {
    case .requestFeed(let early):
      guard !model.isLoading else { return nil }
      let (index, isFirst) = (model.begun.count, !model.isOpen)
      model.requestFeed()
      if let early { model.end(index, with: early) }
      return await world.requestFeed(isFirst: isFirst, early: early)
    case .appear(let position, let early, let afterCancel):
      guard let row = Array(model.rows.indices).at(position), model.rows[row].load == nil else { return nil }
      let index = model.begun.count
      model.appear(row)
      if let early { model.end(index, with: early) }
      return await world.appear(row, early: early, afterCancel: afterCancel)
    case .disappear(let position):
      guard let row = model.visible.at(position) else { return nil }
      model.disappear(row)
      return await world.disappear(row)
    case .end(let position, let ending, let place, let next):
      return await end(position, with: ending, on: place, then: next)
    case .leave:
      model.leave()
      return await world.leave()
    }
  }

  var expected: [String] { model.effects }

  var observed: [String] {
    // Whether a cancellation reaches the loader after its result is open.
    let tooLate = model.canceledTooLate.map { "the image loader cancels load \($0 + 1)" }
    return world.observed.filter { !tooLate.contains($0) }
  }

  func release() -> String? { nil }

  func nextEnding() -> Event? {
    guard model.isLeft else {
      if !endsByLeaving { leaks.forget() }
      return endsByLeaving ? .leave : nil
    }
    return world.loads.open.isEmpty ? nil : .end(on: .otherQueue)
  }

  private func isEnd(_ event: Event) -> Bool {
    if case .end = event { true } else { false }
  }

  private func end(
    _ position: Int, with ending: Ending, on place: Place, then next: FeedWorld.FollowUp?
  ) async -> String? {
    guard let index = world.loads.open.filter(model.begun.indices.contains).at(position) else { return nil }
    // On the main queue, a result is shown before what follows. A hop comes after it.
    if place == .mainQueue { model.end(index, with: ending) }
    let next = place == .otherQueue || model.isLeft ? nil : follow(next)
    if place != .mainQueue { model.end(index, with: ending) }
    return await world.end(index, with: ending, at: place, then: next)
  }

  /// Decides what the user does, and to which row. It also happens to the model.
  private func follow(_ next: FeedWorld.FollowUp?) -> FeedWorld.FollowUp? {
    switch next {
    case .rowDisappears(let position):
      guard let row = model.visible.at(position) else { return nil }
      model.disappear(row)
      return .rowDisappears(row)
    case .leaves:
      model.leave()
      return .leaves
    case nil: return nil
    }
  }
}

/// What the page promises, as plain values.
private struct FeedModel {
  struct Row {
    let title: String
    let file: String
    var hasAppeared = false
    var image: String?
    /// The load of the visible row; it may have ended.
    var load: Int?
  }

  private(set) var isOpen = false
  private(set) var isLeft = false
  private(set) var isLoading = false
  private(set) var rows: [Row] = []
  /// What each load is about, oldest first.
  private(set) var begun: [String] = []
  private(set) var canceledTooLate: Set<Int> = []
  private var canceled: Set<Int> = []
  private var ended: Set<Int> = []
  private var message: String?
  /// What has appeared on the screen so far, and what the user saw after the previous event.
  private var changes: [String] = []
  private var shownBefore = FeedWorld.inWords(rows: [], isLoading: false, message: nil)

  var visible: [Int] { rows.indices.filter { rows[$0].load != nil } }

  /// Everything that may be observed.
  var effects: [String] {
    begun.enumerated().map { "load \($0.offset + 1) requests \($0.element)" }
      + canceled.sorted().map { "the image loader cancels load \($0 + 1)" }
      + (isLeft ? ["the screen is released"] : []) + changes
  }

  private var shown: [String] {
    FeedWorld.inWords(rows: rows.map(\.title), isLoading: isLoading, message: message)
      + rows.indices.filter { rows[$0].hasAppeared }.map { FeedWorld.inWords(row: $0, image: rows[$0].image) }
  }

  /// Notes what is new on the screen after an event.
  mutating func noteChanges() {
    let shown = isLeft ? [] : shown
    changes += shown.filter { !shownBefore.contains($0) }
    shownBefore = shown
  }

  mutating func requestFeed() {
    begun.append("the feed")
    (isOpen, isLoading, message) = (true, true, nil)
  }

  mutating func appear(_ row: Int) {
    rows[row].hasAppeared = true
    rows[row].load = begun.count
    begun.append(rows[row].file)
  }

  mutating func disappear(_ row: Int) {
    guard let load = rows[row].load else { return }
    rows[row].load = nil
    if ended.contains(load) { canceledTooLate.insert(load) } else { canceled.insert(load) }
  }

  mutating func leave() {
    for row in rows.indices { disappear(row) }
    isLeft = true
  }

  mutating func end(_ load: Int, with ending: Ending) {
    guard !isLeft, !canceled.contains(load) else { return }
    ended.insert(load)
    if begun[load] == "the feed" {
      isLoading = false
      switch ending {
      case .failure(let trouble): message = trouble.error.localizedDescription
      case .emptyValue: replaceRows(with: [])
      case .value, .sameValue:
        replaceRows(with: [
          Row(title: ending.inWords(.feed, load), file: "cat.jpg"), Row(title: FeedImage.dog.title, file: "dog.jpg"),
        ])
      }
    } else if let row = rows.firstIndex(where: { $0.load == load }) {
      switch ending {
      case .failure: break
      case .emptyValue: rows[row].image = ""
      case .value, .sameValue: rows[row].image = ending.inWords(.image, load)
      }
    }
  }

  /// The screen releases the previous rows, and each of them cancels its load.
  private mutating func replaceRows(with new: [Row]) {
    for row in rows.indices { disappear(row) }
    rows = new
  }
}
