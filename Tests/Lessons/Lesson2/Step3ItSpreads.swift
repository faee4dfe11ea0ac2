import Given
import TestSupport
import Testing

@testable import Exercise2

@MainActor
@Suite("Step 3: it spreads", .oneAtATime)
struct Step3ItSpreads {
  @Test("the user screen calls its loader once, when its view loads")
  func callsTheLoaderOnce() {
    let (sut, loader) = makeSUT()

    #expect(loader.calls.count == 0, "The loader was called before the view loaded. Call it in `viewDidLoad`, not in `init`.")
    sut.loadViewIfNeeded()

    #expect(loader.calls.count == 1, "Loading the view should call the loader once. Call it in `viewDidLoad`.")
    #expect(
      sut.label.text == "loading",
      "Until the result arrives, the label should show \"loading\". Set it before you call the loader.")
  }

  @Test("the user screen shows a background result on the main queue")
  func hops() async {
    await each("queue", in: BackgroundQueue.allCases) { queue in
      let (sut, loader) = makeSUT()

      sut.loadViewIfNeeded()
      await loader.calls.complete(with: "user data", on: queue.queue)
      await settled { sut.label.text == "user data" }
      await mainQueueDrained()

      #expect(
        sut.label.textsAfterLoading == ["user data"],
        "The label should be set once after \"loading\", to the text that the loader delivers. Check the hop.")
      #expect(
        sut.label.writesOffMainQueue.isEmpty,
        "The label was changed off the main queue. Hop to the main queue before you change a view.")
    }
  }

  @Test("the user screen does not make its loader wait")
  func doesNotHoldUpTheLoader() async throws {
    let (sut, loader) = makeSUT()

    sut.loadViewIfNeeded()
    try #require(loader.calls.count == 1, "Loading the view should call the loader once. Call it in `viewDidLoad`.")
    let hasReturned = returnsWithoutMainQueue { loader.calls.complete(with: "user data") }
    await settled { sut.label.text == "user data" }

    #expect(hasReturned, "The loader's queue waits for the main queue. Dispatch with `async`, not with `sync`.")
    #expect(sut.label.text == "user data", "The label should show the text that the loader delivers. Check the hop.")
  }

  @Test("the user screen shows an immediate result before `viewDidLoad` returns")
  func showsImmediateResult() async {
    let sut = UserViewController(loader: UserLoaderSpy(responding: { "cached data" }))

    sut.loadViewIfNeeded()

    #expect(
      sut.label.textsAfterLoading == ["cached data"],
      "The result arrived on the main queue, so its text should be on screen now. Show it without a hop.")
    await mainQueueDrained()
    #expect(
      sut.label.textsAfterLoading.count <= 1,
      "The label was set more than once after \"loading\". Show each result once: either immediately or after a hop.")
  }

  @Test("after `viewDidLoad`, the user screen synchronously shows results from the main queue")
  func showsLaterResult() {
    let (sut, loader) = makeSUT()

    sut.loadViewIfNeeded()
    loader.calls.complete(with: "user data")

    #expect(
      sut.label.textsAfterLoading == ["user data"],
      "The result arrived on the main queue, so its text should be on screen now. Show it without a hop.")
  }

  @Test("the user screen hops for a result delivered inside `queue.sync`")
  func showsResultOfQueueLoader() async throws {
    // `main.sync` would deadlock in `QueueService` and end the process. This call detects it without a deadlock.
    let spy = UserLoaderSpy()
    let other = UserViewController(loader: spy)
    other.loadViewIfNeeded()
    try #require(spy.calls.count == 1, "Loading the view should call the loader once. Call it in `viewDidLoad`.")
    let hasReturned = returnsWithoutMainQueue { spy.calls.complete(with: "user data") }
    await mainQueueDrained()
    try #require(hasReturned, "The loader's queue waits for the main queue. Dispatch with `async`, not with `sync`.")

    let sut = UserViewController(loader: QueueService())
    sut.loadViewIfNeeded()
    await settled { sut.label.text == "cached data" }

    #expect(
      sut.label.textsAfterLoading == ["cached data"], "The label should be set once after \"loading\". Check the hop.")
    #expect(
      sut.label.writesOffMainQueue.isEmpty,
      "The label was changed inside another queue's block. Check the current queue when the result arrives.")
  }

  @Test("two user screens that share a loader each show their own result")
  func keepsScreensApart() async {
    let loader = UserLoaderSpy()
    let (first, second) = (UserViewController(loader: loader), UserViewController(loader: loader))

    first.loadViewIfNeeded()
    second.loadViewIfNeeded()
    loader.calls.complete(1, with: "second")
    loader.calls.complete(0, with: "first")
    await settled { first.label.text == "first" && second.label.text == "second" }

    #expect(first.label.text == "first", "Each screen should show its own result. Share no state between screens.")
    #expect(second.label.text == "second", "Each screen should show its own result. Share no state between screens.")
  }

  @Test("the user controller can be released while its loader is still working")
  func isReleasedBeforeTheResult() async {
    let loader = UserLoaderSpy()

    await expectReleased("The completion retains the controller until the loader delivers. Capture `self` weakly.") { leaks in
      leaks.track(UserViewController(loader: loader)).loadViewIfNeeded()
    }

    // A result for a controller that is gone must do no harm.
    await loader.calls.complete(with: "user data", on: .background)
    await mainQueueDrained()
  }

  @Test("a user controller that has shown its result can be released")
  func isReleasedAfterTheResult() async {
    await each("main queue", in: [true, false]) { isOnMainQueue in
      let loader = UserLoaderSpy()

      await expectReleased(
        "The result has been delivered, but the controller is still retained. Look for a stored closure that captures `self` strongly."
      ) { leaks in
        let sut = leaks.track(UserViewController(loader: loader))
        sut.loadViewIfNeeded()
        if isOnMainQueue {
          loader.calls.complete(with: "user data")
        } else {
          await loader.calls.complete(with: "user data", on: .background)
        }
        await settled { sut.label.text == "user data" }
      }
    }
  }

  private func makeSUT() -> (UserViewController, UserLoaderSpy) {
    let loader = UserLoaderSpy()
    return (UserViewController(loader: loader), loader)
  }
}
