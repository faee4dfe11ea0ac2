import Given
import TestSupport
import Testing

import class TestSupport.Inbox
import enum TestSupport.Place
import enum TestSupport.SampleError
import struct TestSupport.SeededRandom
import func TestSupport.settled

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
      let sut = Decorators(around: loader)

      let tasks = (1...3).map { _ in sut.load(.image) { _ in } }
      tasks[1]?.cancel()
      tasks[0]?.cancel()

      let message: Comment = "Canceling the returned task should cancel the decoratee's task for the same load, and no other."
      #expect(loader.canceled == [1, 0], message)
      tasks[2]?.cancel()
      #expect(loader.canceled == [1, 0, 2], message)
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

  @Test("a result that arrives before the call returns is delivered like any other")
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

  @Test("a completion may load again, and other results may arrive meanwhile")
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

  @MainActor
  @Test("hundreds of loads obey these rules, wherever and however they end")
  func weathersAStorm() async {
    /// A load, and what has to become of it.
    struct Load {
      let kind: Kind
      let ending: LoaderSpy.Ending
      let place: Place
      let received = Inbox<(text: String, isOnMainQueue: Bool)>()
      var task: (any FeedImageDataLoaderTask)?
      var isCanceled = false

      var inWords: String {
        "\(kind.rawValue), which ends with \(ending.inWords.isEmpty ? "nothing" : ending.inWords), \(place.inWords)"
      }
    }
    var random = SeededRandom(seed: 7)
    await each("round", in: 1...300) { _ in
      var sut: Decorators?
      let retained: Comment =
        "All loads have ended, but something is still retained. What do your closures capture, and what do your objects store?"
      await expectReleased(retained) { leaks in
        let (loader, kinds) = (LoaderSpy(), Kind.allCases.shuffled(using: &random).prefix(2) + [.image])
        loader.leaks = leaks
        // Often, one decorator is around another one.
        sut = Decorators(around: loader, layers: .random(in: 1...2, using: &random))
        var (loads, called, canceled, inFlight): ([Load], [String], [Int], [Int]) = ([], [], [], [])

        /// Ends a load, and compares what is delivered before the loader's code goes on.
        func end(_ index: Int) {
          let load = loads[index]
          load.place.run(within: 1, noting: Inbox()) { loader.calls.complete(index, with: load.ending) }
          guard load.place != .otherQueue else { return }
          #expect(
            load.received.values.count == (load.place == .mainQueue ? 1 : 0),
            "On the main queue, deliver a result before you return to the loader. Anywhere else, deliver it after a hop.")
        }

        for index in 0..<Int.random(in: 1...5, using: &random) {
          let (kind, place) = (kinds.randomElement(using: &random)!, Place.allCases.randomElement(using: &random)!)
          loads.append(Load(kind: kind, ending: .random(of: kind, index, using: &random), place: place))
          let url = [FeedImage.cat, .dog].randomElement(using: &random)!.url
          called.append(kind == .image ? url.lastPathComponent : kind.rawValue)
          // A cache ends a load before the call returns. The main queue has a part in it only if the call is made there.
          let isEarly = Int.random(in: 0..<4, using: &random) == 0
          let isOnMainQueue = isEarly ? place != .otherQueue : Bool.random(using: &random)
          let isTaskReleased = Bool.random(using: &random)
          await each("load", in: [loads[index].inWords]) { _ in
            if isEarly { loader.onCall = { end(index) } }
            let (received, lifetime) = (loads[index].received, leaks.lifetime(of: "the completion"))
            let start = {
              loads[index].task = sut?.load(kind, from: url) { text in
                withExtendedLifetime(lifetime) { received.receive((text, MainQueue.isCurrent)) }
              }
            }
            if isOnMainQueue { start() } else { _ = await returns(start) }
            #expect(loader.calls.arguments == called, "Call the loader once, for the same image, before your method returns.")
          }
          if !isEarly { inFlight.append(index) }
          if isTaskReleased { loads[index].task = nil }
        }

        // From here on, often nothing but the loads in flight retains the decorators.
        if Bool.random(using: &random) {
          sut = nil
          leaks.track(loader)
        }
        for index in inFlight.shuffled(using: &random) {
          let isCanceled = Int.random(in: 0..<4, using: &random) == 0
          await each("load", in: [loads[index].inWords]) { _ in
            if let task = loads[index].task, isCanceled {
              task.cancel()
              loads[index].isCanceled = true
              canceled.append(index)
            } else if loads[index].place == .otherQueue {
              _ = await returns { end(index) }
            } else {
              end(index)
            }
            #expect(loader.canceled == canceled, "Cancel the loads that the caller cancels, and no other.")
          }
        }
        for load in loads where !load.isCanceled { await load.received.receives(1) }
        await mainQueueDrained()
        for load in loads {
          await each("load", in: [load.inWords]) { _ in
            let (texts, isOnMainQueue) = (load.received.values.map(\.text), load.received.values.allSatisfy(\.isOnMainQueue))
            #expect(texts == (load.isCanceled ? [] : [load.ending.inWords]), "Deliver what the loader delivers, once, unchanged.")
            #expect(isOnMainQueue, "Wherever a result arrives, deliver it on the main queue.")
          }
        }
      }
      withExtendedLifetime(sut) {}
    }
  }
}

extension LoaderSpy.Ending {
  /// Makes up the ending of a load. User data never fails.
  fileprivate static func random(of kind: Kind, _ index: Int, using random: inout SeededRandom) -> Self {
    let text = ["cat\(index)", "cat\(index) dog", "cat", ""].randomElement(using: &random)!
    let error = SampleError.random(using: &random).error
    return kind == .userData || Bool.random(using: &random) ? .success(text) : .failure(error)
  }
}
