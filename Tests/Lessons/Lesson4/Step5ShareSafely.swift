import Given
import TestSupport
import Testing

import class Given.Locked
import enum TestSupport.BackgroundQueue
import class TestSupport.ClosureClient
import class TestSupport.HTTPClientSpy
import typealias TestSupport.HTTPResult
import class TestSupport.Inbox
import class TestSupport.ManualClock
import enum TestSupport.Trouble

@preconcurrency @testable import Exercise4

@Suite("Step 5: share it safely (extra)", .oneAtATime)
struct Step5ShareSafely {
  @Test("fifty simultaneous requests share one refresh")
  func areSafeFromManyThreads() async {
    for _ in 1...75 {
      let traffic = Traffic()
      traffic.interruption.during(.check) { meanwhile { for number in 2...50 { traffic.load("\(number)") } } }
      await traffic.loadsOnAnotherThread("1")
      await traffic.endRefresh()

      let isRight = await traffic.expectOneRefresh(
        for: 50,
        """
        While one thread checked whether the credentials had expired, another one loaded forty-nine more requests. One of the fifty \
        should start a refresh, and the others should join it. Protect your state with a lock, a queue, or an actor.
        """)
      guard isRight else { return }
    }
  }

  @Test("no refresh starts if another request's refresh has just replaced the credentials")
  func leavesNoGapAfterTheRefresh() async {
    for _ in 1...75 {
      let traffic = Traffic(refreshing: .success(.renewed))
      traffic.interruption.during(.read) { meanwhile { traffic.load("second") } }
      await traffic.loadsOnAnotherThread("first")

      let isRight = await traffic.expectOneRefresh(
        for: 2,
        """
        After the store had been read for one request, another thread loaded a second one, and its refresh succeeded. The first request \
        must not refresh the old credentials again. Reading the store and looking for a refresh must be one step.
        """)
      guard isRight else { return }
    }
  }

  @Test("a refresh that ends while requests arrive serves them all")
  func leavesNoGapAtTheEnd() async {
    for _ in 1...75 {
      let traffic = Traffic()
      traffic.load("first")
      guard await traffic.refreshBegins() else { return }
      traffic.interruption.during(.read) {
        meanwhile { traffic.refresher.calls.complete(with: .success(.renewed)) }
        meanwhile { traffic.load("third") }
      }
      await traffic.loadsOnAnotherThread("second")

      let isRight = await traffic.expectOneRefresh(
        for: 3,
        """
        After the store had been read for a second request, another thread ended the refresh, and a third request arrived. All three \
        should be sent, after one refresh. Look for a refresh and join its list in one step, and end a refresh in one step. Hold the \
        same lock in both.
        """)
      guard isRight else { return }
    }
  }

  @Test("a request that arrives while credentials are being stored starts no refresh")
  func leavesNoGapWhileStoring() async {
    for _ in 1...75 {
      let traffic = Traffic(refreshing: .success(.renewed))
      traffic.interruption.during(.write) { meanwhile { traffic.load("second") } }
      await traffic.loadsOnAnotherThread("first")

      let isRight = await traffic.expectOneRefresh(
        for: 2,
        """
        A second request arrived on another thread while the new credentials were being stored. It must not refresh the old ones again. \
        Store the new ones before you empty the list of waiting requests, or in the same step.
        """)
      guard isRight else { return }
    }
  }

  @Test("two requests at almost the same moment start one refresh")
  func startsOneRefresh() async {
    await Traffic.expectOneRefreshInEachRound(
      for: 2,
      """
      Two threads called `load` at almost the same moment. One request should start a refresh, and the other should join it. Decide in \
      one step: don't release the lock between looking for a refresh and changing the list.
      """,
      first: { traffic, round, meeting in
        if round % 4 < 2 { meeting.come(0) } else { traffic.interruption.during(.check) { meeting.come(0) } }
        traffic.load("first")
      },
      second: { traffic, _, meeting in
        meeting.come(1)
        traffic.load("second")
      })
  }

