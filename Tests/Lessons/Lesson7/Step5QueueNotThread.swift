import Given
import TestSupport
import Testing

import class TestSupport.Inbox

@testable import Exercise7

@Suite("Step 5: queue, not thread (extra)", .oneAtATime)
struct Step5QueueNotThread {
  @MainActor
  @Test("unchanged: `MainQueue.isCurrent` recognizes the main queue, whatever the thread")
  func experiment() async {
    let onTheMainActor = report("the main actor")
    let another = DispatchQueue(label: "another queue").sync { report("another queue's block while the main queue waits") }
    let (inABlock, elsewhere) = (Inbox<Bool>(), Inbox<Bool>())
    await perform("a report", on: .main) { inABlock.receive(report("a block of the main queue")) }
    await perform("a report") { elsewhere.receive(report("a block of a background queue")) }

    #expect(
      [onTheMainActor, another] + inABlock.values + elsewhere.values == [true, false, true, false],
      "`MainQueue.isCurrent` should be true on the main queue only. Check that `MainQueue` is unchanged.")
  }

  @MainActor
  @Test("a result from inside `backgroundQueue.sync` is delivered after a hop")
  func hopsFromAnotherQueue() async throws {
    let service = ProfileServiceSpy()
    let sut = MainQueueDispatchDecorator<any ProfileService>(decoratee: service)
    let isOnMainQueue = Inbox<Bool>()

    for _ in 1...2 { sut.getProfile { _ in isOnMainQueue.receive(MainQueue.isCurrent) } }
    try #require(service.calls.count == 2, "The decorator should call the service before its own method returns.")
    let hasReturned = returnsWithoutMainQueue { service.calls.complete(0, with: .success(.ada)) }
    try #require(hasReturned, "The service's queue should not wait for the main queue. Use `async`, not `sync`.")
    DispatchQueue.newBackgroundQueue.sync { service.calls.complete(1, with: .success(.ada)) }

    await isOnMainQueue.receives(2)
    #expect(
      isOnMainQueue.values == [true, true],
      "A `sync` block belongs to its own queue, even if the main thread runs it. Check which queue is current, not which thread.")
  }

  @MainActor
  @Test("unchanged: a result from the main actor is delivered without a hop")
  func deliversOnTheMainActor() async {
    await each("loading", in: Kind.allCases) { kind in
      let world = DispatchWorld()
      world.start(kind)
      world.loads.run(at: .mainQueue, within: 1) { world.loads.end(0, with: .value) }

      #expect(
        world.delivered == [0],
        "The main actor runs on the main queue, so deliver the result synchronously. Check which queue is current.")
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
