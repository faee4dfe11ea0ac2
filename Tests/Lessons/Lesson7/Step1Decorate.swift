import Given
import TestSupport
import Testing

@testable import Exercise7

@Suite("Step 1: decorate", .oneAtATime)
struct Step1Decorate {
  private let service = ProfileServiceSpy()
  private let sut: any ProfileService

  init() {
    sut = MainQueueDispatchDecorator<any ProfileService>(decoratee: service)
  }

  @Test("a profile from another queue is delivered on the main queue")
  func dispatchesProfiles() async throws {
    let deliveries = Inbox<(profile: Profile?, isOnMainQueue: Bool)>()

    sut.getProfile { result in
      deliveries.receive((try? result.get(), MainQueue.isCurrent))
    }
    await service.calls.complete(with: .success(.ada), on: .newBackgroundQueue)

    let (profile, isOnMainQueue) = try await deliveries.only("Call the service once, and deliver its result.")
    #expect(profile == .ada, "Deliver the profile unchanged.")
    #expect(isOnMainQueue, "The service may deliver on any queue. Deliver its result on the main queue.")
  }

  @MainActor
  @Test("the service's queue does not wait for the main queue")
  func doesNotHoldUpTheService() async throws {
    let isOnMainQueue = Inbox<Bool>()

    sut.getProfile { _ in isOnMainQueue.receive(MainQueue.isCurrent) }
    try deliverWhileMainIsBusy()
    await settled { !isOnMainQueue.values.isEmpty }

    #expect(isOnMainQueue.values == [true], "The result should be delivered once, on the main queue, and without a delay.")
  }

  @Test("an error from another queue is delivered on the main queue")
  func dispatchesErrors() async throws {
    try await each("error", in: SampleError.allCases.map(\.error)) { error in
      let (service, deliveries) = (ProfileServiceSpy(), Inbox<(error: (any Error)?, isOnMainQueue: Bool)>())

      let sut = MainQueueDispatchDecorator<any ProfileService>(decoratee: service)
      sut.getProfile { deliveries.receive(($0.failure, MainQueue.isCurrent)) }
      await service.calls.complete(with: .failure(error), on: .newBackgroundQueue)

      let (delivered, isOnMainQueue) = try await deliveries.only("An error is a result, too. Deliver it.")
      #expect(delivered?.isSame(as: error) == true, "Deliver any error unchanged.")
      #expect(isOnMainQueue, "An error may arrive on any queue, just like a profile. Deliver it on the main queue.")
    }
  }

  @MainActor
  @Test("unchanged: a result from the main queue is delivered without a hop")
  func deliversSynchronously() async {
    await each("result", in: [Result<Profile, any Error>.success(.ada), .failure(URLError(.notConnectedToInternet))]) {
      result in
      let (service, deliveries) = (ProfileServiceSpy(), Inbox<Bool>())
      let sut = MainQueueDispatchDecorator<any ProfileService>(decoratee: service)

      sut.getProfile { _ in deliveries.receive(true) }
      service.calls.complete(with: result)

      #expect(
        deliveries.values.count == 1,
        "If `MainQueue.isCurrent` is true, deliver the result synchronously, without a hop. Check which queue is current.")
    }
  }

  @MainActor
  @Test("unchanged: a result from the main queue overtakes one that is waiting")
  func overtakes() async throws {
    let (first, second) = (Inbox<Void>(), Inbox<Void>())

    sut.getProfile { _ in first.receive(()) }
    sut.getProfile { _ in second.receive(()) }
    try deliverWhileMainIsBusy()
    service.calls.complete(1, with: .success(.ada))

    #expect(
      second.values.count == 1,
      "On the main queue, deliver a result synchronously, even if another result is waiting for its hop at that moment.")
    await first.receives(1)
  }

  @MainActor
  @Test("a result from inside `backgroundQueue.sync` is delivered after a hop")
  func hopsFromAnotherQueue() async throws {
    let isOnMainQueue = Inbox<Bool>()

    for _ in 1...2 { sut.getProfile { _ in isOnMainQueue.receive(MainQueue.isCurrent) } }
    try deliverWhileMainIsBusy()
    DispatchQueue.newBackgroundQueue.sync { service.calls.complete(1, with: .success(.ada)) }

    await isOnMainQueue.receives(2)
    #expect(
      isOnMainQueue.values == [true, true],
      "A `sync` block belongs to its own queue, even if the main thread runs it. Check which queue is current, not which thread.")
  }

  @Test("a result is delivered even if the app has released the decorator")
  func deliversAfterTheRelease() async throws {
    let isOnMainQueue = Inbox<Bool>()

    MainQueueDispatchDecorator<any ProfileService>(decoratee: service).getProfile { _ in
      isOnMainQueue.receive(MainQueue.isCurrent)
    }
    await service.calls.complete(with: .success(.ada), on: .newBackgroundQueue)

    let isDispatched = try await isOnMainQueue.only(
      "The app has released the decorator during a load, and the result was lost. Don't capture `self` weakly in the decorator.")
    #expect(isDispatched, "The app has released the decorator during a load. The result still belongs on the main queue.")
  }

  @MainActor
  @Test("the profile screen no longer dispatches to the main queue")
  func screenDoesNotDispatch() async {
    await each("result", in: [Result<Profile, any Error>.success(.ada), .failure(SampleError.explained.error)]) { result in
      let service = ProfileServiceSpy()
      let screen = ProfileViewController(service: service)

      screen.loadViewIfNeeded()
      await service.calls.complete(with: result, on: .newBackgroundQueue)
      await mainQueueDrained()

      let texts = [screen.userNameLabel, screen.addressLabel].map(\.texts)
      let isFailure = result.failure != nil
      #expect(
        texts == (isFailure ? [["loading"], ["loading"]] : [["loading", "Ada Lovelace"], ["loading", Profile.ada.address]])
          && screen.errorView.messages == (isFailure ? ["The article is missing."] : []),
        "On any queue, the screen should show each result once: a profile in its labels, an error in its error view.")
      let views: [View] = isFailure ? [screen.errorView] : [screen.userNameLabel, screen.addressLabel]
      #expect(
        views.allSatisfy { !$0.writesOffMainQueue.isEmpty },
        """
        The service, which has no decorator in this test, delivered on another queue, so the screen should change its views \
        there. Remove two things from the screen: the queue check and the hop.
        """)
    }
  }

  @Test("unchanged: the profile screen is released when the user leaves it")
  func releasesTheScreen() async {
    await each("result", in: ["none", "a profile", "an error"]) { result in
      let service = ProfileServiceSpy()
      await expectReleased("The user has left, but something still retains the screen. Which closures capture it?") { leaks in
        let screen = leaks.track(ProfileViewController(service: service))
        screen.loadViewIfNeeded()
        if result == "a profile" { service.calls.complete(with: .success(.ada)) }
        if result == "an error" { service.calls.complete(with: .failure(URLError(.timedOut))) }
      }
    }
  }

  /// Lets the service deliver the first result on its own queue, while the main queue waits for that queue.
  @MainActor
  private func deliverWhileMainIsBusy(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try #require(
      service.calls.count > 0, "The decorator should call the service before its own method returns.",
      sourceLocation: sourceLocation)
    let hasReturned = returnsWithoutMainQueue { service.calls.complete(with: .success(.ada)) }
    try #require(
      hasReturned,
      "A deadlock: the main queue waited for the service's queue, and that queue for the main queue. Use `async`, not `sync`.",
      sourceLocation: sourceLocation)
  }
}
