import Given
import TestSupport
import Testing

@testable import Exercise7

@Suite("Step 2: many protocols", .oneAtATime)
struct Step2ManyProtocols {
  @Test("user data, feeds, and images are delivered on the main queue")
  func dispatchesResults() async {
    await each(
      "loading", in: [Kind.userData, .feed, .image],
      "result", in: [Ending.value, .emptyValue] + Trouble.allCases.map(Ending.failure)
    ) { kind, ending in
      await story(
        """
        User data, feeds, and images may arrive on any queue, even after the app has released the decorator. Deliver them on the \
        main queue, unchanged.
        """
      ) {
        await $0.load(kind)
        $0.release()
        await $0.end(1, with: ending, on: .otherQueue, leadsTo: "load 1 delivers \(ending.inWords(kind, 0)), after a hop")
      }
    }
  }

  @Test("unchanged: results from the main queue are delivered without a hop")
  func deliversSynchronously() async {
    await each("loading", in: [Kind.userData, .feed, .image], "result", in: [Ending.value, .failure(.canceled)]) { kind, ending in
      await story("User data, feeds, and images that arrive on the main queue should be delivered without a hop.") {
        await $0.load(kind)
        await $0.end(1, with: ending, on: .mainQueue, leadsTo: "load 1 delivers \(ending.inWords(kind, 0)), synchronously")
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
    await story("Canceling the returned task should cancel the decoratee's task for the same load, and no other.") {
      await $0.load(.image)
      await $0.load(.image)
      await $0.load(.image)
      await $0.cancel(2, leadsTo: "the image loader cancels load 2")
      await $0.cancel(1, leadsTo: "the image loader cancels load 1")
      await $0.end(3, on: .mainQueue, leadsTo: "load 3 delivers image 3, synchronously")
    }
  }

  @Test("an image is delivered even if the caller has released the task")
  func deliversWithoutTheTask() async {
    await story("Releasing a task does not cancel its load. Only `cancel()` does, so the result should arrive.") {
      await $0.load(.image)
      $0.releaseTask(1)
      await $0.end(1, on: .otherQueue, leadsTo: "load 1 delivers image 1, after a hop")
    }
  }

  @Test("unchanged: an image that arrives before `loadImageData` returns is delivered")
  func deliversBeforeTheTask() async {
    await story("A loader with a cache may deliver before it returns its task. After the call, nothing should retain that task.")
    {
      await $0.load(
        .image, endingEarly: Early(ending: .value),
        leadsTo: "load 1 delivers image 1, synchronously")
      $0.releaseTask(1)
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
      let stage = Stage(LeakTracker())
      let hasStarted = await returns(on: .main) {
        for _ in 1...500 { stage.start(kind) }
      }
      #expect(hasStarted && stage.loads.count == 500, "500 calls should reach the service before they return.")
      let hasEnded = await returns {
        for index in 0..<stage.loads.count { stage.loads.end(index, with: .value) }
      }
      await settled { stage.delivered.count == 500 }

      #expect(hasEnded, "The service's queue should not wait for the main queue. Use `async`, not `sync`.")
      let isInOrder = stage.delivered == Array(0..<500)
      #expect(isInOrder, "500 loads ended on one queue. Deliver each result once, in the order of arrival, without a delay.")
    }
  }

  @Test("the decorator obeys steps 1 and 2 in random stories")
  func tellsStories() async {
    await expectNoStoryGoesWrong(DispatchStory.self, count: 150, leavingOut: \.mayCancel)
  }
}
