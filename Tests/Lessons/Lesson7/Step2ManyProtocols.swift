import Given
import TestSupport
import Testing

import class TestSupport.Inbox
import func TestSupport.settled

@testable import Exercise7

@Suite("Step 2: many protocols", .oneAtATime)
struct Step2ManyProtocols {
  @Test("user data, feeds, and images are delivered on the main queue")
  func dispatchesResults() async {
    let (users, feeds, images) = (UserLoaderSpy(), FeedLoaderSpy(), FeedImageDataLoaderSpy())
    let (user, feed, image) = (Inbox<Bool>(), Inbox<Bool>(), Inbox<Bool>())

    MainQueueDispatchDecorator<any UserLoader>(decoratee: users).fetchUserData { _ in user.receive(MainQueue.isCurrent) }
    MainQueueDispatchDecorator<any FeedLoader>(decoratee: feeds).load { _ in feed.receive(MainQueue.isCurrent) }
    let task = MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: images)
      .loadImageData(from: FeedImage.cat.url) { _ in image.receive(MainQueue.isCurrent) }
    await users.calls.complete(with: "user data", on: .newBackgroundQueue)
    await feeds.calls.complete(with: .success([.cat]), on: .newBackgroundQueue)
    await images.calls.complete(with: .success(Data()), on: .newBackgroundQueue)
    for inbox in [user, feed, image] { await inbox.receives(1) }
    withExtendedLifetime(task) {}

    #expect(
      user.values == [true],
      "User data may arrive on any queue, even after the app has released the decorator. Deliver it on the main queue.")
    #expect(
      feed.values == [true],
      "A feed may arrive on any queue, even after the app has released the decorator. Deliver it on the main queue.")
    #expect(
      image.values == [true],
      "An image may arrive on any queue, even after the app has released the decorator. Deliver it on the main queue.")
  }

  @Test("unchanged: results from the main queue are delivered without a hop")
  func deliversSynchronously() async {
    await each("loading", in: [Kind.userData, .feed, .image], "result", in: [Ending.value, .failure(.canceled)]) { kind, ending in
      await story(
        DispatchWorld(), "User data, feeds, and images that arrive on the main queue should be delivered without a hop."
      ) {
        await $0.load(kind, leadsToAllOf: ["load 1 requests \(kind.inWords(FeedImage.cat.url))"])
        await $0.end(with: ending, on: .mainQueue, leadsToAllOf: ["load 1 delivers \(ending.inWords(kind, 0)), synchronously"])
      }
    }
  }

  @MainActor
  @Test("the user screen no longer dispatches to the main queue")
  func screenDoesNotDispatch() async {
    let loader = UserLoaderSpy()
    let sut = UserViewController(loader: loader)

    sut.loadViewIfNeeded()
    await loader.calls.complete(with: "user data loaded", on: .newBackgroundQueue)
    await mainQueueDrained()

    #expect(
      sut.label.texts == ["loading", "user data loaded"], "The screen should show \"loading\", and then the data, once.")
    #expect(
      !sut.label.writesOffMainQueue.isEmpty,
      """
      The loader, which has no decorator in this test, delivered on another queue, so the screen should change its label \
      there. Remove two things from the screen: the queue check and the hop.
      """)
  }

  @Test("unchanged: canceling the decorator's task cancels the decoratee's task")
  func forwardsTheCancel() async {
    await story(
      DispatchWorld(), "Canceling the returned task should cancel the decoratee's task for the same load, and no other."
    ) {
      for number in 1...3 { await $0.load(.image, leadsToAllOf: ["load \(number) requests cat.jpg"]) }
      await $0.cancel(1, leadsToAllOf: ["the image loader cancels load 2"])
      await $0.cancel(0, leadsToAllOf: ["the image loader cancels load 1"])
      await $0.end([2], on: .mainQueue, leadsToAllOf: ["load 3 delivers image 3, synchronously"])
    }
  }

  @Test("an image is delivered even if the caller has released the task")
  func deliversWithoutTheTask() async {
    await story(DispatchWorld(), "Releasing a task does not cancel its load. Only `cancel()` does, so the result should arrive.")
    {
      await $0.load(.image, leadsToAllOf: ["load 1 requests cat.jpg"])
      await $0.releaseTask()
      await $0.end(on: .otherQueue, leadsToAllOf: ["load 1 delivers image 1, after a hop"])
    }
  }

  @Test("unchanged: an image that arrives before `loadImageData` returns is delivered")
  func deliversBeforeTheTask() async {
    await story(
      DispatchWorld(),
      "A loader with a cache may deliver before it returns its task. After the call, nothing should retain that task."
    ) {
      await $0.load(.image, early: .value, leadsToAllOf: ["load 1 requests cat.jpg", "load 1 delivers image 1, synchronously"])
      await $0.releaseTask()
    }
  }

  @Test("unchanged: the user screen is released when the user leaves it")
  func releasesTheScreen() async {
    await each("result", in: ["none", "user data"]) { result in
      let loader = UserLoaderSpy()
      await expectReleased("The user has left, but something still retains the screen. Which closures capture it?") { leaks in
        let sut = leaks.track(UserViewController(loader: loader))
        sut.loadViewIfNeeded()
        if result == "user data" { loader.calls.complete(with: result) }
      }
    }
  }

  @Test("unchanged: results from one queue keep their order")
  func keepsTheOrder() async {
    await each("loading", in: Kind.allCases) { kind in
      let world = DispatchWorld()
      let hasStarted = await perform("the loop of 500 calls", on: .main) {
        for _ in 1...500 { world.start(kind) }
      }
      #expect(hasStarted && world.loads.count == 500, "500 calls should reach the service before they return.")
      let hasEnded = await perform("the loop of 500 completions") {
        for index in 0..<world.loads.count { world.loads.end(index, with: .value) }
      }
      await settled { world.delivered.count == 500 }

      #expect(hasEnded, "The service's queue should not wait for the main queue. Use `async`, not `sync`.")
      let isInOrder = world.delivered == Array(0..<500)
      #expect(isInOrder, "500 loads ended on one queue. Deliver each result once, in the order of arrival, without a delay.")
    }
  }

  @Test("the decorator obeys steps 1 and 2 in random stories")
  func tellsStories() async {
    await expectNoStoryGoesWrong(count: 150, of: DispatchWorld.randomEvents) { DispatchWorld(using: &$0) }
  }
}
