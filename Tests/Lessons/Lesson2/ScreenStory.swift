import Given
import TestSupport
import Testing

@testable import Exercise2

/// A story about a user who opens and leaves screens, and about a service that delivers their data on any queue.
final class ScreenStory: Story {
  /// Where the service calls a completion.
  enum Place: CaseIterable, Sendable {
    case mainQueue, otherQueue, otherQueueWhileMainIsBusy, blockThatMainWaitsFor
  }

  struct Delivery: Sendable {
    let failure: Trouble?
    let place: Place
  }

  enum Event: Sendable {
    case open(isProfile: Bool, immediately: Delivery?)
    case deliver(Int, Delivery)
    case deliverAndLeave(Int, Trouble?)
    case leave(Int)
  }

  static func event(using random: inout SeededRandom) -> Event {
    let position = Int.random(in: 0..<9, using: &random)
    let failure = Bool.random(using: &random) ? Trouble.random(using: &random) : nil
    let delivery = Delivery(failure: failure, place: Place.allCases.randomElement(using: &random)!)
    let isProfile = Int.random(in: 0..<3, using: &random) > 0
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<3: return .open(isProfile: isProfile, immediately: nil)
    case 3..<5: return .open(isProfile: isProfile, immediately: delivery)
    case 5..<9: return .deliver(position, delivery)
    case 9: return .deliverAndLeave(position, failure)
    default: return .leave(position)
    }
  }

  let leaks = LeakTracker()
  private let service = StoryService()
  private var screens: [StoryScreen] = []
  private var model = ScreenModel()
  /// What the views alone do not show.
  private let notes = Inbox<String>()

  init(using random: inout SeededRandom) {}

  var setting: [String] { ["All screens share one service."] }

  func play(_ event: Event) async -> String? {
    switch event {
    case .open(let isProfile, let delivery): await open(isProfile: isProfile, delivery)
    case .deliver(let position, let delivery): await deliver(delivery, to: position, leaving: false)
    case .deliverAndLeave(let position, let failure):
      await deliver(Delivery(failure: failure, place: .otherQueueWhileMainIsBusy), to: position, leaving: true)
    case .leave(let position): await leave(position)
    }
  }

  var expected: [String] { model.effects }

  var observed: [String] {
    ["calls to the service: \(service.calls.count)"] + notes.values
      + screens.enumerated().flatMap { index, screen in
        let name = "screen \(index + 1)"
        let state = screen.isReleased ? "\(name) is released" : "\(name) shows \(screen.shown)"
        return [state] + screen.writesOffMainQueue.map { "\(name) is changed off the main queue: \($0)" }
      }
  }

  func release() -> String? {
    for (index, screen) in screens.enumerated() {
      model.leave(index)
      screen.controller = nil
    }
    return screens.isEmpty ? nil : "The user leaves all screens."
  }

  func nextEnding() -> Event? {
    service.calls.unfinished.isEmpty
      ? nil
      : .deliver(0, Delivery(failure: service.calls.unfinished.count.isMultiple(of: 2) ? nil : .timedOut, place: .otherQueue))
  }
}

// What happens, to the learner's screens and to the model.
extension ScreenStory {
  private func open(isProfile: Bool, _ delivery: Delivery?) async -> String? {
    let index = screens.count
    model.open(isProfile: isProfile)
    if let delivery { model.deliver(result(delivery, to: index), to: index, isOnMainQueue: delivery.place == .mainQueue) }
    let seconds = Patience.seconds / 2
    await run("`viewDidLoad` of screen \(index + 1)", on: .main) { [self] in
      let screen = StoryScreen(isProfile: isProfile, service: service)
      leaks.track(screen.controller!)
      screens.append(screen)
      if service.calls.count > index { notes.receive("screen \(index + 1) calls the service before its view loads") }
      service.whenCalled = delivery.map { delivery in { self.handOver(delivery, to: index, within: seconds) } }
      screen.controller?.loadViewIfNeeded()
      service.whenCalled = nil
    }
    let sentence = "The user opens screen \(index + 1), \(isProfile ? "a profile screen" : "a user screen")."
    guard let delivery else { return sentence }
    return sentence + " Before the call to the service returns, " + inWords(delivery, to: index)
  }

