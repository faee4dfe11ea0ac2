import Given
import TestSupport
import Testing

@testable import Exercise7

@MainActor
@Suite("Step 3: queue, not thread", .oneAtATime)
struct Step3QueueNotThread {
  @Test("unchanged: an experiment prints the thread and queue of four contexts")
  func experiment() async {
    let onTheMainActor = report("the main actor")
    let another = DispatchQueue(label: "another queue").sync { report("another queue's block while the main queue waits") }
    let (inABlock, elsewhere) = (Inbox<Bool>(), Inbox<Bool>())
    await finished(on: .main) { inABlock.receive(report("a block of the main queue")) }
    await finished(on: .background) { elsewhere.receive(report("a block of a global queue")) }

    #expect(onTheMainActor, "On the main actor, `MainQueue.isCurrent` should be true. Check that `MainQueue` is unchanged.")
    #expect(
      inABlock.values == [true],
      "In a main-queue block, `MainQueue.isCurrent` should be true. Check that `MainQueue` is unchanged.")
    #expect(!another, "In another queue's block, `MainQueue.isCurrent` should be false. Check that `MainQueue` is unchanged.")
    #expect(
      elsewhere.values == [false],
      "In a global queue's block, `MainQueue.isCurrent` should be false. Check that `MainQueue` is unchanged.")
  }

  @Test("a background result hops even if the main queue is waiting")
  func hopsFromAnotherQueue() async throws {
    // With a decorator that waits for the main queue, the calls below would never return.
    let isFree = returnsWithoutMainQueue {
      for loading in Loading.allCases { loading.begin().complete(.value) }
    }
    try #require(isFree, "The decoratee's queue is blocked until the main queue is free. Dispatch the result with `async`.")

    for loading in Loading.allCases {
      for ending in [LoadEnding.value, .failure(.notHTTP)] {
        let load = loading.begin()

        // The main queue is waiting, so its thread has nothing to do: Dispatch may run the block on that thread.
        DispatchQueue(label: "another queue").sync { load.complete(ending) }

        #expect(
          load.deliveries.isEmpty,
          "\(loading), \(ending): this is another queue's block, so the result should hop. Let `MainQueue.isCurrent` decide.")
        await mainQueueDrained()
        try load.expectOneDelivery(ending)
      }
    }
  }

  @Test("unchanged: a result in a main-queue block is delivered synchronously")
  func deliversInMainQueueBlocks() async throws {
    try await each("loading", in: Loading.allCases) { loading in
      let load = loading.begin()
      let deliveriesInTheBlock = Inbox<Int>()

      await finished(on: .main) {
        load.complete(.value)
        deliveriesInTheBlock.receive(load.deliveries.count)
      }
      await mainQueueDrained()

      try load.expectOneDelivery(.value)
      #expect(
        deliveriesInTheBlock.values == [1],
        "This block belongs to the main queue, so deliver the result before the block ends. Let `MainQueue.isCurrent` decide.")
    }
  }

  @Test("unchanged: a result on the main actor is delivered synchronously")
  func deliversOnTheMainActor() async throws {
    try await each("loading", in: Loading.allCases) { loading in
      let load = loading.begin()

      let deliveries = await Task { @MainActor in
        load.complete(.value)
        return load.deliveries.count
      }.value
      await mainQueueDrained()

      try load.expectOneDelivery(.value)
      #expect(
        deliveries == 1,
        "The main actor runs on the main queue, so the result should be delivered synchronously. Let `MainQueue.isCurrent` decide."
      )
    }
  }
}

/// Prints whether a place is on the main thread and whether it is on the main queue.
///
/// - Returns: Whether it is on the main queue.
private func report(_ place: String) -> Bool {
  print("\(place): main thread? \(Thread.isMainThread ? "yes" : "no"), main queue? \(MainQueue.isCurrent ? "yes" : "no")")
  return MainQueue.isCurrent
}
