import Given
import TestSupport
import Testing

import class TestSupport.Inbox
import enum TestSupport.Place

@testable import Exercise7

@Suite("Step 4: cancel (extra)", .oneAtATime)
struct Step4Cancel {
  @MainActor
  @Test("a canceled load drops a result that is waiting for its hop")
  func dropsTheWaitingResult() async throws {
    for result in [Result<Data, any Error>.success(Data()), .failure(URLError(.timedOut))] {
      let loader = FeedImageDataLoaderSpy()
      let results = Inbox<Result<Data, any Error>>()

      let sut = MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: loader)
      let task = sut.loadImageData(from: FeedImage.cat.url, completion: results.receive)
      try #require(loader.calls.count == 1, "The decorator should call the loader before its own method returns.")
      _ = returnsWithoutMainQueue { loader.calls.complete(with: result) }
      task.cancel()

      await mainQueueDrained()
      #expect(results.values.isEmpty, "After `cancel()`, deliver nothing, not even a result that is waiting for its hop.")
    }
  }

  @Test("a canceled load delivers nothing that arrives after the cancellation")
  func dropsTheLateResult() async {
    await each("result", in: [Ending.value, .failure(.timedOut)], "place", in: [Place.mainQueue, .otherQueue]) { ending, place in
      await story(
        DispatchWorld(), "A loader may deliver even after its load has been canceled. Drop what arrives after `cancel()`."
      ) {
        await $0.load(.image, afterCancel: .continues, leadsToAllOf: ["load 1 requests cat.jpg"])
        await $0.cancel(leadsToAllOf: ["the image loader cancels load 1"])
        await $0.releaseTask()
        await $0.end(with: ending, on: place)
      }
    }
  }

  @Test("an error that the decoratee delivers during `cancel()` is dropped")
  func dropsTheErrorOfTheCancel() async {
    await story(DispatchWorld(), "A loader may deliver an error while `cancel()` is running. Drop that error, too.") {
      await $0.load(.image, afterCancel: .failsImmediately, leadsToAllOf: ["load 1 requests cat.jpg"])
      await $0.cancel(leadsToAllOf: ["the image loader cancels load 1"])
    }
  }

  @Test("a cancellation does not stop other loads of the same URL")
  func stopsNoOtherLoad() async {
    await story(DispatchWorld(), "Two loads of the same URL are separate loads. Canceling one of them should not stop the other.")
    {
      await $0.load(.image, leadsToAllOf: ["load 1 requests cat.jpg"])
      await $0.load(.image, afterCancel: .continues, leadsToAllOf: ["load 2 requests cat.jpg"])
      await $0.cancel(1, leadsToAllOf: ["the image loader cancels load 2"])
      await $0.load(.image, leadsToAllOf: ["load 3 requests cat.jpg"])
      await $0.end([1], on: .otherQueue)
      await $0.end(on: .otherQueue, leadsToAllOf: ["load 1 delivers image 1, after a hop"])
      await $0.end([2], on: .mainQueue, leadsToAllOf: ["load 3 delivers image 3, synchronously"])
    }
  }

  @Test("`cancel()` drops a waiting result, even one that arrived before `loadImageData` returned")
  func dropsTheEarlyResult() async {
    await story(
      DispatchWorld(), "A result may already be waiting for its hop when the task is returned. `cancel()` should drop it."
    ) {
      await $0.load(
        .image, early: .value, on: .otherQueueWhileMainIsBusy, afterCancel: .continues, thenCanceled: true,
        leadsToAllOf: ["load 1 requests cat.jpg", "the image loader cancels load 1"])
    }
  }

  @Test("unchanged: a cancellation after the delivery has no effect")
  func cancelsTooLate() async {
    await story(DispatchWorld(), "A `cancel()` after the delivery does no harm, and nothing should be retained afterward.") {
      await $0.load(
        .image, early: .value, thenCanceled: true,
        leadsToAllOf: ["load 1 requests cat.jpg", "load 1 delivers image 1, synchronously"])
      await $0.cancel()
    }
  }
}