  private func deliver(_ delivery: Delivery, to position: Int, leaving: Bool) async -> String? {
    let open = service.calls.unfinished
    guard !open.isEmpty else { return nil }
    let index = open[position % open.count]
    guard !(leaving && screens[index].controller == nil) else { return nil }
    model.deliver(result(delivery, to: index), to: index, isOnMainQueue: delivery.place == .mainQueue)
    if leaving { model.leave(index) }
    let seconds = Patience.seconds / 2
    await run("The completion of screen \(index + 1)", on: delivery.place == .otherQueue ? .background : .main) { [self] in
      handOver(delivery, to: index, within: seconds)
      if leaving { screens[index].controller = nil }
    }
    let sentence = inWords(delivery, to: index)
    let end = leaving ? " The user leaves the screen before the main queue runs anything else." : ""
    return sentence.prefix(1).uppercased() + sentence.dropFirst() + end
  }

  private func leave(_ position: Int) async -> String? {
    let open = screens.indices.filter { screens[$0].controller != nil }
    guard !open.isEmpty else { return nil }
    let index = open[position % open.count]
    model.leave(index)
    await run("The release of screen \(index + 1)'s controller", on: .main) { [self] in screens[index].controller = nil }
    return "The user leaves screen \(index + 1)."
  }

  /// Calls a completion. Runs on the main queue, unless the place is another queue.
  ///
  /// - Parameters:
  ///   - delivery: What to deliver, and where.
  ///   - index: The index of the screen.
  ///   - seconds: The time that the main queue waits for another queue, in seconds.
  private func handOver(_ delivery: Delivery, to index: Int, within seconds: TimeInterval) {
    let result = result(delivery, to: index)
    let finish = { [service] in service.calls.complete(index, with: result) }
    switch delivery.place {
    case .mainQueue:
      finish()
      if let screen = screens[index].ifOpen { notes.receive("screen \(index + 1) immediately shows \(screen.shown)") }
    case .otherQueue where !MainQueue.isCurrent: finish()
    case .otherQueue, .otherQueueWhileMainIsBusy: finishWhileMainWaits(within: seconds, finish)
    case .blockThatMainWaitsFor:
      // `main.sync` in this block would end the process. A second screen finds out whether the solution calls it.
      let second = StoryService()
      let screen = StoryScreen(isProfile: screens[index].isProfile, service: second)
      screen.controller?.loadViewIfNeeded()
      guard !second.calls.unfinished.isEmpty,
        finishWhileMainWaits(within: seconds, { second.calls.complete(0, with: result) })
      else { return }
      DispatchQueue(label: "the service's queue").sync(execute: finish)
    }
  }

  @discardableResult
  private func finishWhileMainWaits(within seconds: TimeInterval, _ finish: @escaping () -> Void) -> Bool {
    let returns = MainActor.assumeIsolated { returnsWithoutMainQueue(within: seconds, finish) }
    if !returns { notes.receive("the service's queue waits for the main queue") }
    return returns
  }

  private func run(_ name: String, on queue: DispatchQueue, _ work: @escaping () -> Void) async {
    if !(await returns(on: queue, work)) { notes.receive("\(name) has not returned") }
  }

  private func result(_ delivery: Delivery, to index: Int) -> Result<Profile, any Error> {
    let profiles = [
      Profile.ada, Profile(userName: "Grace Hopper", address: ""), Profile(userName: "", address: "Wilmslow"),
    ]
    // The loader of a user screen never fails.
    guard let failure = delivery.failure, model.isProfile(index) else {
      return .success(profiles[index % profiles.count])
    }
    return .failure(failure.error)
  }

