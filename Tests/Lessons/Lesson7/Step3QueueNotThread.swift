import Given
import TestSupport
import Testing

@testable import Exercise7

@MainActor
@Suite("Step 3: queue, not thread", .patientOnce)
struct Step3QueueNotThread {
  @Test("what another queue's block delivers hops, even if the main queue waits for that block", arguments: Loading.allCases)
  func hopsFromAnotherQueue(loading: Loading) async throws {
    let probe = loading.begin()
    let isFree = returnsWithoutMainQueue { probe.answer(.success) }
    try #require(isFree, "The decoratee is held up until the main queue has time: hand the answer over with `async`, and go on.")
    let load = loading.begin()

    // The main queue waits, so that its thread has nothing to do. Dispatch may well run the block there.
    DispatchQueue(label: "another queue").sync { load.answer(.success) }

    #expect(
      load.arrivals.isEmpty,
      "This block belongs to another queue, whatever thread it runs on. The answer has to hop. Ask `MainQueue.isCurrent`.")
    await mainQueueDrained()
    try load.expectOneArrival(.success)
  }

  @Test("unchanged: what a block of the main queue delivers arrives before the block ends", arguments: Loading.allCases)
  func deliversInMainQueueBlocks(loading: Loading) async {
    let load = loading.begin()
    let arrivalsInTheBlock = Inbox<Int>()

    await finished(on: .main) {
      load.answer(.success)
      arrivalsInTheBlock.receive(load.arrivals.count)
    }

    #expect(
      arrivalsInTheBlock.values == [1],
      "This block belongs to the main queue, whatever thread it runs on: deliver at once, even if nobody keeps the decorator. Ask `MainQueue.isCurrent`."
    )
  }

  @Test("unchanged: what the main actor delivers arrives at once", arguments: Loading.allCases)
  func deliversOnTheMainActor(loading: Loading) async {
    let load = loading.begin()

    let arrivals = await Task { @MainActor in
      load.answer(.success)
      return load.arrivals.count
    }.value

    #expect(
      arrivals == 1,
      "The main actor works on the main queue: deliver at once, even if nobody keeps the decorator. Ask `MainQueue.isCurrent`.")
  }

  @Test("unchanged: an experiment, the same two questions asked in four places")
  func experiment() async {
    let onTheMainActor = ask("the main actor")
    let another = DispatchQueue(label: "another queue").sync { ask("another queue's block, the main queue waits") }
    let (inABlock, elsewhere) = (Inbox<Bool>(), Inbox<Bool>())
    await finished(on: .main) { inABlock.receive(ask("a block of the main queue")) }
    await finished(on: .global()) { elsewhere.receive(ask("a block of a global queue")) }

    #expect(onTheMainActor, "The main actor belongs to the main queue.")
    #expect(inABlock.values == [true], "A block of the main queue belongs to the main queue.")
    #expect(!another, "Another queue's block belongs to that queue, whatever thread runs it.")
    #expect(elsewhere.values == [false], "A block of a global queue does not belong to the main queue.")
  }
}

/// Prints both answers, and returns the queue's.
private func ask(_ place: String) -> Bool {
  print("\(place): main thread? \(Thread.isMainThread ? "yes" : "no"), main queue? \(MainQueue.isCurrent ? "yes" : "no")")
  return MainQueue.isCurrent
}