  @Test("a request that arrives when the refresh ends is not lost")
  func losesNoRequest() async {
    await Traffic.expectOneRefreshInEachRound(
      for: 5, startingWith: "1",
      """
      One thread ended the refresh, and another one loaded four more requests. Each request should be sent once. Join the list in the \
      step that looks for a refresh, and empty the list in the step that ends it.
      """,
      first: { traffic, _, meeting in
        meeting.come(0)
        traffic.refresher.calls.complete(with: .success(.renewed))
      },
      second: { traffic, _, meeting in
        meeting.come(1)
        for number in 2...5 { traffic.load("\(number)") }
      })
  }

  @Test("the refresher and the decoratee can call the decorator without a deadlock")
  func mayBeCalledBack() async {
    await each("collaborator", in: ["refresher", "decoratee"]) { collaborator in
      let owner = Locked<RefreshCredentialsHTTPClientDecorator?>(nil)
      let results = Inbox<String>()
      // The collaborator calls back once: a refresher that did so on every call would never end if each request refreshes.
      let callBack = { (caller: String) in
        guard caller == collaborator else { return }
        let sut = owner.withLock { owner in
          defer { owner = nil }
          return owner
        }
        sut?.load(.named("second")) { _ in results.receive("second") }
        meanwhile(for: 10) { sut?.load(.named("third")) { _ in results.receive("third") } }
      }
      let sut = makeSUT(
        decoratee: ClosureClient { request, completion in
          callBack("decoratee")
          completion(.status(200))
        },
        refresher: CredentialsRefresherSpy(responding: { _ in
          callBack("refresher")
          results.receive("refresh")
          return .success(.renewed)
        }))
      owner.withLock { $0 = sut }

      await finished(
        on: .newBackgroundQueue,
        "`load` never returned. The \(collaborator) loaded a second request, and another thread a third one: hold no lock while you call the \(collaborator)."
      ) {
        sut.load(.named("first")) { _ in results.receive("first") }
      }

      await results.receives(4)
      #expect(
        results.values.sorted() == ["first", "refresh", "second", "third"],
        "Two more requests were loaded during the call to the \(collaborator). Each of the three needs one result, and they should share one refresh."
      )
    }
  }

  @Test("unchanged: a completion can call `load` again")
  func servesCallersThatComeBack() async {
    await each("credentials", in: [nil, Credentials.valid, .expired]) { (credentials: Credentials?) in
      let results = Inbox<HTTPResult>()
      let sut = makeSUT(
        decoratee: ClosureClient { $1(.status(200)) }, store: CredentialsStoreSpy(credentials),
        refresher: CredentialsRefresherSpy(responding: { _ in .success(.renewed) }))

      await finished(
        on: .newBackgroundQueue,
        "`load` never returned. The completion loaded a second request, and another thread a third one: hold no lock while you call a completion."
      ) {
        sut.load(.named("first")) { _ in
          sut.load(.named("second"), completion: results.receive)
          meanwhile(for: 10) { sut.load(.named("third"), completion: results.receive) }
        }
      }

      let areComplete = await results.receives(2)
      #expect(
        areComplete,
        "During a completion, two more requests were loaded, and one of them got no result. Hold no lock while you call a completion."
      )
    }
  }

  @Test("all waiting requests are sent, even if a completion releases the decorator")
  func outlivesItsOwner() async {
    let (refresher, gate, results) = (CredentialsRefresherSpy(), DispatchSemaphore(value: 0), Inbox<String>())
    let owner = Locked<RefreshCredentialsHTTPClientDecorator?>(
      makeSUT(
        decoratee: ClosureClient { request, completion in
          if request.url?.lastPathComponent == "a" { _ = gate.wait(timeout: .now() + 0.5) }
          completion(.status(200))
        }, refresher: refresher))

    for name in ["a", "b", "c"] {
      owner.withLock { $0 }?.load(.named(name)) { _ in
        owner.withLock { $0 = nil }
        results.receive(name)
      }
      // As shipped, the first result releases the decorator here.
      if owner.withLock({ $0 == nil }) { break }
    }
    guard await refresher.calls.receives(1) else {
      Issue.record("The stored credentials have expired, and three requests have arrived, but no refresh has started.")
      return
    }
    // On the queue of the refresher, the first request may be sent before `complete` returns. Then the gate opens by itself.
    _ = await returns(on: BackgroundQueue.serial.queue) {
      refresher.calls.complete(with: .success(.renewed))
      gate.signal()
    }

    await results.receives(3)
    #expect(
      results.values.sorted() == ["a", "b", "c"],
      "The first completion released the decorator. The other waiting requests still need their results. If a closure captures `self` weakly, they can get lost."
    )
  }
}