  private func inWords(_ delivery: Delivery, to index: Int) -> String {
    let place =
      switch delivery.place {
      case .mainQueue: "on the main queue"
      case .otherQueue: "on another queue"
      case .otherQueueWhileMainIsBusy: "on another queue, while the main queue is busy"
      case .blockThatMainWaitsFor: "inside a `sync` block on another queue, while the main queue waits"
      }
    return switch result(delivery, to: index) {
    case .success(let profile): "the service delivers \"\(profile.userName)\" to screen \(index + 1), \(place)."
    case .failure(let error): "the service delivers \(error.inWords) to screen \(index + 1), \(place)."
    }
  }
}

/// A service for both kinds of screens. The story decides when and where it delivers.
private final class StoryService: ProfileService, UserLoader {
  let calls = Calls<Void, Result<Profile, any Error>>(to: "the service")
  /// What happens before the next call returns.
  var whenCalled: (() -> Void)?

  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    calls.receive((), completion)
    whenCalled.take()?()
  }

  func fetchUserData(completion: @escaping (String) -> Void) {
    getProfile { result in (try? result.get()).map { completion($0.userName) } }
  }
}

/// One of the learner's screens, and its views, which outlive it.
private final class StoryScreen {
  let isProfile: Bool
  var controller: ViewController?
  private weak var released: ViewController?
  private let labels: [Label]
  private let errorView: ErrorView?

  init(isProfile: Bool, service: StoryService) {
    self.isProfile = isProfile
    if isProfile {
      let profile = ProfileViewController(service: service)
      (controller, labels, errorView) = (profile, [profile.userNameLabel, profile.addressLabel], profile.errorView)
    } else {
      let user = UserViewController(loader: service)
      (controller, labels, errorView) = (user, [user.label], nil)
    }
    released = controller
  }

  var isReleased: Bool { released == nil }

  var ifOpen: StoryScreen? { controller == nil ? nil : self }

  var shown: String {
    let texts = labels.map { label in
      let texts = label.textsAfterLoading.isEmpty ? [label.text ?? "nothing"] : label.textsAfterLoading
      return texts.map { "\"\($0)\"" }.joined(separator: " and then ")
    }
    let messages = (errorView?.messages ?? []).map { "the message \"\($0)\"" }
    let isHidden = errorView?.message != errorView?.messages.last
    return (texts + messages + (isHidden ? ["the error view is hidden"] : [])).joined(separator: ", ")
  }

  var writesOffMainQueue: [String] {
    labels.flatMap(\.writesOffMainQueue) + (errorView?.writesOffMainQueue ?? [])
  }
}

/// What the page promises, as plain values.
private struct ScreenModel {
  private struct Screen {
    let isProfile: Bool
    var shown: String
    var isOpen = true
  }

  private var screens: [Screen] = []
  private var shownImmediately: [String] = []

  /// Everything that may be observed.
  var effects: [String] {
    ["calls to the service: \(screens.count)"] + shownImmediately
      + screens.enumerated().map { index, screen in
        screen.isOpen ? "screen \(index + 1) shows \(screen.shown)" : "screen \(index + 1) is released"
      }
  }

  func isProfile(_ index: Int) -> Bool { screens[index].isProfile }

  mutating func open(isProfile: Bool) {
    screens.append(Screen(isProfile: isProfile, shown: isProfile ? #""loading", "loading""# : #""loading""#))
  }

  mutating func deliver(_ result: Result<Profile, any Error>, to index: Int, isOnMainQueue: Bool) {
    guard screens[index].isOpen else { return }
    switch result {
    case .success(let profile) where screens[index].isProfile:
      screens[index].shown = "\"\(profile.userName)\", \"\(profile.address)\""
    case .success(let profile): screens[index].shown = "\"\(profile.userName)\""
    case .failure(let error): screens[index].shown += ", the message \"\(error.localizedDescription)\""
    }
    if isOnMainQueue { shownImmediately.append("screen \(index + 1) immediately shows \(screens[index].shown)") }
  }

  mutating func leave(_ index: Int) {
    screens[index].isOpen = false
  }
}
