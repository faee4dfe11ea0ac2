import Given
import TestSupport
import Testing

import class Given.Locked
import class TestSupport.ManualClock
import struct TestSupport.Running
import enum TestSupport.SampleError

@testable import Exercise9

@Suite("Step 2: one refresh", .oneAtATime)
struct Step2OneRefresh {
  @Test("expired credentials are refreshed and stored, then returned")
  func refreshes() async throws {
    let (store, refresher) = (CredentialsStoreSpy(.valid(for: 0)), AsyncCredentialsRefresherSpy())
    let sut = CredentialsProvider(store: store, refresher: refresher, now: { ManualClock().date })

    let caller = Running { try await sut.credentials() }
    await refresher.calls.receives(1)
    #expect(refresher.calls.arguments == ["refresh-1"], "At `expiresAt` or later, call the refresher once.")
    refresher.calls.complete(with: .success(.renewed))
    let credentials = try await caller.outcome().expectSuccess("The refresh has succeeded. Return the new credentials.")

    #expect(credentials == .renewed, "The refresh has succeeded. Return the new credentials.")
    #expect(store.writes.values == [.renewed], "Store the new credentials, and then return them.")
  }

  @Test("if no one is signed in, `signedOut` is thrown")
  func needsCredentials() async {
    await story(RefreshWorld(isSignedIn: false), "If the store holds no credentials, throw `HTTPClientError.signedOut`.") {
      await $0.call(leadsToAllOf: ["caller 1 receives signedOut"])
    }
  }

  @Test("valid credentials are returned without a refresh")
  func returnsValidCredentials() async {
    await story(RefreshWorld(lifetime: 60), "Until `now() >= expiresAt`, return the stored credentials.") {
      await $0.advance(by: 59.75)
      await $0.call(leadsToAllOf: ["caller 1 receives ada-1"])
    }
  }

  @Test("fifty simultaneous callers share one refresh")
  func sharesTheRefresh() async throws {
    let (refresher, store, queue) = (AsyncCredentialsRefresherSpy(), CredentialsStoreSpy(.expired), OneQueue())
    let sut = CredentialsProvider(store: store, refresher: refresher, now: { ManualClock().date })

    // All callers run on one queue. When it has nothing left to do, each of them has come as far as it can.
    let callers = (1...50).map { _ in Running(on: queue) { try await sut.credentials() } }
    await queue.settled()
    await refresher.calls.receives(1)
    await queue.settled()
    #expect(
      refresher.calls.count == 1,
      "Fifty callers found expired credentials. The refresher should be called once: what should the other callers find?")
    refresher.calls.completesEachCall(with: .success(.renewed))
    var results: [Credentials] = []
    for caller in callers {
      results.append(try await caller.outcome().expectSuccess("The refresh succeeded, so each caller should get credentials."))
    }

