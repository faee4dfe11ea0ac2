import Given
import TestSupport
import Testing

import func TestSupport.eventually

@testable import Exercise2

@Suite("Step 2: dispatch", .oneAtATime)
struct Step2Dispatch {
  @MainActor
  @Test("a profile from a background queue is shown on the main queue")
  func showsProfile() async {
    let service = ProfileServiceSpy()
    let sut = ProfileViewController(service: service)
    sut.loadViewIfNeeded()

    await service.calls.complete(with: .success(.ada), on: .newBackgroundQueue)
    await eventually { sut.userNameLabel.text == "Ada Lovelace" }

    #expect(sut.userNameLabel.text == "Ada Lovelace", "If the service delivers a profile, show its user name.")
    #expect(
      sut.userNameLabel.writesOffMainQueue.isEmpty && sut.addressLabel.writesOffMainQueue.isEmpty,
      "A label was changed on the service's queue. Change each label on the main queue, wherever the service delivers the profile."
    )
  }

  @Test("an error from a background queue is shown on the main queue")
  func showsError() async {
    await story(
      World(),
      "The error view, too, may be changed only on the main queue, even if the service delivers the error on another queue."
    ) {
      await $0.open(.profile, leadsToAllOf: World.effectsOfOpening(1, .profile))
      await $0.deliver(
        failure: .explained, on: .otherQueue, leadsToAllOf: [#"screen 1's errorView shows "The article is missing.""#])
    }
  }

  @MainActor
  @Test("the background queue does not wait for the main queue")
  func doesNotHoldUpTheService() async throws {
    let service = ProfileServiceSpy()
    let sut = ProfileViewController(service: service)

    sut.loadViewIfNeeded()
    try #require(service.calls.count == 1, "Loading the view should call the service once. Call it in `viewDidLoad`.")
    let hasReturned = returnsWithoutMainQueue { service.calls.complete(with: .success(.ada)) }
    await eventually { sut.userNameLabel.text == "Ada Lovelace" }

    #expect(hasReturned, "The service's queue should not wait for the main queue. Use `async`, not `sync`.")
    #expect(
      sut.userNameLabel.text == "Ada Lovelace",
      "The label should show the user name as soon as the main queue is free. Use `async`, without a delay.")
  }

  @Test("a screen is released if the user leaves it during the hop")
  func isReleasedDuringTheHop() async {
    await story(
      World(),
      "The user may leave before the hop has happened. The controller should be released as soon as it has happened."
    ) {
      await $0.open(.profile, leadsToAllOf: World.effectsOfOpening(1, .profile))
      await $0.deliver(on: .otherQueueWhileMainIsBusy, thenLeaving: true, leadsToAllOf: ["screen 1 is released"])
    }
  }
}
