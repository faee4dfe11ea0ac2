import Given
import TestSupport
import Testing

import class Given.Locked
import struct Synchronization.Atomic
import class TestSupport.ClosureClient
import class TestSupport.Stopwatch

@preconcurrency @testable import Exercise4

@Suite("Step 5: share it safely (extra)", .oneAtATime)
struct Step5ShareSafely {
  @Test("no thread comes between two steps of another")
  func leavesNoGap() async {
    for (moment, when) in [
      (Interruption.Moment.read, "After the store had been read for one request"),
      (.check, "While `now` was called for one request"), (.write, "Before `replace` was called for one request"),
    ] {
      for _ in 1...75 {
        let sut = SharedDecorator(refreshing: .success(.renewed))
        sut.interruption.during(moment) { onAnotherThread { sut.load("second") } }
        let hasReturned = await returns { sut.load("first") }
        #expect(hasReturned, SharedDecorator.stuck)

        let isRight = await sut.expectOneRefresh(
          for: 2, "\(when), another thread loaded a second one. Which of your steps have to be one, under the same lock?")
        guard isRight else { return }
      }
    }
  }

  @Test("fifty simultaneous requests share one refresh")
  func areSafeFromManyThreads() async {
    // By luck, a mistake may stay hidden in one round.
    for _ in 1...75 {
      let sut = SharedDecorator()
      let haveReturned = await returns { DispatchQueue.concurrentPerform(iterations: 50) { sut.load("\($0)") } }
      #expect(haveReturned, SharedDecorator.stuck)
      await sut.endRefresh()

      let isRight = await sut.expectOneRefresh(
        for: 50, "Fifty threads have loaded a request each. Protect your state with a lock, a queue, or an actor.")
      guard isRight else { return }
    }
  }

  @Test("two requests at almost the same moment start one refresh")
  func startsOneRefresh() async {
    await race(
      in: { SharedDecorator() },
      first: { sut, round, arrive in
        // They meet before the call, or when `now` is read.
        if round % 4 < 2 { arrive() } else { sut.interruption.during(.check, arrive) }
        sut.load("first")
      },
      second: { sut, arrive in
        arrive()
        sut.load("second")
      },
      isRight: {
        await $0.endRefresh()
        return await $0.expectOneRefresh(
          for: 2,
          "Two threads have loaded a request each. Looking for a refresh and joining it, or starting one, must be one step.")
      })
  }

  @Test("a request that arrives when the refresh ends is not lost")
  func losesNoRequest() async {
    await race(
      in: {
        let sut = SharedDecorator()
        sut.load("1")
        await sut.refresher.calls.receives(1)
        return sut
      },
      first: { sut, _, arrive in
        arrive()
        if !sut.refresher.calls.unfinished.isEmpty { sut.refresher.calls.complete(with: .success(.renewed)) }
      },
      second: { sut, arrive in
        arrive()
        for number in 2...5 { sut.load("\(number)") }
      },
      isRight: {
        await $0.endRefresh()
        return await $0.expectOneRefresh(
          for: 5,
          "One thread has ended the refresh, and another one has loaded four more requests. Storing the new credentials and emptying the list must be one step."
        )
      })
  }

  @Test("the refresher, the decoratee, and completions can call the decorator")
  func mayBeCalledBack() async {
    await each("caller", in: ["refresher", "decoratee", "completion", "completion of a user who is signed out"]) { caller in
      let (owner, results) = (Locked<RefreshCredentialsHTTPClientDecorator?>(nil), Inbox<String>())
      // The caller loads a second request, and lets another thread load a third one.
      let callBack = { (name: String) in
        guard caller.hasPrefix(name), let sut = owner.withLock({ $0.take() }) else { return }
        sut.load(.named("second")) { _ in results.receive("second") }
        onAnotherThread(for: 10) { sut.load(.named("third")) { _ in results.receive("third") } }
      }
      let client = ClosureClient { _, completion in
        callBack("decoratee")
        completion(.status(200))
      }
      let refresher = CredentialsRefresherSpy { _ in
        callBack("refresher")
        return .success(.renewed)
      }
      let isSignedOut = caller.hasSuffix("signed out")
      let sut = makeSUT(decoratee: client, store: CredentialsStoreSpy(isSignedOut ? nil : .expired), refresher: refresher)
      owner.withLock { $0 = sut }

      let hasReturned = await returns {
        sut.load(.named("first")) { _ in
          callBack("completion")
          results.receive("first")
        }
      }
      #expect(
        hasReturned,
        "`load` never returned. The \(caller) loaded a second request, and another thread a third one: hold no lock while you call the \(caller)."
      )
      await results.receives(3)
      #expect(
        results.values.sorted() == ["first", "second", "third"] && refresher.calls.count == (isSignedOut ? 0 : 1),
        "During the call to the \(caller), two more requests were loaded. Each of the three needs one result, and they should share one refresh."
      )
    }
  }
}