    #expect(store.writes.values == [.renewed], "The new credentials should be stored once.")
    #expect(results.allSatisfy { $0 == .renewed }, "Each caller should get the new credentials.")
  }

  @Test("if the refresh fails, each waiting caller gets the error")
  func failsForAll() async {
    await each("error", in: SampleError.allCases) { trouble in
      let error = trouble.isRefusal ? "sessionExpired" : trouble.inWords
      await story(
        RefreshWorld(),
        "If the refresh fails, every waiting caller should fail with the same error, without another refresh: `sessionExpired` if it is refused, and otherwise the refresher's error. The store stays unchanged."
      ) {
        await $0.call(2, leadsToAllOf: ["a refresh with ada-1-refresh starts"])
        await $0.refreshFails(
          "ada-1-refresh", with: trouble, leadsToAllOf: ["caller 1 receives \(error)", "caller 2 receives \(error)"])
      }
    }
  }

  @Test("no caller joins a refresh that has ended")
  func refreshesAgain() async {
    await story(
      RefreshWorld(),
      "Callers share a refresh only until it ends, however it ends. Later callers read the store again. If what it holds has expired, they start another refresh."
    ) {
      await $0.call(leadsToAllOf: ["a refresh with ada-1-refresh starts"])
      await $0.refreshFails("ada-1-refresh", with: .offline, leadsToAllOf: ["caller 1 receives URLError -1009"])
      await $0.call(leadsToAllOf: ["a refresh with ada-1-refresh starts"])
      await $0.refreshSucceeds(
        "ada-1-refresh", keepingRefreshToken: true, leadsToAllOf: ["ada-2 is stored", "caller 2 receives ada-2"])
      await $0.advance(by: 900)
      await $0.call(leadsToAllOf: ["a refresh with ada-1-refresh starts"])
      await $0.refreshSucceeds("ada-1-refresh", leadsToAllOf: ["ada-3 is stored", "caller 3 receives ada-3"])
    }
  }

  @Test("new credentials that have expired are returned once, and then refreshed")
  func refreshesWhatHasExpired() async throws {
    let (store, refresher) = (CredentialsStoreSpy(.expired), AsyncCredentialsRefresherSpy())
    let sut = CredentialsProvider(store: store, refresher: refresher, now: { ManualClock().date })
    var expired = Credentials.renewed
    expired.expiresAt = ManualClock().date

    let first = Running { try await sut.credentials() }
    await refresher.calls.receives(1)
    refresher.calls.complete(0, with: .success(expired))
    let returned = try await first.outcome().expectSuccess("Return the new credentials, even if they have expired, too.")
    #expect(returned == expired, "Return the new credentials, even if they have expired, too.")

    let second = Running { try await sut.credentials() }
    await refresher.calls.receives(2)
    #expect(
      refresher.calls.arguments == ["refresh-1", "refresh-2"],
      "The store holds credentials that have expired, although their refresh has just ended. Compare `now()` with `expiresAt` for each caller."
    )
    guard refresher.calls.count == 2 else { return }
    refresher.calls.complete(1, with: .success(.renewed))
    let next = try await second.outcome().expectSuccess("Refresh what has expired, and return the new credentials.")
    #expect(next == .renewed, "Refresh what has expired, and return the new credentials.")
  }

  @Test("after a failed refresh, the next call starts a new refresh")
  func endsBeforeItsCallersContinue() async throws {
    // With a race, a few attempts pass by luck.
    for _ in 1...10 {
      let (refresher, store) = (AsyncCredentialsRefresherSpy(), CredentialsStoreSpy(.expired))
      let sut = CredentialsProvider(store: store, refresher: refresher, now: { ManualClock().date })

      let callers = (1...2).map { _ in
        Running {
          do { return try await sut.credentials() } catch { return try await sut.credentials() }
        }
      }
      await refresher.calls.receives(1)
      await store.reads.receives(2)
      refresher.calls.complete(0, with: .failure(URLError(.timedOut)))
      await refresher.calls.receives(2)
      if refresher.calls.count == 2 { refresher.calls.complete(1, with: .success(.renewed)) }

      let rule = """
        A refresh failed, both callers called again, and one of them got the old failure. When a refresh ends, forget it before any \
        caller continues.
        """
      for caller in callers { _ = try await caller.outcome().expectSuccess(rule) }
    }
  }

  @Test("a canceled caller does not cancel a refresh that others wait for")
  func survivesACancellation() async {
    await each("canceled caller", in: 1...3) { canceled in
      await story(
        RefreshWorld(), "The refresh belongs to all its callers. Run it in a task that no caller's cancellation reaches."
      ) {
        await $0.call(3, leadsToAllOf: ["a refresh with ada-1-refresh starts"])
        await $0.cancel(canceled)
        let others = (1...3).filter { $0 != canceled }.map { "caller \($0) receives ada-2" }
        await $0.refreshSucceeds(
          "ada-1-refresh", leadsToAllOf: ["ada-2 is stored", "caller \(canceled) ends", others[0], others[1]])
      }
    }
  }

  @Test("a refresh goes on after its only caller is canceled")
  func goesOnWithoutCallers() async {
    await story(
      RefreshWorld(),
      "The server may already have replaced the refresh token. Let the refresh go on without callers, and store what it obtains."
    ) {
      await $0.call(leadsToAllOf: ["a refresh with ada-1-refresh starts"])
      await $0.cancel(1)
      await $0.call()
      await $0.refreshSucceeds("ada-1-refresh", leadsToAllOf: ["ada-2 is stored", "caller 1 ends", "caller 2 receives ada-2"])
    }
  }

  @Test("no refresh starts if another caller's refresh has just replaced the credentials")
  func leavesNoGapAfterTheRefresh() async throws {
    try await inManyRounds {
      let race = RefreshRace()
      race.refresher.calls.completesEachCall(with: .success(.renewed))
      race.interruption.during(.read) {
        onAnotherThread {
          race.call()
          for _ in 1...100 where race.store.stored == .expired { usleep(200) }
        }
      }
      _ = await returns { race.call() }

      return try await race.expectOneRefresh(
        """
        After the store had been read for one caller, another one called, and its refresh succeeded. The first caller must not refresh \
        the old credentials again. Read the store and look for a refresh without letting another thread in between.
        """)
    }
  }

  @Test("a refresh that ends while callers arrive serves them all")
  func leavesNoGapAtTheEnd() async throws {
    try await inManyRounds {
      let race = RefreshRace()
      race.call()
      guard await race.refreshBegins() else { return false }
      race.interruption.during(.read) {
        onAnotherThread {
          race.refresher.calls.completesEachCall(with: .success(.renewed))
          for _ in 1...100 where race.store.stored == .expired { usleep(200) }
        }
        onAnotherThread { race.call() }
      }
      race.call()

      return try await race.expectOneRefresh(
        """
        After the store had been read for a second caller, the refresh ended, and a third caller arrived. All three should get the new \
        credentials, after one refresh. Look for a refresh and join it in one step, and end it in one step.
        """)
    }
  }

  @Test("a caller that arrives while credentials are being stored starts no refresh")
  func leavesNoGapWhileStoring() async throws {
    try await inManyRounds {
      let race = RefreshRace()
      race.refresher.calls.completesEachCall(with: .success(.renewed))
      race.interruption.during(.write) { onAnotherThread { race.call() } }
      race.call()

      return try await race.expectOneRefresh(
        """
        A second caller arrived while the new credentials were being stored, and the old ones were refreshed again. Forget the refresh \
        when you have stored its result, or in the same step: without an `await`, and with the same lock, if you have one.
        """)
    }
  }

  @Test("two callers at almost the same moment start one refresh")
  func startsOneRefresh() async throws {
    try await race(
      in: { RefreshRace() },
      first: { race, round, arrive in
        if round % 4 < 2 { arrive() } else { race.interruption.during(.check, arrive) }
        race.call()
      },
      second: { race, arrive in
        arrive()
        race.call()
      },
      isRight: {
        try await $0.expectOneRefresh(
          """
          Two threads called `credentials()` at almost the same moment. One should start a refresh, and the other should wait for it. \
          Look for a refresh and remember the new one in one step: without an `await`, and without releasing a lock in between.
          """)
      }, stuck: RefreshRace.stuck)
  }

  @Test("a caller that arrives when the refresh ends gets credentials")
  func losesNoCaller() async throws {
    try await race(
      in: {
        let race = RefreshRace()
        race.call()
        return await race.refreshBegins() ? race : nil
      },
      first: { race, _, arrive in
        arrive()
        race.refresher.calls.completesEachCall(with: .success(.renewed))
      },
      second: { race, arrive in
        arrive()
        for _ in 1...4 { race.call() }
      },
      isRight: {
        try await $0.expectOneRefresh(
          """
          A refresh ended while another thread called `credentials()` several times. Each caller should get the new credentials, and no \
          other refresh should start. Join a refresh in the step that looks for it, and end it in one step, too.
          """)
      }, stuck: RefreshRace.stuck)
  }

  @Test("the credentials provider obeys all the rules in random sequences of events")
  func tellsStories() async {
    await expectNoStoryGoesWrong(count: 400, of: RefreshWorld.randomEvents) {
      RefreshWorld(lifetime: [0, 0.3].randomElement(using: &$0)!)
    }
  }
}

