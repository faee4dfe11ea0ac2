import Given
import TestSupport
import Testing

@testable import Exercise7

@Suite("Step 5: queue, not thread (extra)", .oneAtATime)
struct Step5QueueNotThread {
  @MainActor
  @Test("unchanged: `MainQueue.isCurrent` recognizes the main queue, whatever the thread")
  func experiment() async {
    let onTheMainActor = report("the main actor")
    let another = DispatchQueue(label: "another queue").sync { report("another queue's block while the main queue waits") }
    let (inABlock, elsewhere) = (Inbox<Bool>(), Inbox<Bool>())
    await finished(on: .main) { inABlock.receive(report("a block of the main queue")) }
    await finished(on: .newBackgroundQueue) { elsewhere.receive(report("a block of a background queue")) }

    #expect(
      [onTheMainActor, another] + inABlock.values + elsewhere.values == [true, false, true, false],
      "`MainQueue.isCurrent` should be true on the main queue only. Check that `MainQueue` is unchanged.")
  }

  @Test("a result from inside `backgroundQueue.sync` is delivered after a hop")
  func hopsFromAnotherQueue() async {
    await each("loading", in: Kind.allCases, "result", in: [Ending.value, .failure(.offline)]) { kind, ending in
      await story(
        "A `sync` block belongs to its own queue, even if the main thread runs it. Check which queue is current, not which thread."
      ) {
        await $0.load(kind)
        await $0.end(
          1, with: ending, on: .blockThatMainWaitsFor, leadsTo: "load 1 delivers \(ending.inWords(kind, 0)), after a hop")
      }
    }
  }

  @MainActor
  @Test("unchanged: a result from the main actor is delivered without a hop")
  func deliversOnTheMainActor() async {
    await each("loading", in: Kind.allCases) { kind in
      let stage = Stage(LeakTracker())
      stage.start(kind)
      stage.loads.run(at: .mainQueue, within: 1) { stage.loads.end(0, with: .value) }

      #expect(
        stage.delivered == [0],
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
