import Given
import TestSupport
import Testing

@testable import Exercise7

@Suite("Step 2: many protocols", .oneAtATime)
struct Step2ManyProtocols {
  private let loader = LoaderSpy()

  @Test("user data, feeds, and images are delivered on the main queue")
  func dispatchesResults() async {
    let (user, feed, image) = (Inbox<Bool>(), Inbox<Bool>(), Inbox<Bool>())

    MainQueueDispatchDecorator<any UserLoader>(decoratee: loader).fetchUserData { _ in user.receive(MainQueue.isCurrent) }
    MainQueueDispatchDecorator<any FeedLoader>(decoratee: loader).load { _ in feed.receive(MainQueue.isCurrent) }
    let task = MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: loader)
      .loadImageData(from: FeedImage.cat.url) { _ in image.receive(MainQueue.isCurrent) }
    for index in 0..<3 { await loader.calls.complete(index, with: .success("cat"), on: .newBackgroundQueue) }
    for inbox in [user, feed, image] { await inbox.receives(1) }
    withExtendedLifetime(task) {}

    let reason = "may arrive on any queue, even after the app has released the decorator. Deliver it on the main queue."
    #expect(user.values == [true], "User data \(reason)")
    #expect(feed.values == [true], "A feed \(reason)")
    #expect(image.values == [true], "An image \(reason)")
  }

  @MainActor
  @Test("no loader's queue waits for the main queue")
  func doesNotHoldUpTheLoader() async {
    await each("loading", in: Kind.allCases, "result", in: [LoaderSpy.Ending.success("cat"), .failure(URLError(.timedOut))]) {
      kind, ending in
      guard kind != .userData || ending.failure == nil else { return }
      let (loader, isOnMainQueue) = (LoaderSpy(), Inbox<Bool>())

      let task = Decorators(around: loader).load(kind) { _ in isOnMainQueue.receive(MainQueue.isCurrent) }
      let hasReturned = returnsWithoutMainQueue { loader.calls.complete(with: ending) }
      #expect(
        hasReturned,
        "A deadlock: the main queue waited for the loader's queue, and that queue for the main queue. Use `async`, not `sync`.")
      await settled { !isOnMainQueue.values.isEmpty }
      withExtendedLifetime(task) {}

      #expect(isOnMainQueue.values == [true], "The result should be delivered once, on the main queue, and without a delay.")
    }
  }

  @MainActor
  @Test("unchanged: user data, feeds, and images are delivered synchronously if possible")
  func deliversSynchronously() async {
    await each("loading", in: Kind.allCases, "result", in: [LoaderSpy.Ending.success("cat"), .failure(URLError(.cancelled))]) {
      kind, ending in
      guard kind != .userData || ending.failure == nil else { return }
      let (loader, results) = (LoaderSpy(), Inbox<String>())

      let task = Decorators(around: loader).load(kind, completion: results.receive)
      loader.calls.complete(with: ending)

      #expect(results.values == [ending.inWords], "A result that arrives on the main queue should be delivered without a hop.")
      withExtendedLifetime(task) {}
    }
  }

  @MainActor
  @Test("the user screen no longer dispatches to the main queue")
  func screenDoesNotDispatch() async {
    let screen = UserViewController(loader: loader)

    screen.loadViewIfNeeded()
    await loader.calls.complete(with: .success("user data loaded"), on: .newBackgroundQueue)
    await mainQueueDrained()

    #expect(
      screen.label.texts == ["loading", "user data loaded"], "The screen should show \"loading\", and then the data, once.")
    #expect(
      !screen.label.writesOffMainQueue.isEmpty,
      """
      The loader, which has no decorator in this test, delivered on another queue, so the screen should change its label \
      there. Remove two things from the screen: the queue check and the hop.
      """)
  }

  @Test("unchanged: canceling the decorator's task cancels the decoratee's task")
  func forwardsTheCancel() async {
    await expectReleased("All loads have been canceled, but their tasks are retained. Which object retains which?") { leaks in
      loader.leaks = leaks
      let (sut, order) = (Decorators(around: loader), [1, 0, 2])
      var tasks = order.map { _ in sut.load(.image) { _ in } }
      for case let task? in tasks { leaks.track(task as AnyObject, as: "the task that you return") }

      let rule: Comment =
        "`cancel()` cancels the decoratee's task for the same load, and no other, even if the caller then releases your task."
      for (count, index) in zip(1..., order) {
        tasks[index]?.cancel()
        tasks[index] = nil
        await eventually { loader.canceled.count >= count }
        #expect(loader.canceled == Array(order.prefix(count)), rule)
      }
    }
  }

  @Test("an image is delivered even if the caller has released the task")
  func deliversWithoutTheTask() async throws {
    let isOnMainQueue = Inbox<Bool>()

    let sut = Decorators(around: loader)
    _ = sut.load(.image) { _ in isOnMainQueue.receive(MainQueue.isCurrent) }
    #expect(loader.canceled == [], "Releasing a task does not cancel its load. Only `cancel()` does.")
    await loader.calls.complete(with: .success("cat"), on: .newBackgroundQueue)

    let isDispatched = try await isOnMainQueue.only("The caller has released the task. The load goes on: deliver its result.")
    #expect(isDispatched, "The caller has released the task. Deliver the image on the main queue, as always.")
  }

  @Test("a result that arrives before the call returns is dispatched, too")
  func deliversEarly() async {
    await each("loading", in: Kind.allCases, "calling on", in: ["another queue", "the main queue"]) { kind, queue in
      let (loader, isOnMainQueue) = (LoaderSpy(), Inbox<Bool>())
      loader.onCall = { loader.calls.complete(with: .success("cat")) }

      let hasReturned = await returns(on: queue == "the main queue" ? .main : .newBackgroundQueue) {
        Decorators(around: loader).load(kind) { _ in isOnMainQueue.receive(MainQueue.isCurrent) }
      }
      await isOnMainQueue.receives(1)

      #expect(hasReturned, "A call has not returned. A loader with a cache delivers before its method returns.")
      #expect(
        isOnMainQueue.values == [true],
        "A loader with a cache may deliver before its method returns. Deliver that result once, on the main queue.")
    }
  }

  @Test("unchanged: a load that has ended is not retained")
  func releasesTheLoad() async {
    await each("loading", in: Kind.allCases, "ending on", in: ["another queue", "the main queue"]) { kind, queue in
      let loader = LoaderSpy()
      let sut = Decorators(around: loader)
      await expectReleased("The load has ended, and the caller has released the task. Which of your objects retains what?") {
        leaks in
        loader.leaks = leaks
        let (lifetime, results) = (leaks.lifetime(of: "the completion"), Inbox<String>())

        let task = sut.load(kind) { text in withExtendedLifetime(lifetime) { results.receive(text) } }
        if let task { leaks.track(task as AnyObject, as: "the task that you return") }
        await loader.calls.complete(with: .success("cat"), on: queue == "the main queue" ? .main : .newBackgroundQueue)
        await results.receives(1)
        withExtendedLifetime(task) {}
      }
    }
  }

  @Test("unchanged: the user screen is released when the user leaves it")
  func releasesTheScreen() async {
    await each("result", in: ["none", "user data"]) { result in
      let loader = LoaderSpy()
      await expectReleased("The user has left, but something still retains the screen. Which closures capture it?") { leaks in
        let screen = leaks.track(UserViewController(loader: loader))
        screen.loadViewIfNeeded()
        if result == "user data" { loader.calls.complete(with: .success(result)) }
      }
    }
  }

  @Test("unchanged: results from one queue keep their order")
  func keepsTheOrder() async {
    await each("loading", in: Kind.allCases) { kind in
      let (loader, delivered) = (LoaderSpy(), Inbox<Int>())
      let sut = Decorators(around: loader)

      let tasks = (0..<500).map { index in sut.load(kind) { _ in delivered.receive(index) } }
      let hasEnded = await returns {
        for index in 0..<loader.calls.count { loader.calls.complete(index, with: .success("cat")) }
      }
      await settled { delivered.values.count == 500 }
      withExtendedLifetime(tasks) {}

      #expect(hasEnded, "The loader's queue should not wait for the main queue. Use `async`, not `sync`.")
      let isInOrder = delivered.values == Array(0..<500)
      #expect(isInOrder, "500 loads ended on one queue. Deliver each result once, in the order of arrival, without a delay.")
    }
  }

  @Test("a completion may load again, and another result may arrive during it")
  func holdsNoLock() async {
    await each("loading", in: Kind.allCases) { kind in
      let (loader, first) = (LoaderSpy(), Inbox<(isImmediate: Bool, hasReturned: Bool)>())
      let (second, third) = (Inbox<Bool>(), Inbox<Bool>())
      let sut = Decorators(around: loader)

      sut.load(kind) { _ in
        guard MainQueue.isCurrent else { return first.receive((true, true)) }
        // A cache has the third result, and delivers it before the call returns.
        loader.onCall = { loader.calls.complete(2, with: .success("cat")) }
        sut.load(kind) { _ in third.receive(MainQueue.isCurrent) }
        let isImmediate = third.values.count == 1
        let hasReturned = MainActor.assumeIsolated { returnsWithoutMainQueue { loader.calls.complete(1, with: .success("dog")) } }
        first.receive((isImmediate, hasReturned))
      }
      sut.load(kind) { _ in second.receive(MainQueue.isCurrent) }
      await loader.calls.complete(0, with: .success("fox"), on: .newBackgroundQueue)

      await first.receives(1)
      #expect(!first.values.isEmpty, "A completion has loaded again, and never returned. Hold no lock while you call it.")
      guard let (isImmediate, hasReturned) = first.values.first else { return }
      #expect(
        isImmediate, "A completion has loaded again, and a cache has delivered on the main queue. Deliver that synchronously.")
      #expect(
        hasReturned, "While a completion ran, another result arrived, and its queue had to wait. Hold no lock while you call it.")
      await second.receives(1)
      #expect(second.values == [true] && third.values == [true], "Each load has a result of its own, on the main queue.")
    }
  }

  @Test("hundreds of loads obey these rules, wherever and however they end")
  func weathersAStorm() async {
    await expectEachLoadIsRight()
  }
}
