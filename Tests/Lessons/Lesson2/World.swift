import Given
import TestSupport
import Testing

/// A user who opens and leaves the learner's screens, and a service that delivers their data on any queue.
final class World: Scenario {
  private let service = Service()
  private var screens: [Screen] = []
  /// Whether a result that arrives on the main queue may be shown after a hop.
  private let allowsHops: Bool
  /// What the page promises about the events so far.
  private var effects: [String] = []
  /// What neither the screens nor the service can show.
  private let notes = Inbox<String>()

  /// Creates a world without screens.
  ///
  /// - Parameter allowsHops: Whether a result that arrives on the main queue may be shown after a hop.
  init(allowingHops allowsHops: Bool = false) {
    self.allowsHops = allowsHops
    super.init(setting: "All screens use the same service: some directly, the others through a loader.")
  }

  override var leakMessage: String {
    "The screen has shown its result, and the user has left. But a closure still retains the controller. Find that closure, and capture the controller weakly in it."
  }

  override var predicted: [String]? { effects }

  override func observed() async -> [String] {
    service.calls.arguments.map { "\($0) is called" } + screens.flatMap(\.observed) + notes.values
  }

  /// What happens when a screen is opened.
  static func effectsOfOpening(_ number: Int, _ kind: Screen.Kind) -> [String] {
    let labels = kind == .profile ? ["userNameLabel", "addressLabel"] : ["label"]
    return ["\(kind.source) is called"] + labels.map { "screen \(number)'s \($0) shows \"loading\"" }
  }

  /// The user opens a screen.
  ///
  /// - Parameters:
  ///   - kind: The kind of screen.
  ///   - early: Where the service delivers a result before the call to it returns; `nil` if it delivers later.
  ///   - failure: Why the service fails then; `nil` if it delivers a profile.
  func open(
    _ kind: Screen.Kind, deliveringOn early: Place? = nil, failure: SampleError? = nil, leadsToAllOf listed: [String] = [],
    at location: SourceLocation = #_sourceLocation
  ) async {
    let (index, seconds) = (screens.count, Deadline.seconds / 2)
    let delivery = early.map { Delivery(kind: kind, index: index, failure: failure, place: $0) }
    effects += Self.effectsOfOpening(index + 1, kind) + (delivery?.effects ?? [])
    let immediately = delivery.map { " Before the call to \(kind.source) returns, \($0.inWords)" } ?? ""
    await event(
      "The user opens screen \(index + 1), a \(kind) screen.\(immediately)", leadsToAllOf: listed, at: location
    ) {
      await perform("`viewDidLoad` of screen \(index + 1)", on: .main) { [self] in
        let screen = Screen(kind, number: index + 1, service: service)
        leaks.track(screen.controller!)
        screens.append(screen)
        if service.calls.count > index { notes.receive("screen \(index + 1) calls its service before its view loads") }
        service.whenCalled = delivery.map { delivery in { self.handOver(delivery, within: seconds) } }
        screen.controller?.loadViewIfNeeded()
        service.whenCalled = nil
      }
    }
  }

  /// The service delivers to a screen.
  ///
  /// - Parameters:
  ///   - failure: Why the service fails; `nil` if it delivers a profile.
  ///   - index: The index of the screen.
  ///   - place: Where the service delivers.
  ///   - isLeaving: Whether the user leaves the screen immediately afterward, on the main queue.
  func deliver(
    failure: SampleError? = nil, to index: Int = 0, on place: Place, thenLeaving isLeaving: Bool = false,
    leadsToAllOf listed: [String] = [], at location: SourceLocation = #_sourceLocation
  ) async {
    guard service.calls.unfinished.contains(index), !isLeaving || (screens[index].isOpen && place != .otherQueue) else {
      return impossible(at: location)
    }
    let seconds = Deadline.seconds / 2
    let delivery = Delivery(kind: screens[index].kind, index: index, failure: failure, place: place)
    // A hop comes too late for a user who leaves.
    if screens[index].isOpen, !isLeaving || place == .mainQueue { effects += delivery.effects }
    if isLeaving { effects.append("screen \(index + 1) is released") }
    let sentence = delivery.inWords.prefix(1).uppercased() + delivery.inWords.dropFirst()
    let end = isLeaving ? " The user leaves the screen before the main queue runs anything else." : ""
    await event(sentence + end, leadsToAllOf: listed, at: location) {
      await perform("the completion of screen \(index + 1)", on: place.queue) { [self] in
        handOver(delivery, within: seconds)
        if isLeaving { screens[index].leave() }
      }
    }
  }

