import Given
import TestSupport
import Testing

@testable import Exercise7

extension Trait where Self == OneAtATimeTrait {
  /// Shows one failure at a time, in the order of the page.
  static var oneAtATime: Self { Self { try await Step1Decorate().dispatchesProfiles() } }
}

@MainActor
@Suite("Step 1: decorate", .oneAtATime)
struct Step1Decorate {
  @Test("a profile from a background queue arrives once, on the main queue")
  func dispatchesProfiles() async throws {
    try await each("ending", in: [LoadEnding.value, .emptyValue], "queue", in: BackgroundQueue.allCases) { ending, queue in
      let load = Loading.profile.begin()

      await finished(on: queue.queue) { load.complete(ending) }
      await mainQueueDrained()

      try load.expectOneDelivery(ending)
    }
  }

  @Test("an error from a background queue arrives once, on the main queue")
  func dispatchesErrors() async throws {
    try await each("ending", in: LoadEnding.failures, "queue", in: BackgroundQueue.allCases) { ending, queue in
      let load = Loading.profile.begin()

      await finished(on: queue.queue) { load.complete(ending) }
      await mainQueueDrained()

      try load.expectOneDelivery(ending)
    }
  }

  @Test("profiles from a background queue arrive in order")
  func preservesTheOrder() async {
    await Loading.profile.expectOrder()
  }

  @Test("unchanged: a result on the main queue is delivered synchronously")
  func deliversSynchronously() async throws {
    try await each("ending", in: LoadEnding.all) { ending in
      let load = Loading.profile.begin()

      load.complete(ending)
      let isSynchronous = !load.deliveries.isEmpty
      await mainQueueDrained()

      try load.expectOneDelivery(ending)
      #expect(
        isSynchronous,
        "The result arrived on the main queue, so it should be delivered synchronously, without a hop. Check the queue, not the thread."
      )
    }
  }

  @Test("unchanged: the decorator calls the service synchronously, once")
  func forwardsTheCall() {
    let load = Loading.profile.begin()

    #expect(
      load.calls() == 1, "The decorator should call its decoratee once, before its own method returns. Dispatch only the result.")
  }

  @Test("unchanged: the service's queue does not wait for the main queue")
  func doesNotBlock() {
    let load = Loading.profile.begin()

    let hasReturned = returnsWithoutMainQueue { load.complete(.value) }

    #expect(hasReturned, "The service's queue is blocked until the main queue is free. Dispatch the result with `async`.")
  }

  @Test("unchanged: after a load, nothing retains the decorator, decoratee or completion")
  func releasesTheLoad() async {
    await each("ending", in: Loading.Ending.results) { ending in
      await Loading.profile.expectReleased(after: ending)
    }
  }

  @Test("the screen shows a profile on the queue on which it arrives")
  func screenDoesNotDispatch() async {
    let service = ProfileServiceSpy()
    let sut = ProfileViewController(service: service)

    sut.loadViewIfNeeded()
    await service.calls.complete(with: .success(.ada), on: .background)
    await mainQueueDrained()

    #expect(
      sut.userNameLabel.writesOffMainQueue == [#"Label.text = "Ada Lovelace""#],
      "Without a decorator, the profile arrived on a background queue. Update the views there: remove the screen's dispatching.")
    #expect(
      sut.userNameLabel.texts == ["loading", "Ada Lovelace"],
      "The screen should show the user name once. Check that each result sets the label exactly once.")
    #expect(
      sut.addressLabel.texts == ["loading", "12 St James's Square, London"],
      "The screen should show the address once. Check that each result sets the label exactly once.")
  }

  @Test("the screen shows an error on the queue on which it arrives")
  func screenDoesNotDispatchErrors() async {
    let service = ProfileServiceSpy()
    let sut = ProfileViewController(service: service)

    sut.loadViewIfNeeded()
    await service.calls.complete(with: .failure(HTTPClientError.signedOut), on: .background)
    await mainQueueDrained()

    #expect(
      sut.errorView.writesOffMainQueue == [#"ErrorView.show(message: "Please sign in.")"#],
      "Without a decorator, the error arrived on a background queue. Update the views there: remove the screen's dispatching.")
  }

  @Test("unchanged: a screen with a decorated service updates on the main queue")
  func screenAndDecorator() async {
    await each("queue", in: BackgroundQueue.allCases) { queue in
      let service = ProfileServiceSpy()
      let sut = ProfileViewController(service: MainQueueDispatchDecorator<any ProfileService>(decoratee: service))

      sut.loadViewIfNeeded()
      await service.calls.complete(with: .success(.ada), on: queue.queue)
      await mainQueueDrained()

      #expect(
        sut.userNameLabel.texts == ["loading", "Ada Lovelace"],
        "The screen should show the user name once. Check that each result sets the label exactly once.")
      #expect(
        sut.addressLabel.text == "12 St James's Square, London",
        "The screen should show the address. Set the label when the profile arrives.")
      #expect(
        sut.userNameLabel.writesOffMainQueue.isEmpty,
        "The user name was updated on another queue. If the screen no longer dispatches, the decorator has to.")
      #expect(
        sut.addressLabel.writesOffMainQueue.isEmpty,
        "The address was updated on another queue. If the screen no longer dispatches, the decorator has to.")
    }
  }

  @Test("unchanged: a profile delivered synchronously appears before `viewDidLoad` returns")
  func fillsTheScreenSynchronously() {
    let service = ProfileServiceSpy(responding: { .success(.ada) })
    let sut = ProfileViewController(service: MainQueueDispatchDecorator<any ProfileService>(decoratee: service))

    sut.loadViewIfNeeded()

    #expect(
      sut.userNameLabel.texts == ["loading", "Ada Lovelace"],
      "The cache completed synchronously, on the main queue. Neither the screen nor the decorator should hop.")
  }

  @Test("unchanged: a screen is released when the user leaves it")
  func releasesTheScreen() async {
    await each("visit", in: Visit.allCases) { visit in
      let service = ProfileServiceSpy()

      await expectReleased("Something still retains the screen. Capture it weakly, in the completion and in stored closures.") {
        leaks in
        let decorator = MainQueueDispatchDecorator<any ProfileService>(decoratee: service)
        let screen = leaks.track(ProfileViewController(service: decorator))
        screen.loadViewIfNeeded()
        switch visit {
        case .endsBeforeTheResult: break
        case .endsAfterAValue: service.calls.complete(with: .success(.ada))
        case .endsAfterAnError: service.calls.complete(with: .failure(HTTPClientError.signedOut))
        case .endsAfterAHop: await service.calls.complete(with: .success(.ada), on: .background)
        }
        await mainQueueDrained()
        withExtendedLifetime(screen) {}
      }

      // A late result does no harm.
      if visit == .endsBeforeTheResult { await service.calls.complete(with: .success(.ada), on: .background) }
      await mainQueueDrained()
    }
  }

  enum Visit: CaseIterable {
    case endsBeforeTheResult
    case endsAfterAValue
    case endsAfterAnError
    case endsAfterAHop
  }
}