/// A decorator whose credentials have expired, and which two threads use. Each request that is sent fails.
private final class SharedDecorator: @unchecked Sendable {
  static let stuck: Comment = "A call of `load` or of the refresher's completion has not returned. Two threads are in your code."

  let client = HTTPClientSpy(responding: { _ in .failure(SampleError.offline.error) })
  let refresher: CredentialsRefresherSpy
  let interruption = Interruption()
  private let sut: RefreshCredentialsHTTPClientDecorator

  init(refreshing result: Result<Credentials, any Error>? = nil) {
    refresher = CredentialsRefresherSpy(responding: { _ in result })
    sut = makeSUT(decoratee: client, store: interruption.store(.expired), refresher: refresher, now: interruption.now)
  }

  func load(_ name: String) {
    sut.load(.named(name)) { _ in }
  }

  /// Ends the refresh, unless that has happened.
  func endRefresh() async {
    await refresher.calls.receives(1)
    if !refresher.calls.unfinished.isEmpty { refresher.calls.complete(with: .success(.renewed)) }
  }

  func expectOneRefresh(for count: Int, _ rule: String, sourceLocation: SourceLocation = #_sourceLocation) async -> Bool {
    await client.calls.receives(count)
    let names = Set(client.requests.filter { $0.sentToken == "new-token" }.map(\.path))
    let isRight = refresher.calls.count == 1 && names.count == count && client.requests.count == count
    #expect(
      isRight,
      "\(rule) Refreshes: \(refresher.calls.count) instead of 1. Requests that were sent with the new token: \(names.count) of \(count).",
      sourceLocation: sourceLocation)
    return isRight
  }
}

/// Lets two threads enter a decorator at almost the same moment, in many rounds.
///
/// Some mistakes show only if one thread comes between two steps of another. Such a gap is a fraction of a microsecond wide, and a
/// sleeping thread needs much longer to wake up. So the threads wait without sleeping, there are many rounds, and in each one, one
/// of the threads is late by another fraction of the time that a call takes. On a busy machine, there are fewer rounds.
///
/// - Parameters:
///   - make: Makes the decorator of a round.
///   - first: What the first thread does in a round, whose number is passed. It calls the last argument at the moment that matters.
///   - second: What the second thread does.
///   - isRight: Checks a round, and reports what is wrong with it. After a round that is wrong, the race is over.
private func race(
  in make: () async -> SharedDecorator,
  first: @escaping @Sendable (SharedDecorator, _ round: Int, _ arrive: @escaping @Sendable () -> Void) -> Void,
  second: @escaping @Sendable (SharedDecorator, _ arrive: @escaping @Sendable () -> Void) -> Void,
  isRight: (SharedDecorator) async -> Bool
) async {
  let stopwatch = Stopwatch()
  for round in 0..<1500 where stopwatch.seconds < 5 {
    let (sut, meeting, haveEnded) = (await make(), Meeting(), Inbox<Void>())
    // In each round, one of the threads is late by another number of turns.
    let turns = round * 37 % 400
    Thread.detachNewThread {
      first(sut, round) { meeting.arrive(round % 2 == 0 ? turns : 0) }
      haveEnded.receive(())
    }
    Thread.detachNewThread {
      second(sut) { meeting.arrive(round % 2 == 1 ? turns : 0) }
      haveEnded.receive(())
    }
    guard await haveEnded.receives(2) else {
      Issue.record(SharedDecorator.stuck)
      return
    }
    guard await isRight(sut) else { return }
  }
}

/// A moment at which two threads meet.
private final class Meeting: Sendable {
  private let arrivals = Atomic(0)

  /// Waits for the other thread, and then for a number of turns. If the other one is held back, or never comes, the wait ends after
  /// a moment.
  func arrive(_ turns: Int) {
    arrivals.add(1, ordering: .sequentiallyConsistent)
    var turnsLeft = 1_000_000
    while arrivals.load(ordering: .sequentiallyConsistent) < 2, turnsLeft > 0 { turnsLeft -= 1 }
    for _ in 0..<turns { _ = arrivals.load(ordering: .sequentiallyConsistent) }
  }
}
