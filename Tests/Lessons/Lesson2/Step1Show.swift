import Given
import TestSupport
import Testing

import enum TestSupport.SampleError

@testable import Exercise2

extension Trait where Self == OneAtATimeTrait {
  /// Shows one failure at a time, in the order of the page.
  static var oneAtATime: Self { Self { await Step1Show().callsTheServiceOnce() } }
}

@Suite("Step 1: show", .oneAtATime)
struct Step1Show {
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

  @Test("the labels show the profile's user name and address")
  func showsProfile() async {
    await story(
      World(allowingHops: true), "If the service delivers a profile, show its user name and its address, unchanged."
    ) {
      await $0.open(.profile, leadsToAllOf: World.effectsOfOpening(1, .profile))
      await $0.deliver(
        on: .mainQueue,
        leadsToAllOf: [#"screen 1's userNameLabel shows "Ada Lovelace""#, #"screen 1's addressLabel shows "London""#])
    }
  }

  @Test("if the load fails, the error view shows the error's message")
  func showsError() async {
    await each("error", in: SampleError.allCases) { trouble in
      await story(
        World(allowingHops: true),
        "If the service delivers an error, show its `localizedDescription` once, whatever the error. Leave the labels alone."
      ) {
        await $0.open(.profile, leadsToAllOf: World.effectsOfOpening(1, .profile))
        await $0.deliver(
          failure: trouble, on: .mainQueue,
          leadsToAllOf: [#"screen 1's errorView shows "\#(trouble.error.localizedDescription)""#])
      }
    }
  }

  @Test("a screen is released if the user leaves it during a load")
  func isReleasedBeforeTheResult() async {
    await story(
      World(),
      "A service may be slow. The completion that it stores should not retain the controller after the user has left."
    ) {
      await $0.open(.profile, leadsToAllOf: World.effectsOfOpening(1, .profile))
      await $0.leave(leadsToAllOf: ["screen 1 is released"])
      await $0.deliver(on: .mainQueue)
    }
  }
}
