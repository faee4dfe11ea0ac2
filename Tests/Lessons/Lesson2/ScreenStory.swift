import Given
import TestSupport

/// A story about a user who opens and leaves screens, and about a service that delivers their data on any queue.
final class ScreenStory: Story {
  struct Delivery: Sendable {
    let failure: Trouble?
    let place: Stage.Place
  }

  enum Event: Sendable {
    case open(Stage.Kind, immediately: Delivery?)
    case deliver(Int, Delivery)
    case deliverAndLeave(Int, Trouble?)
    case leave(Int)
  }

  static func event(using random: inout SeededRandom) -> Event {
    let position = Int.random(in: 0..<9, using: &random)
    let failure = Bool.random(using: &random) ? Trouble.random(using: &random) : nil
    let delivery = Delivery(failure: failure, place: Stage.Place.allCases.randomElement(using: &random)!)
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

  var setting: [String] { [Stage.setting] }

  func play(_ event: Event) async -> String? {
    switch event {
    case .open(let kind, let delivery):
      let index = model.screens.count
      model.open(kind)
      return await stage.open(kind, delivery.map { deliver($0, to: index) })
    case .deliver(let position, let delivery):
      guard let index = stage.service.calls.unfinished.at(position) else { return nil }
      return await stage.deliver(deliver(delivery, to: index), to: index)
    case .deliverAndLeave(let position, let failure):
      guard let index = stage.service.calls.unfinished.at(position), model.screens[index].isOpen else { return nil }
      let delivery = deliver(Delivery(failure: failure, place: .otherQueueWhileMainIsBusy), to: index, leaving: true)
      return await stage.deliver(delivery, to: index, leaving: true)
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
    return .deliver(0, Delivery(failure: unfinished.isMultiple(of: 2) ? nil : .timedOut, place: .otherQueue))
  }

  /// Tells the model what is delivered.
  private func deliver(_ delivery: Delivery, to index: Int, leaving isLeaving: Bool = false) -> Stage.Delivery {
    let profiles = [
      Profile.ada, Profile(userName: "Grace Hopper", address: ""), Profile(userName: "", address: "Wilmslow"),
    ]
    var result = Result<Profile, any Error>.success(profiles[index % profiles.count])
    // The loader of a user screen never fails.
    if let failure = delivery.failure, model.screens[index].kind == .profile { result = .failure(failure.error) }
    if isLeaving { model.leave(index) } else { model.deliver(result, to: index) }
    return Stage.Delivery(result: result, place: delivery.place)
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

  mutating func deliver(_ result: Result<Profile, any Error>, to index: Int) {
    guard screens[index].isOpen else { return }
    let name = "screen \(index + 1)'s"
    switch (result, screens[index].kind) {
    case (.success(let profile), .profile):
      effects += [#"\#(name) userNameLabel shows "\#(profile.userName)""#, #"\#(name) addressLabel shows "\#(profile.address)""#]
    case (.success(let profile), .user): effects.append(#"\#(name) label shows "\#(profile.userName)""#)
    case (.failure(let error), _): effects.append(#"\#(name) errorView shows "\#(error.localizedDescription)""#)
    }
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
