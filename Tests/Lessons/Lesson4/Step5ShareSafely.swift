import Given
import TestSupport
import Testing

@testable import Exercise4

@Suite("Step 5: share it safely (extra)", .oneAtATime)
struct Step5ShareSafely {
  @Test("fifty simultaneous requests share one refresh")
  func areSafeFromManyThreads() async {
    let (client, store, refresher) = (HTTPClientSpy(), CredentialsStoreSpy(.expired), CredentialsRefresherSpy())
    let (sut, meeting) = (makeSUT(decoratee: client, store: store, refresher: refresher), Meeting())
    let allHaveReturned = await returns(on: BackgroundQueue.serial.queue) {
      DispatchQueue.concurrentPerform(iterations: 50) { number in
        meeting.come()
        sut.load(.named("\(number)")) { _ in }
      }
    }
    #expect(allHaveReturned, "`load` should return without delay. Some of the fifty simultaneous calls are stuck in it.")
    await refresher.calls.receives(1)
    await store.reads.receives(50)
    #expect(
      refresher.calls.count == 1,
      "Fifty requests arrived simultaneously. Exactly one should start the refresh. Protect your state with a lock, a queue, or an actor."
    )

    refresher.calls.complete(with: .success(.renewed))
    await client.calls.receives(50)
    #expect(
      Set(client.requests.map(\.url)).count == 50 && client.requests.count == 50,
      "Fifty different requests should be sent, once each. If some are missing, two threads have probably changed your list at the same time."
    )
    #expect(refresher.calls.count == 1, "Fifty requests arrived during one refresh. It should serve them all.")
  }

  @Test("if several requests simultaneously find expired credentials, only one refresh starts")
  func leavesNoGapBeforeTheRefresh() async {
    let (refresher, client, meeting) = (CredentialsRefresherSpy(), HTTPClientSpy(), Meeting())
    // The first thread that reads the time waits for the second one. If a lock holds the second one back, the wait is short.
    let sut = makeSUT(
      decoratee: client, refresher: refresher,
      now: {
        meeting.come()
        return ManualClock().date
      })

    let returned = Inbox<Void>()
    for name in ["first", "second"] {
      Thread.detachNewThread {
        sut.load(.named(name)) { _ in }
        returned.receive(())
      }
    }
    let bothHaveReturned = await returned.receives(2)
    meeting.end()
    #expect(bothHaveReturned, "`load` should return without delay. One of the two simultaneous calls is stuck in it.")
    await refresher.calls.receives(1)
    refresher.calls.complete(with: .success(.renewed))
    await client.calls.receives(2)

    #expect(
      refresher.calls.count == 1,
      "Two requests checked the expiry simultaneously. Exactly one refresh should follow. Checking and starting must be one step."
    )
    #expect(client.requests.count == 2, "Both simultaneous requests should be sent, once each.")
  }

  @Test("no refresh starts if another request's refresh has just replaced the credentials")
  func leavesNoGapAfterTheRefresh() async {
    let (traffic, isRead, mayReturn) = (Traffic(), Gate(), Gate())
    let isSlow = once {
      isRead.open()
      mayReturn.wait()
    }
    let sut = traffic.decorator(with: CredentialsStoreSpy(.expired, afterRead: isSlow))

    // The slow request has read the expired credentials when the quick one arrives, and continues when `load` has returned for the
    // quick one. If the slow one holds the quick one back, it continues after a moment.
    Thread.detachNewThread {
      isRead.wait(seconds: 2)
      sut.load(.named("quick")) { _ in }
      mayReturn.open()
    }
    Thread.detachNewThread { sut.load(.named("slow")) { _ in } }

    await traffic.sent.receives(2)
    #expect(
      traffic.refreshes.values.count == 1,
      """
      Only one refresh should start. A request that has read the store before a refresh ends must not refresh the old credentials \
      again. Reading the store and checking whether a refresh is running must be one step.
      """)
    #expect(
      traffic.sent.values == ["new-token", "new-token"],
      "Both requests should be sent with the new token, even if the old credentials were read for one of them.")
  }

  @Test("a request that arrives while credentials are being stored starts no refresh")
  func leavesNoGapWhileStoring() async {
    let (traffic, owner) = (Traffic(), Locked<RefreshCredentialsHTTPClientDecorator?>(nil))
    // The store writes when `load` has returned for the second request. If your lock holds that one back, the store writes
    // after a moment.
    let isSlow = once {
      let (sut, hasReturned) = (owner.withLock { $0 }, Gate())
      Thread.detachNewThread {
        sut?.load(.named("second")) { _ in }
        hasReturned.open()
      }
      hasReturned.wait()
    }
    let sut = traffic.decorator(with: CredentialsStoreSpy(.expired, beforeWrite: { _ in isSlow() }))
    owner.withLock { $0 = sut }

    Thread.detachNewThread { sut.load(.named("first")) { _ in } }

    await traffic.sent.receives(2)
    #expect(
      traffic.refreshes.values.count == 1,
      """
      Only one refresh should start. A request that arrives while the new credentials are being stored must not refresh the old \
      ones again. Store the new ones before you empty the list of waiting requests, or in the same step.
      """)
    #expect(
      traffic.sent.values == ["new-token", "new-token"],
      "Both requests should be sent with the new token, even if one of them arrived while that token was being stored.")
  }

  @Test("the refresher and the decoratee can call the decorator without a deadlock")
  func mayBeCalledBack() async {
    await each("collaborator", in: Collaborator.allCases) { collaborator in
      let owner = Locked<RefreshCredentialsHTTPClientDecorator?>(nil)
      let results = Inbox<String>()
      // The collaborator calls back once: a refresher that did so on every call would never end if each request refreshes.
      let callBack = { (caller: Collaborator) in
        guard caller == collaborator else { return }
        let sut = owner.withLock { owner in
          defer { owner = nil }
          return owner
        }
        sut?.load(.named("second")) { _ in results.receive("second") }
      }
      let sut = makeSUT(
        decoratee: ClosureClient { request, completion in
          callBack(.decoratee)
          completion(.status(200))
        },
        refresher: CredentialsRefresherSpy(responding: { _ in
          callBack(.refresher)
          results.receive("refresh")
          return .success(.renewed)
        }))
      owner.withLock { $0 = sut }

      await finished(
        on: .newBackgroundQueue,
        "`load` never returned. The \(collaborator.rawValue) called `load` again: hold no lock while you call the \(collaborator.rawValue)."
      ) {
        sut.load(.named("first")) { _ in results.receive("first") }
      }

      await results.receives(3)
      #expect(
        results.values.sorted() == ["first", "refresh", "second"],
        "The \(collaborator.rawValue) loaded a second request. Each of the two requests needs one result, and they should share one refresh."
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
        "`load` never returned. The completion called `load` again: hold no lock while you call a completion."
      ) {
        sut.load(.named("first")) { _ in sut.load(.named("second"), completion: results.receive) }
      }

      let isComplete = await results.receives(1)
      #expect(isComplete, "A completion loaded another request, which got no result. Hold no lock while you call a completion.")
    }
  }

  @Test("all waiting requests are sent, even if a completion releases the decorator")
  func outlivesItsOwner() async {
    let (refresher, gate, results) = (CredentialsRefresherSpy(), Gate(), Inbox<String>())
    let owner = Locked<RefreshCredentialsHTTPClientDecorator?>(
      makeSUT(
        decoratee: ClosureClient { request, completion in
          if request.url?.lastPathComponent == "a" { gate.wait() }
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
      gate.open()
    }

    await results.receives(3)
    #expect(
      results.values.sorted() == ["a", "b", "c"],
      "The first completion released the decorator. The other waiting requests still need their results. If a closure captures `self` weakly, they can get lost."
    )
  }
}