  /// The user leaves a screen.
  func leave(_ index: Int = 0, leadsToAllOf listed: [String] = [], at location: SourceLocation = #_sourceLocation) async {
    guard screens.indices.contains(index), screens[index].isOpen else { return impossible(at: location) }
    effects.append("screen \(index + 1) is released")
    await event("The user leaves screen \(index + 1).", leadsToAllOf: listed, at: location) {
      await perform("the release of screen \(index + 1)'s controller", on: .main) { [self] in screens[index].leave() }
    }
  }

  override func release() async {
    if screens.isEmpty { return }
    for index in screens.indices where screens[index].isOpen { effects.append("screen \(index + 1) is released") }
    await event("The user leaves all screens.") {
      for screen in screens { screen.leave() }
    }
  }

  override func nextEnding() -> (() async -> Void)? {
    let unfinished = service.calls.unfinished
    guard let index = unfinished.first else { return nil }
    return { await self.deliver(failure: unfinished.count.isMultiple(of: 2) ? nil : .timedOut, to: index, on: .otherQueue) }
  }

  /// Calls a completion. Runs on the queue of the delivery's place, or on the main queue.
  ///
  /// - Parameters:
  ///   - delivery: What to deliver, and where.
  ///   - seconds: The time that the main queue waits for another queue, in seconds.
  private func handOver(_ delivery: Delivery, within seconds: TimeInterval) {
    let hasDelivered = delivery.place.run(
      within: seconds, noting: notes, ifSafe: screensHop(with: delivery, within: seconds)
    ) { [service] in
      service.calls.complete(delivery.index, with: delivery.result)
    }
    if hasDelivered, delivery.place == .mainQueue, !allowsHops { screens[delivery.index].resultIsDue() }
  }

  /// Whether a screen gets a result to the main queue without `main.sync`. Another screen of the same kind tries it.
  private func screensHop(with delivery: Delivery, within seconds: TimeInterval) -> Bool {
    let service = Service()
    let screen = Screen(delivery.kind, number: 0, service: service)
    screen.controller?.loadViewIfNeeded()
    if service.calls.unfinished.isEmpty { return false }
    return Place.otherQueueWhileMainIsBusy.run(within: seconds, noting: notes) {
      service.calls.complete(0, with: delivery.result)
    }
  }
}

extension World {
  static var randomEvents: [RandomEvent<World>] {
    let kinds = [Screen.Kind.profile, .profile, .user]
    func failure(using random: inout SeededRandom) -> SampleError? {
      Bool.random(using: &random) ? .random(using: &random) : nil
    }
    return [
      RandomEvent(5) { world, random in
        let isEarly = Int.random(in: 0..<5, using: &random) >= 3
        await world.open(
          kinds.randomElement(using: &random)!, deliveringOn: isEarly ? Place.allCases.randomElement(using: &random)! : nil,
          failure: isEarly ? failure(using: &random) : nil)
      },
      RandomEvent(5) { world, random in
        guard let index = world.service.calls.unfinished.at(.random(in: 0..<9, using: &random)) else { return }
        let place = Place.allCases.randomElement(using: &random)!
        let mayLeave = world.screens[index].isOpen && place != .otherQueue
        await world.deliver(
          failure: failure(using: &random), to: index, on: place,
          thenLeaving: mayLeave && Int.random(in: 0..<5, using: &random) == 4)
      },
      RandomEvent(2) { world, random in
        let open = world.screens.indices.filter { world.screens[$0].isOpen }
        guard let index = open.at(.random(in: 0..<9, using: &random)) else { return }
        await world.leave(index)
      },
    ]
  }
}

/// What the service delivers to a screen, and where.
private struct Delivery {
  let kind: Screen.Kind
  /// The index of the screen.
  let index: Int
  /// Why the service fails; `nil` if it delivers a profile. The loader of a user screen never fails.
  let failure: SampleError?
  let place: Place

  var result: Result<Profile, any Error> {
    if let failure, kind == .profile { return .failure(failure.error) }
    let profiles = [("Ada Lovelace", "London"), ("Grace Hopper", ""), ("", "Wilmslow")]
    let (userName, address) = profiles[index % profiles.count]
    return .success(Profile(userName: userName, address: address))
  }

  /// What an open screen shows.
  var effects: [String] {
    let texts =
      switch (result, kind) {
      case (.success(let profile), .profile): [("userNameLabel", profile.userName), ("addressLabel", profile.address)]
      case (.success(let profile), .user): [("label", profile.userName)]
      case (.failure(let error), _): [("errorView", error.localizedDescription)]
      }
    return texts.map { "screen \(index + 1)'s \($0) shows \"\($1)\"" }
  }

  var inWords: String {
    let what =
      switch result {
      case .success(let profile): "\"\(profile.userName)\""
      case .failure(let error): error.inWords
      }
    return "\(kind.source) delivers \(what) to screen \(index + 1), \(place.inWords)."
  }
}
