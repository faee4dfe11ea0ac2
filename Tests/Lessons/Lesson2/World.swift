import Given
import TestSupport
import Testing

@testable import Exercise2

/// The learner's screens, the service that they share, and what can happen to them.
///
/// Each event returns a sentence about it. What has been observed only grows: a screen that the user has left stays as it was.
final class World {
  enum Kind: Sendable {
    case profile, user

    /// What provides the data of such a screen.
    var source: String { self == .profile ? "the service" : "the loader" }
  }

  /// Where the service calls a completion.
  enum Place: CaseIterable, Sendable {
    case mainQueue, otherQueue, otherQueueWhileMainIsBusy, blockThatMainWaitsFor
  }

  struct Delivery: Sendable {
    /// Why the service fails; `nil` if it delivers a profile. The loader of a user screen never fails.
    var failure: Trouble?
    let place: Place

    func result(for index: Int, _ kind: Kind) -> Result<Profile, any Error> {
      let profiles = [("Ada Lovelace", "London"), ("Grace Hopper", ""), ("", "Wilmslow")]
      if let failure, kind == .profile { return .failure(failure.error) }
      return .success(Profile(userName: profiles[index % 3].0, address: profiles[index % 3].1))
    }
  }

  /// What happens when a screen is opened.
  static func effectsOfOpening(_ number: Int, _ kind: Kind) -> [String] {
    let labels = kind == .profile ? ["userNameLabel", "addressLabel"] : ["label"]
    return ["\(kind.source) is called"] + labels.map { "screen \(number)'s \($0) shows \"loading\"" }
  }

  let service = StoryService()
  private(set) var screens: [StoryScreen] = []
  private let leaks: LeakTracker
  private let allowsHops: Bool
  /// What neither the views nor the service can show.
  private let notes = Inbox<String>()

  /// Creates a world without screens.
  ///
  /// - Parameters:
  ///   - leaks: The tracker of the controllers.
  ///   - allowsHops: Whether a result that arrives on the main queue may be shown after a hop.
  init(_ leaks: LeakTracker, allowingHops allowsHops: Bool = false) {
    (self.leaks, self.allowsHops) = (leaks, allowsHops)
  }

  var observed: [String] {
    service.calls.arguments.map { "\($0) is called" } + screens.flatMap(\.observed) + notes.values
  }

  /// The user opens a screen.
  ///
  /// - Parameters:
  ///   - kind: The kind of screen.
  ///   - delivery: What the service delivers before the call to it returns; `nil` if it delivers later.
  func open(_ kind: Kind, _ delivery: Delivery? = nil) async -> String {
    let index = screens.count
    let seconds = Patience.seconds / 2
    let sentence = "The user opens screen \(index + 1), a \(kind) screen."
    let immediately = delivery.map { " Before the call to \(kind.source) returns, \(inWords($0, to: index, kind))" } ?? ""
    await perform("`viewDidLoad` of screen \(index + 1)", on: .main) { [self] in
      let screen = StoryScreen(kind, number: index + 1, service: service)
      leaks.track(screen.controller!)
      screens.append(screen)
      if service.calls.count > index { notes.receive("screen \(index + 1) calls its service before its view loads") }
      service.whenCalled = delivery.map { delivery in { self.handOver(delivery, to: index, within: seconds) } }
      screen.controller?.loadViewIfNeeded()
      service.whenCalled = nil
    }
    return sentence + immediately
  }

  /// The service delivers to a screen.
  ///
  /// - Parameters:
  ///   - delivery: What it delivers, and where.
  ///   - index: The index of the screen.
  ///   - isLeaving: Whether the user leaves the screen immediately afterward. The main queue must be the place, or busy.
  func deliver(_ delivery: Delivery, to index: Int, leaving isLeaving: Bool = false) async -> String {
    let seconds = Patience.seconds / 2
    let sentence = inWords(delivery, to: index, screens[index].kind)
    await perform("the completion of screen \(index + 1)", on: delivery.place == .otherQueue ? .newBackgroundQueue : .main) {
      [self] in
      handOver(delivery, to: index, within: seconds)
      if isLeaving { screens[index].leave() }
    }
    let end = isLeaving ? " The user leaves the screen before the main queue runs anything else." : ""
    return sentence.prefix(1).uppercased() + sentence.dropFirst() + end
  }

  /// The user leaves a screen.
  func leave(_ index: Int) async -> String {
    await perform("the release of screen \(index + 1)'s controller", on: .main) { [self] in screens[index].leave() }
    return "The user leaves screen \(index + 1)."
  }