/// An object that may call back into the decorator.
enum Collaborator: String, CaseIterable {
  case refresher
  case decoratee
}

/// Holds the first thread that comes until a second one comes, or until a moment has passed.
private final class Meeting: Sendable {
  private let arrivals = Locked(0)
  private let gate = Gate()

  func come() {
    let number = arrivals.withLock { arrivals in
      arrivals += 1
      return arrivals
    }
    if number == 1 { gate.wait() }
    if number == 2 { gate.open() }
  }

  /// Lets the first thread continue, because no second one will come.
  func end() {
    gate.open()
  }
}

/// Records what a decorator does. Its refreshes succeed at once, and so do its requests.
private struct Traffic {
  let refreshes = Inbox<Void>()
  /// The token of each request that was sent, oldest first.
  let sent = Inbox<String?>()

  func decorator(with store: any CredentialsStore) -> RefreshCredentialsHTTPClientDecorator {
    makeSUT(
      decoratee: ClosureClient { [sent] request, completion in
        sent.receive(request.sentToken)
        completion(.status(200))
      }, store: store,
      refresher: CredentialsRefresherSpy(responding: { [refreshes] _ in
        refreshes.receive(())
        return .success(.renewed)
      }))
  }
}

/// Returns a closure that does its work at the first call only.
private func once(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
  let work = Locked<(@Sendable () -> Void)?>(work)
  return { work.withLock { $0.take() }?() }
}

/// Holds one thread until another one opens the gate, or until a moment has passed.
///
/// A correct solution may hold a lock that keeps the other thread from coming so far. Then the moment passes, and both go on.
private final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func wait(seconds: TimeInterval = 0.5) {
    _ = semaphore.wait(timeout: .now() + seconds)
  }

  func open() {
    semaphore.signal()
  }
}
