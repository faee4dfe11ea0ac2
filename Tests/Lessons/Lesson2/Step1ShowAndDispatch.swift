import Given
import TestSupport
import Testing

import enum TestSupport.SampleError
import func TestSupport.settled

@testable import Exercise2

@Suite("Step 1: show and dispatch", .oneAtATime)
struct Step1ShowAndDispatch {
  @MainActor
  @Test("the service is called once, in `viewDidLoad`")
  func callsTheServiceOnce() {
    let service = ProfileServiceSpy()
    let sut = ProfileViewController(service: service)

    #expect(service.calls.count == 0, "The service was called before the view loaded. Call it in `viewDidLoad`, not in `init`.")
    sut.loadViewIfNeeded()
    #expect(service.calls.count == 1, "Loading the view should call the service once. Call it in `viewDidLoad`.")
  }

  @Test("both labels show `loading` until the result arrives")
  func showsLoading() async {
    await story(World(), "Until the result arrives, both labels should show only \"loading\".") {
      await $0.open(.profile, leadsToAllOf: World.effectsOfOpening(1, .profile))
    }
  }

  @MainActor
  @Test("a profile from a background queue is shown on the main queue")
  func showsProfile() async {
    let service = ProfileServiceSpy()
    let sut = ProfileViewController(service: service)
    sut.loadViewIfNeeded()

    await service.calls.complete(with: .success(.ada), on: .newBackgroundQueue)
    await settled { sut.userNameLabel.text == "Ada Lovelace" && sut.addressLabel.text == Profile.ada.address }

    #expect(sut.userNameLabel.text == "Ada Lovelace", "If the service delivers a profile, show its user name, unchanged.")
    #expect(sut.addressLabel.text == Profile.ada.address, "If the service delivers a profile, show its address, unchanged.")
    #expect(
      sut.userNameLabel.writesOffMainQueue.isEmpty && sut.addressLabel.writesOffMainQueue.isEmpty,
      "A label was changed on the service's queue. Change each label on the main queue, wherever the service delivers the profile."
    )
  }

  @Test("an error from a background queue is shown on the main queue")
  func showsError() async {
    await each("error", in: SampleError.allCases) { trouble in
      await story(
        World(),
        "If the service delivers an error, show its `localizedDescription` once, on the main queue, whatever the error. Leave the labels alone."
      ) {
        await $0.open(.profile, leadsToAllOf: World.effectsOfOpening(1, .profile))
        await $0.deliver(
          failure: trouble, on: .otherQueue,
          leadsToAllOf: [#"screen 1's errorView shows "\#(trouble.error.localizedDescription)""#])
      }
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
    await settled { sut.userNameLabel.text == "Ada Lovelace" }

    #expect(hasReturned, "The service's queue should not wait for the main queue. Use `async`, not `sync`.")
    #expect(
      sut.userNameLabel.text == "Ada Lovelace",
      "The label should show the user name as soon as the main queue is free. Use `async`, without a delay.")
  }

  @Test("a screen is released if the user leaves it during a load")
  func isReleasedBeforeTheResult() async {
    await story(
      World(),
      "A service may be slow. The completion that it stores should not retain the controller after the user has left."
    ) {
      await $0.open(.profile, leadsToAllOf: World.effectsOfOpening(1, .profile))
      await $0.leave(leadsToAllOf: ["screen 1 is released"])
      await $0.deliver(on: .otherQueue)
    }
  }
}
