import Given
import TestSupport
import Testing

@testable import Exercise7

@Suite("Step 4: cancel (extra)", .oneAtATime)
struct Step4Cancel {
  @Test("a canceled load drops a result that is waiting for its hop")
  func dropsTheWaitingResult() async {
    await each("result", in: [Ending.value, .failure(.timedOut)]) { ending in
      await story("After `cancel()`, deliver nothing, not even a result that is waiting for its hop.") {
        await $0.load(.image, afterCancel: .continues)
        await $0.end(
          1, with: ending, on: .otherQueueWhileMainIsBusy, thenCancel: true, leadsTo: "the image loader cancels load 1")
        $0.releaseTask(1)
      }
    }
  }

  @Test("a canceled load delivers nothing that arrives after the cancellation")
  func dropsTheLateResult() async {
    await each("result", in: [Ending.value, .failure(.timedOut)], "place", in: [Place.mainQueue, .otherQueue]) { ending, place in
      await story("A loader may deliver even after its load has been canceled. Drop what arrives after `cancel()`.") {
        await $0.load(.image, afterCancel: .continues)
        await $0.cancel(1, leadsTo: "the image loader cancels load 1")
        $0.releaseTask(1)
        await $0.end(1, with: ending, on: place)
      }
    }
  }

  @Test("an error that the decoratee delivers during `cancel()` is dropped")
  func dropsTheErrorOfTheCancel() async {
    await story("A loader may deliver an error while `cancel()` is running. Drop that error, too.") {
      await $0.load(.image, afterCancel: .failsImmediately)
      await $0.cancel(1, leadsTo: "the image loader cancels load 1")
    }
  }

  @Test("a cancellation does not stop other loads of the same URL")
  func stopsNoOtherLoad() async {
    await story("Two loads of the same URL are separate loads. Canceling one of them should not stop the other.") {
      await $0.load(.image)
      await $0.load(.image, afterCancel: .continues)
      await $0.cancel(2, leadsTo: "the image loader cancels load 2")
      await $0.load(.image)
      await $0.end(2, on: .otherQueue)
      await $0.end(1, on: .otherQueue, leadsTo: "load 1 delivers image 1, after a hop")
      await $0.end(3, on: .mainQueue, leadsTo: "load 3 delivers image 3, synchronously")
    }
  }

  @Test("`cancel()` drops a waiting result, even one that arrived before `loadImageData` returned")
  func dropsTheEarlyResult() async {
    await story("A result may already be waiting for its hop when the task is returned. `cancel()` should drop it.") {
      await $0.load(
        .image, endingEarly: Early(ending: .value, place: .otherQueueWhileMainIsBusy), thenCanceled: true,
        afterCancel: .continues,
        leadsTo: "the image loader cancels load 1")
    }
  }

  @Test("unchanged: a cancellation after the delivery has no effect")
  func cancelsTooLate() async {
    await story("A `cancel()` after the delivery does no harm, and nothing should be retained afterward.") {
      await $0.load(
        .image, endingEarly: Early(ending: .value), thenCanceled: true, leadsTo: "load 1 delivers image 1, synchronously")
      await $0.cancel(1)
    }
  }
}
