import Given
import TestSupport
import Testing

import class Given.Locked
import class TestSupport.ClosureClient
import class TestSupport.HTTPClientSpy
import typealias TestSupport.HTTPResult
import class TestSupport.Inbox
import class TestSupport.ManualClock
import enum TestSupport.SampleError

@preconcurrency @testable import Exercise4

@Suite("Step 5: share it safely (extra)", .oneAtATime)
struct Step5ShareSafely {
  @Test("fifty simultaneous requests share one refresh")
  func areSafeFromManyThreads() async {
    await inManyRounds {
      let race = RefreshRace()
      race.interruption.during(.check) { onAnotherThread { for number in 2...50 { race.load("\(number)") } } }
      await race.loadsOnAnotherThread("1")
      await race.endRefresh()

      return await race.expectOneRefresh(
        for: 50,
        """
        While one thread checked whether the credentials had expired, another one loaded forty-nine more requests. One of the fifty \
        should start a refresh, and the others should join it. Protect your state with a lock, a queue, or an actor.
        """)
    }
  }

  @Test("no refresh starts if another request's refresh has just replaced the credentials")
  func leavesNoGapAfterTheRefresh() async {
    await inManyRounds {
      let race = RefreshRace(refreshing: .success(.renewed))
      race.interruption.during(.read) { onAnotherThread { race.load("second") } }
      await race.loadsOnAnotherThread("first")

      return await race.expectOneRefresh(
        for: 2,
        """
        After the store had been read for one request, another thread loaded a second one, and its refresh succeeded. The first request \
        must not refresh the old credentials again. Reading the store and looking for a refresh must be one step.
        """)
    }
  }

  @Test("a refresh that ends while requests arrive serves them all")
  func leavesNoGapAtTheEnd() async {
    await inManyRounds {
      let race = RefreshRace()
      race.load("first")
      guard await race.refreshBegins() else { return false }
      race.interruption.during(.read) {
        onAnotherThread { race.refresher.calls.complete(with: .success(.renewed)) }
        onAnotherThread { race.load("third") }
      }
      await race.loadsOnAnotherThread("second")

      return await race.expectOneRefresh(
        for: 3,
        """
        After the store had been read for a second request, another thread ended the refresh, and a third request arrived. All three \
        should be sent, after one refresh. Look for a refresh and join its list in one step, and end a refresh in one step. Hold the \
        same lock in both.
        """)
    }
  }

  @Test("a request that arrives while credentials are being stored starts no refresh")
  func leavesNoGapWhileStoring() async {
    await inManyRounds {
      let race = RefreshRace(refreshing: .success(.renewed))
      race.interruption.during(.write) { onAnotherThread { race.load("second") } }
      await race.loadsOnAnotherThread("first")

      return await race.expectOneRefresh(
        for: 2,
        """
        A second request arrived on another thread while the new credentials were being stored. It must not refresh the old ones again. \
        Store the new ones before you empty the list of waiting requests, or in the same step.
        """)
    }
  }

  @Test("two requests at almost the same moment start one refresh")
  func startsOneRefresh() async {
    await race(
      in: { RefreshRace() },
      first: { race, round, arrive in
        if round % 4 < 2 { arrive() } else { race.interruption.during(.check, arrive) }
        race.load("first")
      },
      second: { race, arrive in
        arrive()
        race.load("second")
      },
      isRight: {
        await $0.endRefresh()
        return await $0.expectOneRefresh(
          for: 2,
          """
          Two threads called `load` at almost the same moment. One request should start a refresh, and the other should join it. Decide \
          in one step: don't release the lock between looking for a refresh and changing the list.
          """)
      }, stuck: RefreshRace.stuck)
  }

  @Test("a request that arrives when the refresh ends is not lost")
  func losesNoRequest() async {
    await race(
      in: {
        let race = RefreshRace()
        race.load("1")
        return await race.refreshBegins() ? race : nil
      },
      first: { race, _, arrive in
        arrive()
        race.refresher.calls.complete(with: .success(.renewed))
      },
      second: { race, arrive in
        arrive()
        for number in 2...5 { race.load("\(number)") }
      },
      isRight: {
        await $0.endRefresh()
        return await $0.expectOneRefresh(
          for: 5,
          """
          One thread ended the refresh, and another one loaded four more requests. Each request should be sent once. Join the list in \
          the step that looks for a refresh, and empty the list in the step that ends it.
          """)
      }, stuck: RefreshRace.stuck)
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
        onAnotherThread(for: 10) { sut?.load(.named("third")) { _ in results.receive("third") } }
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

      let hasReturned = await returns {
        sut.load(.named("first")) { _ in results.receive("first") }
      }
      #expect(
        hasReturned,
        "`load` never returned. The \(collaborator) loaded a second request, and another thread a third one: hold no lock while you call the \(collaborator)."
      )

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

      let hasReturned = await returns {
        sut.load(.named("first")) { _ in
          sut.load(.named("second"), completion: results.receive)
          onAnotherThread(for: 10) { sut.load(.named("third"), completion: results.receive) }
        }
      }
      #expect(
        hasReturned,
        "`load` never returned. The completion loaded a second request, and another thread a third one: hold no lock while you call a completion."
      )

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
    _ = await returns {
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
private final class RefreshRace: @unchecked Sendable {
  static let stuck: Comment = "A call of `load` or of the refresher's completion has not returned. Two threads are in your code."

  let client = HTTPClientSpy(responding: { _ in .failure(SampleError.offline.error) })
  let refresher: CredentialsRefresherSpy
  private let sut: RefreshCredentialsHTTPClientDecorator
  let interruption = Interruption()

  init(refreshing result: Result<Credentials, any Error>? = nil) {
    refresher = CredentialsRefresherSpy(responding: { _ in result })
    sut = makeSUT(decoratee: client, store: interruption.store(.expired), refresher: refresher, now: interruption.now)
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
}