/// A provider whose credentials have expired, and its callers, which are on several threads.
private final class RefreshRace: Sendable {
  static let stuck: Comment = "A call of `credentials()` blocks its thread. Another thread is in your code."

  let refresher = AsyncCredentialsRefresherSpy()
  let store: CredentialsStoreSpy
  private let sut: CredentialsProvider
  let interruption = Interruption()
  private let callers = Locked<[Running<Credentials>]>([])

  init() {
    store = interruption.store(.expired)
    sut = CredentialsProvider(store: store, refresher: refresher, now: interruption.now)
  }

  /// Calls `credentials()`, and returns when that call is suspended.
  func call() {
    let thread = CurrentThread()
    let caller = Running(on: thread) { [sut] in try await sut.credentials() }
    callers.withLock { $0.append(caller) }
    thread.runsUntilSuspended()
  }

  func refreshBegins() async -> Bool {
    let hasBegun = await refresher.calls.receives(1)
    #expect(hasBegun, "The stored credentials have expired, and there is a caller, but the refresher has not been called.")
    return hasBegun
  }

  func expectOneRefresh(_ rule: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Bool {
    await refresher.calls.receives(1)
    refresher.calls.completesEachCall(with: .success(.renewed))
    var renewed = 0
    let callers = callers.withLock { $0 }
    for caller in callers {
      let outcome = try await caller.outcome("\(rule) Observed: a caller got nothing.", sourceLocation: sourceLocation)
      if (try? outcome.get()) == .renewed { renewed += 1 }
    }
    let isRight = refresher.calls.count == 1 && renewed == callers.count
    #expect(
      isRight,
      "\(rule) Observed: refreshes: \(refresher.calls.count); callers that got the new credentials: \(renewed) of \(callers.count).",
      sourceLocation: sourceLocation)
    return isRight
  }
}

/// Runs a task on the current thread until it is suspended, and later on a queue.
private final class CurrentThread: TaskExecutor {
  /// One queue for all tasks: thousands of tasks are resumed at almost the same moment, and each busy queue needs a thread.
  private static let queue = DispatchQueue.newBackgroundQueue

  private let state = Locked<(jobs: [UnownedJob], isOver: Bool)>(([], false))

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isLater = state.withLock { state in
      if !state.isOver { state.jobs.append(job) }
      return state.isOver
    }
    if isLater { Self.queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
  }

  func runsUntilSuspended() {
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func next() -> UnownedJob? {
    state.withLock { state in
      state.isOver = state.jobs.isEmpty
      return state.isOver ? nil : state.jobs.removeFirst()
    }
  }
}
