import Given
import TestSupport
import Testing

@testable import Exercise2

/// Opens hundreds of screens, lets their service deliver values that nobody has chosen, in any order and anywhere, and compares
/// what each screen shows. The values are drawn in each round, and are the same in each run.
@MainActor
func expectEachScreenShowsItsResult(sourceLocation: SourceLocation = #_sourceLocation) async {
  var random = SeededRandom(seed: 2)
  await each("round", in: 1...150) { _ in
    let service = SharedService()
    let retained: Comment =
      "All results have been shown, and the user has left all screens. Which closure still retains a controller?"
    await expectReleased(retained, sourceLocation: sourceLocation) { leaks in
      var screens: [TestedScreen] = []

      /// Checks a screen whose result is due.
      @MainActor func check(_ index: Int, _ place: DeliveryPlace, _ rule: Comment) async {
        let screen = screens[index]
        if place != .main { await settled { screen.shown == screen.expected } }
        await naming(["screen": screen.name, "result": "\(screen.expected), \(place.rawValue)"]) {
          #expect(screen.shown == screen.expected, rule, sourceLocation: sourceLocation)
          #expect(
            screen.writesOffMainQueue.isEmpty, "A view was changed on another queue. Change views on the main queue only.",
            sourceLocation: sourceLocation)
        }
      }

      let rule: Comment =
        "Each screen shows its own result once: without a hop if it arrives on the main queue, and after a hop if not."
      for index in 0..<Int.random(in: 1...4, using: &random) {
        let names = ["Ada Lovelace", "Grace Hopper", ""]
        let profile = Profile(userName: names.randomElement(using: &random)!, address: names.randomElement(using: &random)!)
        let result: Result<Profile, any Error> =
          Bool.random(using: &random) ? .success(profile) : .failure(SampleError.random(using: &random).error)
        let screen =
          Bool.random(using: &random) ? TestedScreen(profile: result, from: service) : TestedScreen(user: profile, from: service)
        leaks.track(screen.controller!)
        screens.append(screen)
        let place = DeliveryPlace.allCases.randomElement(using: &random)!
        let isEarly = Int.random(in: 0..<3, using: &random) == 0
        service.whenCalled = isEarly ? { place.run { service.calls.complete(index, with: screen.result) } } : nil
        screen.controller?.loadViewIfNeeded()
        #expect(
          service.calls.count == index + 1, "Each screen calls its service once, when its view loads.",
          sourceLocation: sourceLocation)
        if service.calls.count != index + 1 { return }
        if isEarly { await check(index, place, rule) }
      }
      for index in service.calls.unfinished.shuffled(using: &random) {
        let (screen, place) = (screens[index], DeliveryPlace.allCases.randomElement(using: &random)!)
        // Some users leave before the result, and others before the hop.
        let (leavesBefore, leavesAfter) = (Int.random(in: 0..<6, using: &random) == 0, Int.random(in: 0..<6, using: &random) == 0)
        if leavesBefore { screen.controller = nil }
        place.run { service.calls.complete(index, with: screen.result) }
        if leavesAfter { screen.controller = nil }
        if screen.controller != nil { await check(index, place, rule) }
      }
      await mainQueueDrained()
      for index in screens.indices where screens[index].controller != nil {
        await check(index, .main, "A result has been shown already. Later, nothing changes on its screen.")
      }
    }
  }
}

/// Where a service calls a completion while the test runs on the main queue.
private enum DeliveryPlace: String, CaseIterable {
  case main = "on the main queue"
  case other = "on another queue, while the main queue is busy"
  case syncBlock = "inside a `sync` block on another queue, while the main queue waits"

  @MainActor
  func run(_ work: @escaping () -> Void) {
    switch self {
    case .main: work()
    case .other: _ = returnsWithoutMainQueue(work)
    case .syncBlock: DispatchQueue.newBackgroundQueue.sync(execute: work)
    }
  }
}

/// One of the learner's screens, and what it has to show.
@MainActor
private final class TestedScreen {
  let name: String
  /// The user screen's loader never fails.
  let result: Result<Profile, any Error>
  /// What each view shows, one after the other, except "loading".
  let expected: [[String]]
  var controller: ViewController?
  private let (labels, errorView): ([Label], ErrorView?)

  init(profile result: Result<Profile, any Error>, from service: SharedService) {
    let controller = ProfileViewController(service: service)
    (name, self.result, self.controller) = ("a profile screen", result, controller)
    (labels, errorView) = ([controller.userNameLabel, controller.addressLabel], controller.errorView)
    expected =
      switch result {
      case .success(let profile): [[profile.userName], [profile.address], []]
      case .failure(let error): [[], [], [error.localizedDescription]]
      }
  }

  init(user profile: Profile, from service: SharedService) {
    let controller = UserViewController(loader: service)
    (name, result, self.controller) = ("a user screen", .success(profile), controller)
    (labels, errorView, expected) = ([controller.label], nil, [[profile.userName]])
  }

  var shown: [[String]] {
    labels.map { $0.texts.first == "loading" ? $0.results : ["no \"loading\""] } + (errorView.map { [$0.messages] } ?? [])
  }

  var writesOffMainQueue: [String] {
    labels.flatMap(\.writesOffMainQueue) + (errorView?.writesOffMainQueue ?? [])
  }
}

/// A service for both kinds of screens.
private final class SharedService: ProfileService, UserLoader {
  let calls = Calls<Void, Result<Profile, any Error>>(to: "the service")
  /// What happens before the next call returns.
  var whenCalled: (() -> Void)?

  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    calls.receive((), completion)
    whenCalled.take()?()
  }

  func fetchUserData(completion: @escaping (String) -> Void) {
    calls.receive(()) { result in completion((try? result.get())?.userName ?? "") }
    whenCalled.take()?()
  }
}
