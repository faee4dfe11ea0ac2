import Given
import TestSupport
import Testing

@testable import Exercise7

@MainActor
@Suite("Step 1: decorate", .patientOnce)
struct Step1Decorate {
  @Test("a profile from a background queue arrives on the main queue, once", arguments: BackgroundQueue.allCases)
  func hops(queue: BackgroundQueue) async throws {
    let load = Loading.profile.begin()

    await finished(on: queue.queue) { load.answer(.success) }
    await mainQueueDrained()

    try load.expectOneArrival(.success)
  }

  @Test("so does an error", arguments: BackgroundQueue.allCases)
  func hopsWithAnError(queue: BackgroundQueue) async throws {
    let load = Loading.profile.begin()

    await finished(on: queue.queue) { load.answer(.failure) }
    await mainQueueDrained()

    try load.expectOneArrival(.failure)
  }

  @Test("answers from a background queue arrive in the order in which they were given")
  func keepsTheOrder() async {
    await Loading.profile.expectOrder()
  }

  @Test("unchanged: an answer on the main queue arrives at once", arguments: Outcome.allCases)
  func deliversAtOnce(outcome: Outcome) async throws {
    let load = Loading.profile.begin()

    load.answer(outcome)

    #expect(
      !load.arrivals.isEmpty,
      "We are on the main queue already: call the completion at once, without a hop, even if nobody keeps the decorator.")
    await mainQueueDrained()
    try load.expectOneArrival(outcome)
  }

  @Test("unchanged: the call reaches the service at once, and once")
  func forwardsTheCall() {
    let load = Loading.profile.begin()

    #expect(load.calls() == 1, "The decorator asks its decoratee on the spot, once. Only the answer may have to hop.")
  }

  @Test("unchanged: the service's queue does not wait for the main queue")
  func doesNotBlock() {
    let load = Loading.profile.begin()

    let hasReturned = returnsWithoutMainQueue { load.answer(.success) }

    #expect(hasReturned, "The service is held up until the main queue has time: hand the answer over with `async`, and go on.")
  }

  @Test("the screen writes at once, on whatever queue it is answered: it does not dispatch any more")
  func screenDoesNotDispatch() async {
    let service = ProfileServiceSpy()
    let sut = ProfileViewController(service: service)

    sut.loadViewIfNeeded()
    await service.calls.complete(with: .success(.ada), on: .global())
    await mainQueueDrained()

    #expect(
      sut.userNameLabel.writesOffMainQueue == [#"Label.text = "Ada Lovelace""#],
      "This service is not decorated and answered on a background queue. Whoever writes elsewhere than there still dispatches.")
    #expect(sut.userNameLabel.texts == ["loading", "Ada Lovelace"], "The user name has to reach the screen, once.")
    #expect(sut.addressLabel.texts == ["loading", "12 St James's Square, London"], "The address has to reach the screen, once.")
  }

  @Test("the screen shows an error at once, on whatever queue it comes")
  func screenDoesNotDispatchErrors() async {
    let service = ProfileServiceSpy()
    let sut = ProfileViewController(service: service)

    sut.loadViewIfNeeded()
    await service.calls.complete(with: .failure(HTTPClientError.signedOut), on: .global())
    await mainQueueDrained()

    #expect(
      sut.errorView.writesOffMainQueue == [#"ErrorView.show(message: "Please sign in.")"#],
      "This service is not decorated and failed on a background queue. Whoever writes elsewhere than there still dispatches.")
  }

  @Test("unchanged: the screen with a decorated service writes on the main queue", arguments: BackgroundQueue.allCases)
  func screenAndDecorator(queue: BackgroundQueue) async {
    let service = ProfileServiceSpy()
    let sut = ProfileViewController(service: MainQueueDispatchDecorator<any ProfileService>(decoratee: service))

    sut.loadViewIfNeeded()
    await service.calls.complete(with: .success(.ada), on: queue.queue)
    await mainQueueDrained()

    #expect(sut.userNameLabel.texts == ["loading", "Ada Lovelace"], "The user name has to reach the screen, once.")
    #expect(sut.addressLabel.text == "12 St James's Square, London", "The address has to reach the screen.")
    #expect(
      sut.userNameLabel.writesOffMainQueue.isEmpty,
      "The service is decorated: its results arrive on the main queue, and so the user name is written there.")
    #expect(
      sut.addressLabel.writesOffMainQueue.isEmpty,
      "The service is decorated: its results arrive on the main queue, and so the address is written there.")
  }

  @Test("unchanged: a profile that is there at once fills the screen before `viewDidLoad` returns")
  func screenIsFilledAtOnce() {
    let service = ClosureService { $0(.success(.ada)) }
    let sut = ProfileViewController(service: MainQueueDispatchDecorator<any ProfileService>(decoratee: service))

    sut.loadViewIfNeeded()

    #expect(
      sut.userNameLabel.texts == ["loading", "Ada Lovelace"],
      "The cache answered at once, on the main queue: neither the screen nor the decorator has a reason to hop.")
  }

  @Test("unchanged: a screen that the user has left is not kept for a slow answer")
  func letsGoOfTheScreen() async {
    let service = ProfileServiceSpy()

    await expectReleased("The answer is not there yet, and something keeps the screen for it: capture it weakly.") { leaks in
      let service = MainQueueDispatchDecorator<any ProfileService>(decoratee: service)
      leaks.track(ProfileViewController(service: service)).loadViewIfNeeded()
    }

    // The answer comes all the same, and must do no harm.
    await service.calls.complete(with: .success(.ada), on: .global())
    await mainQueueDrained()
  }
}

/// Passes each call to a closure.
private struct ClosureService: ProfileService {
  let body: (@escaping (Result<Profile, any Error>) -> Void) -> Void

  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    body(completion)
  }
}