  /// Calls a completion. Runs on the main queue, unless the place is another queue.
  ///
  /// - Parameters:
  ///   - delivery: What to deliver, and where.
  ///   - index: The index of the screen.
  ///   - seconds: The time that the main queue waits for another queue, in seconds.
  private func handOver(_ delivery: Delivery, to index: Int, within seconds: TimeInterval) {
    let kind = screens[index].kind
    let result = delivery.result(for: index, kind)
    let finish = { [service] in service.calls.complete(index, with: result) }
    switch delivery.place {
    case .otherQueue where !MainQueue.isCurrent: finish()
    case .otherQueue, .otherQueueWhileMainIsBusy: finishWhileMainWaits(within: seconds, finish)
    case .mainQueue, .blockThatMainWaitsFor:
      // `main.sync` would end the process. A second screen finds out whether the solution calls it.
      let second = StoryService()
      let screen = StoryScreen(kind, number: 0, service: second)
      screen.controller?.loadViewIfNeeded()
      guard !second.calls.unfinished.isEmpty,
        finishWhileMainWaits(within: seconds, { second.calls.complete(0, with: result) })
      else { return }
      if delivery.place == .mainQueue { finish() } else { DispatchQueue(label: "the service's queue").sync(execute: finish) }
      if delivery.place == .mainQueue, !allowsHops { screens[index].resultIsDue() }
    }
  }

  @discardableResult
  private func finishWhileMainWaits(within seconds: TimeInterval, _ finish: @escaping () -> Void) -> Bool {
    let returns = MainActor.assumeIsolated { returnsWithoutMainQueue(within: seconds, finish) }
    if !returns { notes.receive("a deadlock: a delivery and the main queue wait for each other (is `sync` used?)") }
    return returns
  }

  private func inWords(_ delivery: Delivery, to index: Int, _ kind: Kind) -> String {
    let place =
      switch delivery.place {
      case .mainQueue: "on the main queue"
      case .otherQueue: "on another queue"
      case .otherQueueWhileMainIsBusy: "on another queue, while the main queue is busy"
      case .blockThatMainWaitsFor: "inside a `sync` block on another queue, while the main queue waits"
      }
    let result =
      switch delivery.result(for: index, kind) {
      case .success(let profile): "\"\(profile.userName)\""
      case .failure(let error): error.inWords
      }
    return "\(kind.source) delivers \(result) to screen \(index + 1), \(place)."
  }
}

/// A service for both kinds of screens. The test decides when and where it delivers.
final class StoryService: ProfileService, UserLoader {
  let calls = Calls<String, Result<Profile, any Error>>(to: "the service")
  /// What happens before the next call returns.
  var whenCalled: (() -> Void)?

  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    calls.receive("the service", completion)
    whenCalled.take()?()
  }

  func fetchUserData(completion: @escaping (String) -> Void) {
    calls.receive("the loader") { result in (try? result.get()).map { completion($0.userName) } }
    whenCalled.take()?()
  }
}

/// One of the learner's screens, and its views, which outlive it.
final class StoryScreen {
  let kind: World.Kind
  private let name: String
  private(set) var controller: ViewController?
  private weak var released: ViewController?
  private let labels: [(name: String, view: Label)]
  private let errorView: ErrorView?
  /// What the screen showed when the user left it.
  private var shownAtLast: [String]?
  /// What the screen showed when a result on the main queue had been delivered.
  private var shownInTime: [String]?

  init(_ kind: World.Kind, number: Int, service: StoryService) {
    self.kind = kind
    name = "screen \(number)"
    if kind == .profile {
      let profile = ProfileViewController(service: service)
      controller = profile
      labels = [("userNameLabel", profile.userNameLabel), ("addressLabel", profile.addressLabel)]
      errorView = profile.errorView
    } else {
      let user = UserViewController(loader: service)
      (controller, labels, errorView) = (user, [("label", user.label)], nil)
    }
    released = controller
  }

  func leave() {
    if controller != nil { shownAtLast = shown }
    controller = nil
  }

  /// From now on, what the screen shows is late.
  func resultIsDue() {
    shownInTime = shown
  }

  var observed: [String] {
    let shown = shownAtLast ?? shown
    let views = labels.map { ($0.name, $0.view as View) } + (errorView.map { [("errorView", $0)] } ?? [])
    // Only a result can need a hop.
    return shown.map { (shownInTime ?? shown).contains($0) || $0.contains(#" "loading""#) ? $0 : "\($0) only after a hop" }
      + views.flatMap { view in view.1.writesOffMainQueue.map { _ in "\(name)'s \(view.0) is changed off the main queue" } }
      + (controller == nil && released == nil ? ["\(name) is released"] : [])
  }

  private var shown: [String] {
    let messages = errorView?.messages ?? []
    let isHidden = errorView?.message != messages.last
    return labels.flatMap { label in label.view.shown.map { "\(name)'s \(label.name) shows \($0)" } }
      + messages.map { "\(name)'s errorView shows \"\($0)\"" } + (isHidden ? ["\(name)'s errorView is hidden"] : [])
  }
}

extension Label {
  /// The texts that the label has shown. It may show "loading" repeatedly before anything else.
  fileprivate var shown: [String] {
    let rest = texts.drop { $0 == "loading" }
    return (rest.count < texts.count ? [#""loading""#] : [])
      + rest.map { $0 == "loading" ? #""loading" after its result"# : "\"\($0)\"" }
  }
}
