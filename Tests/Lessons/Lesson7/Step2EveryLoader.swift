import Given
import TestSupport
import Testing

@testable import Exercise7

@MainActor
@Suite("Step 2: many protocols, loaders", .oneAtATime)
struct Step2EveryLoader {
  @Test("a result from a background queue arrives once, on the main queue")
  func dispatchesResults() async throws {
    try await each("loading", in: [Loading.userData, .feed], "ending", in: LoadEnding.all) { loading, ending in
      let load = loading.begin()

      await finished(on: .background) { load.complete(ending) }
      await mainQueueDrained()

      try load.expectOneDelivery(ending)
    }
  }

  @Test("results from a background queue arrive in order")
  func preservesTheOrder() async {
    await each("loading", in: [Loading.userData, .feed]) { loading in
      await loading.expectOrder()
    }
  }

  @Test("unchanged: a result on the main queue is delivered synchronously")
  func deliversSynchronously() async throws {
    try await each("loading", in: [Loading.userData, .feed], "ending", in: LoadEnding.all) { loading, ending in
      let load = loading.begin()

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

  @Test("unchanged: the decorator calls the loader synchronously, once")
  func forwardsTheCall() async {
    await each("loading", in: [Loading.userData, .feed]) { loading in
      let load = loading.begin()

      #expect(
        load.calls() == 1,
        "The decorator should call its decoratee once, before its own method returns. Dispatch only the result.")
    }
  }

  @Test("unchanged: after a load, nothing retains the decorator, decoratee or completion")
  func releasesTheLoad() async {
    await each("loading", in: [Loading.userData, .feed], "ending", in: Loading.Ending.results) { loading, ending in
      await loading.expectReleased(after: ending)
    }
  }

  @Test("the user screen shows data on the queue on which it arrives")
  func screenDoesNotDispatch() async {
    let loader = UserLoaderSpy()
    let sut = UserViewController(loader: loader)

    sut.loadViewIfNeeded()
    await loader.calls.complete(with: "user data loaded", on: .background)
    await mainQueueDrained()

    #expect(
      sut.label.writesOffMainQueue == [#"Label.text = "user data loaded""#],
      "Without a decorator, the data arrived on a background queue. Update the label there: remove the screen's dispatching.")
    #expect(
      sut.label.texts == ["loading", "user data loaded"],
      "The screen should show the data once. Check that each result sets the label exactly once.")
  }

  @Test("unchanged: the user screen is released when the user leaves it")
  func releasesTheScreen() async {
    await each("visit", in: Visit.allCases) { visit in
      let loader = UserLoaderSpy()

      await expectReleased("Something still retains the screen. Capture it weakly, in the completion and in stored closures.") {
        leaks in
        let decorator = MainQueueDispatchDecorator<any UserLoader>(decoratee: loader)
        let screen = leaks.track(UserViewController(loader: decorator))
        screen.loadViewIfNeeded()
        switch visit {
        case .endsBeforeTheResult: break
        case .endsAfterAValue: loader.calls.complete(with: "user data loaded")
        case .endsAfterAHop: await loader.calls.complete(with: "user data loaded", on: .background)
        }
        await mainQueueDrained()
        withExtendedLifetime(screen) {}
      }

      // A late result does no harm.
      if visit == .endsBeforeTheResult { await loader.calls.complete(with: "user data loaded", on: .background) }
      await mainQueueDrained()
    }
  }

  enum Visit: CaseIterable {
    case endsBeforeTheResult
    case endsAfterAValue
    case endsAfterAHop
  }
}
