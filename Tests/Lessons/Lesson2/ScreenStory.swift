import Given
import TestSupport
import Testing

/// A story about a user who opens and leaves screens, and about a service that delivers their data on any queue.
final class ScreenStory: Story {
  enum Event: Sendable {
    case open(World.Kind, immediately: World.Delivery? = nil)
    case deliver(World.Delivery, to: Int = 0)
    case deliverAndLeave(failure: Trouble? = nil, to: Int = 0)
    case leave(Int = 0)
  }

  static func event(using random: inout SeededRandom) -> Event {
    let position = Int.random(in: 0..<9, using: &random)
    let failure = Bool.random(using: &random) ? Trouble.random(using: &random) : nil
    let delivery = World.Delivery(failure: failure, place: World.Place.allCases.randomElement(using: &random)!)
    let kind: World.Kind = Int.random(in: 0..<3, using: &random) > 0 ? .profile : .user
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<3: return .open(kind, immediately: nil)
    case 3..<5: return .open(kind, immediately: delivery)
    case 5..<9: return .deliver(delivery, to: position)
    case 9: return .deliverAndLeave(failure: failure, to: position)
    default: return .leave(position)
    }
  }

  let leaks = LeakTracker()
  private let world: World
  private var model = ScreenModel()

  /// - Parameter allowsHops: Whether a result that arrives on the main queue may be shown after a hop.
  init(allowingHops allowsHops: Bool = false) {
    world = World(leaks, allowingHops: allowsHops)
  }

  convenience init(using random: inout SeededRandom) {
    self.init()
  }

  static let leakMessage: Comment =
    "The screen has shown its result, and the user has left. But a closure still retains the controller. Find that closure, and capture the controller weakly in it."

  var setting: [String] { ["All screens use the same service: some directly, the others through a loader."] }

  func play(_ event: Event) async -> String? {
    switch event {
    case .open(let kind, let delivery):
      model.open(kind)
      if let delivery { model.deliver(delivery, to: model.screens.count - 1) }
      return await world.open(kind, delivery)
    case .deliver(let delivery, let position):
      guard let index = world.service.calls.unfinished.at(position) else { return nil }
      model.deliver(delivery, to: index)
      return await world.deliver(delivery, to: index)
    case .deliverAndLeave(let failure, let position):
      guard let index = world.service.calls.unfinished.at(position), model.screens[index].isOpen else { return nil }
      model.leave(index)
      return await world.deliver(
        World.Delivery(failure: failure, place: .otherQueueWhileMainIsBusy), to: index, leaving: true)
    case .leave(let position):
      guard let index = model.screens.indices.filter({ model.screens[$0].isOpen }).at(position) else { return nil }
      model.leave(index)
      return await world.leave(index)
    }
  }

  var expected: [String] { model.effects }

  var observed: [String] { world.observed }

  func release() -> String? {
    for (index, screen) in world.screens.enumerated() {
      if model.screens[index].isOpen { model.leave(index) }
      screen.leave()
    }
    return world.screens.isEmpty ? nil : "The user leaves all screens."
  }

  func nextEnding() -> Event? {
    let unfinished = world.service.calls.unfinished.count
    guard unfinished > 0 else { return nil }
    return .deliver(World.Delivery(failure: unfinished.isMultiple(of: 2) ? nil : .timedOut, place: .otherQueue))
  }
}

/// What the page promises, as plain values.
private struct ScreenModel {
  private(set) var screens: [(kind: World.Kind, isOpen: Bool)] = []
  /// Everything that may be observed.
  private(set) var effects: [String] = []

  mutating func open(_ kind: World.Kind) {
    screens.append((kind, true))
    effects += World.effectsOfOpening(screens.count, kind)
  }

  mutating func deliver(_ delivery: World.Delivery, to index: Int) {
    let (kind, isOpen) = screens[index]
    guard isOpen else { return }
    let texts =
      switch (delivery.result(for: index, kind), kind) {
      case (.success(let profile), .profile): [("userNameLabel", profile.userName), ("addressLabel", profile.address)]
      case (.success(let profile), .user): [("label", profile.userName)]
      case (.failure(let error), _): [("errorView", error.localizedDescription)]
      }
    effects += texts.map { "screen \(index + 1)'s \($0) shows \"\($1)\"" }
  }

  mutating func leave(_ index: Int) {
    screens[index].isOpen = false
    effects.append("screen \(index + 1) is released")
  }
}
