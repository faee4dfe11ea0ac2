import Given
import TestSupport

/// A story about a user who opens and leaves screens, and about a service that delivers their data on any queue.
final class ScreenStory: Story {
  enum Event: Sendable {
    case open(Stage.Kind, immediately: Stage.Delivery?)
    case deliver(Int, Stage.Delivery)
    case deliverAndLeave(Int, Trouble?)
    case leave(Int)
  }

  static func event(using random: inout SeededRandom) -> Event {
    let position = Int.random(in: 0..<9, using: &random)
    let failure = Bool.random(using: &random) ? Trouble.random(using: &random) : nil
    let delivery = Stage.Delivery(failure: failure, place: Stage.Place.allCases.randomElement(using: &random)!)
    let kind: Stage.Kind = Int.random(in: 0..<3, using: &random) > 0 ? .profile : .user
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<3: return .open(kind, immediately: nil)
    case 3..<5: return .open(kind, immediately: delivery)
    case 5..<9: return .deliver(position, delivery)
    case 9: return .deliverAndLeave(position, failure)
    default: return .leave(position)
    }
  }

  let leaks = LeakTracker()
  private let stage: Stage
  private var model = ScreenModel()

  init(using random: inout SeededRandom) {
    stage = Stage(leaks)
  }

  var setting: [String] { ["All screens use the same service: some directly, the others through a loader."] }

  func play(_ event: Event) async -> String? {
    switch event {
    case .open(let kind, let delivery):
      model.open(kind)
      if let delivery { model.deliver(delivery, to: model.screens.count - 1) }
      return await stage.open(kind, delivery)
    case .deliver(let position, let delivery):
      guard let index = stage.service.calls.unfinished.at(position) else { return nil }
      model.deliver(delivery, to: index)
      return await stage.deliver(delivery, to: index)
    case .deliverAndLeave(let position, let failure):
      guard let index = stage.service.calls.unfinished.at(position), model.screens[index].isOpen else { return nil }
      model.leave(index)
      return await stage.deliver(
        Stage.Delivery(failure: failure, place: .otherQueueWhileMainIsBusy), to: index, leaving: true)
    case .leave(let position):
      guard let index = model.screens.indices.filter({ model.screens[$0].isOpen }).at(position) else { return nil }
      model.leave(index)
      return await stage.leave(index)
    }
  }

  var expected: [String] { model.effects }

  var observed: [String] { stage.observed }

  func release() -> String? {
    for (index, screen) in stage.screens.enumerated() {
      if model.screens[index].isOpen { model.leave(index) }
      screen.leave()
    }
    return stage.screens.isEmpty ? nil : "The user leaves all screens."
  }

  func nextEnding() -> Event? {
    let unfinished = stage.service.calls.unfinished.count
    guard unfinished > 0 else { return nil }
    return .deliver(0, Stage.Delivery(failure: unfinished.isMultiple(of: 2) ? nil : .timedOut, place: .otherQueue))
  }
}

/// What the page promises, as plain values.
private struct ScreenModel {
  private(set) var screens: [(kind: Stage.Kind, isOpen: Bool)] = []
  /// Everything that may be observed.
  private(set) var effects: [String] = []

  mutating func open(_ kind: Stage.Kind) {
    screens.append((kind, true))
    effects += Stage.effectsOfOpening(screens.count, kind)
  }

  mutating func deliver(_ delivery: Stage.Delivery, to index: Int) {
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

extension [Int] {
  /// The element at a position modulo the number of elements; `nil` if there is none.
  fileprivate func at(_ position: Int) -> Int? {
    isEmpty ? nil : self[position % count]
  }
}
