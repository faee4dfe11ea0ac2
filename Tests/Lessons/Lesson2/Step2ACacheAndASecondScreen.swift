import Given
import TestSupport
import Testing

@testable import Exercise2

@Suite("Step 2: a cache and a second screen", .oneAtATime)
struct Step2ACacheAndASecondScreen {
  private static let noHop =
    "If a result arrives on the main queue (`MainQueue.isCurrent`), show it without a hop, before the completion returns. It may arrive before the call returns, so show \"loading\" before the call."
  private static let hop =
    "A result needs a hop unless it arrives on the main queue. Check on which queue it arrives."

  @MainActor
  @Test("a profile delivered synchronously is shown before `viewDidLoad` returns")
  func showsImmediateProfile() {
    let service = ProfileServiceSpy(responding: { .success(.ada) })
    let sut = ProfileViewController(service: service)

    sut.loadViewIfNeeded()

    #expect(sut.userNameLabel.text == "Ada Lovelace", "\(Self.noHop)")
    #expect(sut.addressLabel.text == Profile.ada.address, "\(Self.noHop)")
  }

  @Test("an error from the main queue is shown without a hop")
  func showsError() async {
    await story(World(), Self.noHop) {
      await $0.open(.profile, leadsToAllOf: World.effectsOfOpening(1, .profile))
      await $0.deliver(
        failure: .explained, on: .mainQueue, leadsToAllOf: [#"screen 1's errorView shows "The article is missing.""#])
    }
  }

  @Test("a profile delivered inside `backgroundQueue.sync` is shown after a hop")
  func showsProfileOfSyncBlock() async {
    await story(World(), Self.hop) {
      await $0.open(
        .profile, deliveringOn: .blockThatMainWaitsFor,
        leadsToAllOf: World.effectsOfOpening(1, .profile) + [
          #"screen 1's userNameLabel shows "Ada Lovelace""#, #"screen 1's addressLabel shows "London""#,
        ])
    }
  }

  @Test("the user screen shows `loading`, and then what its loader delivers")
  func showsText() async {
    await story(
      World(allowingHops: true),
      "Call the loader once, when the view loads. Show \"loading\" until the loader delivers a text, and then show the text."
    ) {
      await $0.open(.user, leadsToAllOf: World.effectsOfOpening(1, .user))
      await $0.deliver(on: .mainQueue, leadsToAllOf: [#"screen 1's label shows "Ada Lovelace""#])
    }
  }

  @Test("after a hop, the user screen shows results from a background queue")
  func userScreenHops() async {
    await story(World(), Self.hop) {
      await $0.open(.user, leadsToAllOf: World.effectsOfOpening(1, .user))
      await $0.deliver(on: .otherQueue, leadsToAllOf: [#"screen 1's label shows "Ada Lovelace""#])
    }
    await story(World(), Self.hop) {
      await $0.open(
        .user, deliveringOn: .blockThatMainWaitsFor,
        leadsToAllOf: World.effectsOfOpening(1, .user) + [#"screen 1's label shows "Ada Lovelace""#])
    }
  }

  @Test("the user screen shows a synchronous result before `viewDidLoad` returns")
  func userScreenShowsImmediateResult() async {
    await story(World(), Self.noHop) {
      await $0.open(
        .user, deliveringOn: .mainQueue,
        leadsToAllOf: World.effectsOfOpening(1, .user) + [#"screen 1's label shows "Ada Lovelace""#])
    }
  }

  @Test("the user loader's background queue does not wait for the main queue")
  func userScreenDoesNotWait() async {
    await story(World(), "The loader's queue should not wait for the main queue. Use `async`, not `sync`.") {
      await $0.open(.user, leadsToAllOf: World.effectsOfOpening(1, .user))
      await $0.deliver(on: .otherQueueWhileMainIsBusy, leadsToAllOf: [#"screen 1's label shows "Ada Lovelace""#])
    }
  }

  @Test("the user screen is released if the user leaves during a load")
  func userScreenIsReleased() async {
    await story(
      World(),
      "A loader may be slow. The completion that it stores should not retain the controller after the user has left."
    ) {
      await $0.open(.user, leadsToAllOf: World.effectsOfOpening(1, .user))
      await $0.leave(leadsToAllOf: ["screen 1 is released"])
      await $0.deliver(on: .otherQueue)
    }
  }
}