/// A decorator whose credentials have expired, and everything that it uses. Each request that is sent fails.
private final class Traffic: @unchecked Sendable {
  let client = HTTPClientSpy(responding: { _ in .failure(Trouble.offline.error) })
  let refresher: CredentialsRefresherSpy
  private let sut: RefreshCredentialsHTTPClientDecorator
  let interruption = Interruption()

  init(refreshing result: Result<Credentials, any Error>? = nil) {
    refresher = CredentialsRefresherSpy(responding: { _ in result })
    sut = makeSUT(
      decoratee: client,
      store: CredentialsStoreSpy(
        .expired, afterRead: { [interruption] in interruption.reach(.read) },
        beforeWrite: { [interruption] _ in interruption.reach(.write) }),
      refresher: refresher,
      now: { [interruption] in
        interruption.reach(.check)
        return ManualClock().date
      })
  }

  func load(_ name: String) {
    sut.load(.named(name)) { _ in }
  }

  func loadsOnAnotherThread(_ name: String) async {
    let hasReturned = await returns { self.load(name) }
    #expect(hasReturned, "`load` should return without delay. Two threads have called it, and one of them is stuck in it.")
  }

  func refreshBegins() async -> Bool {
    let hasBegun = await refresher.calls.receives(1)
    #expect(hasBegun, "The stored credentials have expired, and a request has arrived, but no refresh has started.")
    return hasBegun
  }

  func endRefresh() async {
    await refresher.calls.receives(1)
    if !refresher.calls.unfinished.isEmpty { refresher.calls.complete(with: .success(.renewed)) }
  }

  func expectOneRefresh(
    for count: Int, _ rule: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> Bool {
    await client.calls.receives(count)
    let requests = client.requests
    let names = Set(requests.filter { $0.sentToken == "new-token" }.map(\.url))
    let isRight = refresher.calls.count == 1 && names.count == count && requests.count == count
    #expect(
      isRight,
      "\(rule) Observed: refreshes: \(refresher.calls.count); requests that were sent with the new token: \(names.count) of \(count).",
      sourceLocation: sourceLocation)
    return isRight
  }

  static func expectOneRefreshInEachRound(
    for count: Int, startingWith name: String? = nil, _ rule: String,
    first: @escaping (Traffic, Int, Meeting) -> Void, second: @escaping (Traffic, Int, Meeting) -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let end = DispatchTime.now() + 5
    // A decorator may have a thread of its own, so there are never many decorators.
    for start in stride(from: 0, to: 1500, by: 50) where DispatchTime.now() < end {
      let all = (1...50).map { _ in Traffic() }
      if let name {
        for traffic in all {
          traffic.load(name)
          guard await traffic.refreshBegins() else { return }
        }
      }
      let rounds = await meet(
        all.count, after: start, first: { first(all[$0], $0, $1) }, second: { second(all[$0], $0, $1) })
      guard let rounds else {
        Issue.record(
          "A call of `load` or of the refresher's completion has not returned. Two threads are in your code.",
          sourceLocation: sourceLocation)
        return
      }
      for traffic in all.prefix(rounds) {
        await traffic.endRefresh()
        guard await traffic.expectOneRefresh(for: count, rule, sourceLocation: sourceLocation) else { return }
      }
    }
  }
}
