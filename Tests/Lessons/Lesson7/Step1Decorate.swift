import Given
import TestSupport
import Testing

import class TestSupport.Inbox
import enum TestSupport.SampleError
import func TestSupport.settled

@testable import Exercise7

@Suite("Step 1: decorate", .oneAtATime)
struct Step1Decorate {
  @Test("a profile from another queue is delivered on the main queue")
  func dispatchesProfiles() async {
    let service = ProfileServiceSpy()
    let deliveries = Inbox<(profile: Profile?, isOnMainQueue: Bool)>()

    let sut = MainQueueDispatchDecorator<any ProfileService>(decoratee: service)
    sut.getProfile { result in
      deliveries.receive((try? result.get(), MainQueue.isCurrent))
    }
    await service.calls.complete(with: .success(.ada), on: .newBackgroundQueue)

    await deliveries.receives(1)
    #expect(deliveries.values.map(\.profile) == [.ada], "Call the service once, and deliver its result once, unchanged.")
    #expect(
      deliveries.values.map(\.isOnMainQueue) == [true],
      "The service may deliver on any queue. Deliver its result on the main queue.")
  }

  @Test("an error from another queue is delivered on the main queue")
  func dispatchesErrors() async {
    await each("error", in: SampleError.allCases) { trouble in
      await story(
        DispatchWorld(), "An error may arrive on any queue, just like a profile. Deliver it on the main queue, unchanged."
      ) {
        await $0.load(.profile, leadsToAllOf: ["load 1 requests a profile"])
        await $0.end(with: .failure(trouble), on: .otherQueue, leadsToAllOf: ["load 1 delivers \(trouble.inWords), after a hop"])
      }
    }
  }

  @MainActor
  @Test("a hop uses no timer and blocks no queue")
  func doesNotHoldUpTheService() async throws {
    let service = ProfileServiceSpy()
    let inbox = Inbox<Bool>()

    MainQueueDispatchDecorator<any ProfileService>(decoratee: service).getProfile { _ in inbox.receive(MainQueue.isCurrent) }
    try #require(service.calls.count == 1, "The decorator should call the service before its own method returns.")
    let hasReturned = returnsWithoutMainQueue { service.calls.complete(with: .success(.ada)) }
    await settled { !inbox.values.isEmpty }

    #expect(hasReturned, "The service's queue should not wait for the main queue. Use `async`, not `sync`.")
    #expect(inbox.values == [true], "The result should be delivered once, on the main queue, and without a delay.")
  }

  @Test("unchanged: a result from the main queue is delivered without a hop")
  func deliversSynchronously() async {
    await each("result", in: [Ending.value, .failure(.offline)]) { ending in
      await story(
        DispatchWorld(), "If `MainQueue.isCurrent` is true, the result should be delivered synchronously, without a hop."
      ) {
        await $0.load(.profile, leadsToAllOf: ["load 1 requests a profile"])
        await $0.end(
          with: ending, on: .mainQueue, leadsToAllOf: ["load 1 delivers \(ending.inWords(.profile, 0)), synchronously"])
      }
    }
  }

  @MainActor
  @Test("unchanged: a result from the main actor is delivered without a hop")
  func deliversOnTheMainActor() {
    let world = DispatchWorld()
    world.start(.profile)
    world.loads.run(at: .mainQueue, within: 1) { world.loads.end(0, with: .value) }

    #expect(
      world.delivered == [0],
      "The main actor runs on the main queue, so deliver the result synchronously. Check which queue is current.")
  }

  @MainActor
  @Test("a result from inside `backgroundQueue.sync` is delivered after a hop")
  func hopsFromAnotherQueue() async throws {
    let service = ProfileServiceSpy()
    let sut = MainQueueDispatchDecorator<any ProfileService>(decoratee: service)
    let isOnMainQueue = Inbox<Bool>()

    for _ in 1...2 { sut.getProfile { _ in isOnMainQueue.receive(MainQueue.isCurrent) } }
    try #require(service.calls.count == 2, "The decorator should call the service before its own method returns.")
    let hasReturned = returnsWithoutMainQueue { service.calls.complete(0, with: .success(.ada)) }
    try #require(hasReturned, "The service's queue should not wait for the main queue. Use `async`, not `sync`.")
    DispatchQueue.newBackgroundQueue.sync { service.calls.complete(1, with: .success(.ada)) }

    await isOnMainQueue.receives(2)
    #expect(
      isOnMainQueue.values == [true, true],
      "A `sync` block belongs to its own queue, even if the main thread runs it. Check which queue is current, not which thread.")
  }

  @Test("a result is delivered even if the app has released the decorator")
  func deliversAfterTheRelease() async {
    await story(
      DispatchWorld(), "Only the load in flight still needs the decorator. Don't capture it weakly, or the result is lost."
    ) {
      await $0.load(.profile, leadsToAllOf: ["load 1 requests a profile"])
      await $0.releaseDecorators()
      await $0.end(on: .otherQueue, leadsToAllOf: ["load 1 delivers profile 1, after a hop"])
    }
  }

  @MainActor
  @Test("the profile screen no longer dispatches to the main queue")
  func screenDoesNotDispatch() async {
    for result in [Result<Profile, any Error>.success(.ada), .failure(SampleError.explained.error)] {
      let service = ProfileServiceSpy()
      let sut = ProfileViewController(service: service)

      sut.loadViewIfNeeded()
      await service.calls.complete(with: result, on: .newBackgroundQueue)
      await mainQueueDrained()

      let texts = [sut.userNameLabel, sut.addressLabel].map(\.texts)
      let isFailure = result.failure != nil
      #expect(
        texts == (isFailure ? [["loading"], ["loading"]] : [["loading", "Ada Lovelace"], ["loading", Profile.ada.address]])
          && sut.errorView.messages == (isFailure ? ["The article is missing."] : []),
        "On any queue, the screen should show each result once: a profile in its labels, an error in its error view.")
      let views: [View] = isFailure ? [sut.errorView] : [sut.userNameLabel, sut.addressLabel]
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
        let sut = leaks.track(ProfileViewController(service: service))
        sut.loadViewIfNeeded()
        if result == "a profile" { service.calls.complete(with: .success(.ada)) }
        if result == "an error" { service.calls.complete(with: .failure(URLError(.timedOut))) }
      }
    }
  }
}
