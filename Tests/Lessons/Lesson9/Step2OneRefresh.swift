import Given
import TestSupport
import Testing

import class Given.Locked

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
  func needsCredentials() async throws {
    let refresher = AsyncCredentialsRefresherSpy()
    let sut = CredentialsProvider(store: CredentialsStoreSpy(nil), refresher: refresher, now: { ManualClock().date })

    let outcome = try await Running { try await sut.credentials() }.outcome()

    outcome.expectFailure(HTTPClientError.signedOut, "If the store holds no credentials, throw `HTTPClientError.signedOut`.")
    #expect(refresher.calls.count == 0, "Without credentials, there is nothing to refresh.")
  }

  @Test("valid credentials are returned without a refresh")
  func returnsValidCredentials() async throws {
    let (refresher, credentials) = (AsyncCredentialsRefresherSpy(), Credentials.valid(for: 60))
    let sut = CredentialsProvider(
      store: CredentialsStoreSpy(credentials), refresher: refresher, now: { ManualClock().date + 59.75 })
    let rule = "Until `now() >= expiresAt`, return the stored credentials. Read the time from `now`, not from `Date()`."

    let caller = Running { try await sut.credentials() }

    let result = try await caller.outcome("\(rule) Nothing was returned.").expectSuccess(rule)
    #expect(result == credentials && refresher.calls.count == 0, Comment(rawValue: rule))
  }

  @Test("fifty simultaneous callers share one refresh")
  func sharesTheRefresh() async throws {
    let callers = Callers()

    for _ in 1...50 { callers.call() }

    _ = try await callers.expectOneRefresh(
      "Fifty callers found expired credentials. The refresher should be called once: what should the other callers find?")
    #expect(callers.store.writes.values == [.renewed], "The new credentials should be stored once.")
  }

  @Test("if the refresh fails, each waiting caller gets the error")
  func failsForAll() async throws {
    try await each("error", in: SampleError.allCases) { trouble in
      let callers = Callers()

      let calls = [callers.call(), callers.call()]
      guard await callers.refreshBegins() else { return }
      await tasksSettled()
      callers.refresher.calls.complete(0, with: .failure(trouble.error))

      for call in calls {
        let error = try await call.outcome().failure
        #expect(
          error?.isSame(as: trouble.isRefusal ? HTTPClientError.sessionExpired : trouble.error) == true,
          "If the refresh fails, every waiting caller should fail: with `sessionExpired` if it is refused, and otherwise with the refresher's error."
        )
      }
      #expect(callers.refresher.calls.count == 1, "Both callers waited for the refresh that has failed. Don't start another one.")
      #expect(callers.store.writes.values.isEmpty, "If the refresh fails, leave the store alone.")
    }
  }

  @Test("no caller joins a refresh that has ended")
  func refreshesAgain() async throws {
    let (store, refresher, clock) = (CredentialsStoreSpy(.expired), AsyncCredentialsRefresherSpy(), ManualClock())
    let sut = CredentialsProvider(store: store, refresher: refresher, now: { clock.date })
    let ends: [Result<Credentials, any Error>] = [
      .failure(URLError(.notConnectedToInternet)),
      // The refresh token stays the same, so the next refresh looks like this one.
      .success(Credentials(accessToken: "second", refreshToken: "refresh-1", expiresAt: clock.date + 900)),
      .success(Credentials(accessToken: "third", refreshToken: "refresh-2", expiresAt: clock.date + 1800)),
    ]

    for (number, end) in ends.enumerated() {
      let caller = Running { try await sut.credentials() }
      await refresher.calls.receives(number + 1)
      #expect(
        refresher.calls.arguments == Array(repeating: "refresh-1", count: number + 1),
        "Callers share a refresh only until it ends, however it ends. Later callers read the store again. If what it holds has expired, they start another refresh."
      )
      guard refresher.calls.count == number + 1 else { return }
      refresher.calls.complete(number, with: end)
      let result = try await caller.outcome()
      #expect((try? result.get()) == (try? end.get()), "Each caller gets the result of the refresh that it waits for.")
      clock.advance(by: 900)
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

  @Test("after a failed refresh, a caller that tries again starts another")
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

  @Test("after a failed refresh, a caller in no hurry starts another, too")
  func endsBeforeAnyCallerContinues() async throws {
    // With a race, a few attempts pass by luck.
    try await each("attempt", in: 1...20) { _ in
      let (refresher, store) = (AsyncCredentialsRefresherSpy(), CredentialsStoreSpy(.expired))
      let sut = CredentialsProvider(store: store, refresher: refresher, now: { ManualClock().date })

      let caller = Task(priority: .utility) {
        _ = try? await sut.credentials()
        return try await sut.credentials()
      }
      // Somebody waits for the caller, which makes its task more urgent, and the refresh, too.
      let screen = Running { try await caller.value }
      await refresher.calls.receives(1)
      refresher.calls.complete(0, with: .failure(URLError(.timedOut)))
      await refresher.calls.receives(2)
      if refresher.calls.count == 2 { refresher.calls.complete(1, with: .success(.renewed)) }

      _ = try await screen.outcome().expectSuccess(
        "A refresh failed, its caller called again, and got the old failure. When a refresh ends, forget it before any caller continues."
      )
    }
  }

  @Test("if the user leaves during a refresh, its callers get `signedOut`")
  func endsWithTheUser() async throws {
    let ends: KeyValuePairs<String, Result<Credentials, any Error>> = [
      "succeeds": .success(.renewed), "is refused": .failure(TokenEndpoint.Refused()), "fails": .failure(URLError(.timedOut)),
    ]
    try await each("stored by then", in: [nil, Credentials.grace], "the refresh", in: ends.map(\.key)) { next, end in
      let (store, refresher) = (CredentialsStoreSpy(.expired), AsyncCredentialsRefresherSpy())
      let sut = CredentialsProvider(store: store, refresher: refresher, now: { ManualClock().date })

      let caller = Running { try await sut.credentials() }
      await refresher.calls.receives(1)
      store.stored = next
      refresher.calls.complete(with: ends.first { $0.key == end }!.value)
      let outcome = try await caller.outcome()

      outcome.expectFailure(
        HTTPClientError.signedOut,
        "The store no longer holds the credentials that were refreshed. However the refresh has ended, throw `signedOut`.")
      #expect(store.stored == next, "A user has left during the refresh. Store with `replace`, which checks that.")
    }
  }

  @Test("a user neither waits for another user's refresh nor shares it")
  func keepsUsersApart() async throws {
    let (store, refresher, clock) = (CredentialsStoreSpy(.expired), AsyncCredentialsRefresherSpy(), ManualClock())
    let sut = CredentialsProvider(store: store, refresher: refresher, now: { clock.date })

    let ada = Running { try await sut.credentials() }
    await refresher.calls.receives(1)
    store.stored = .grace
    let valid = try await Running { try await sut.credentials() }.outcome("Grace has valid credentials. Return them.")
    #expect((try? valid.get()) == .grace, "Grace has valid credentials. Return them, although Ada's refresh is in flight.")
    clock.advance(by: 900)
    let grace = Running { try await sut.credentials() }
    await tasksSettled { refresher.calls.count == 2 }
    refresher.calls.complete(0, with: .failure(URLError(.timedOut)))
    let left = try await ada.outcome()
    left.expectFailure(HTTPClientError.signedOut, "Ada has left. Her caller gets `signedOut`, and nothing of Grace's.")
    await refresher.calls.receives(2)
    #expect(
      refresher.calls.arguments == ["refresh-1", "grace-refresh"],
      "Grace's credentials have expired, too, and need a refresh of their own. Remember which credentials a refresh is for.")
    guard refresher.calls.count == 2 else { return }
    let another = Running { try await sut.credentials() }
    await tasksSettled()
    #expect(refresher.calls.count == 2, "Ada's refresh has ended, and Grace's is still in flight: her next caller waits for it.")
    refresher.calls.complete(1, with: .success(.renewed))

    for caller in [grace, another] {
      let renewed = try await caller.outcome().expectSuccess("Grace's refresh has succeeded. Return her new credentials.")
      #expect(renewed == .renewed, "Grace's refresh has succeeded. Return her new credentials.")
    }
  }

  @Test("two providers share nothing")
  func sharesNothing() async throws {
    let stores = [CredentialsStoreSpy(.expired), CredentialsStoreSpy(.expired)]
    let refreshers = [AsyncCredentialsRefresherSpy(), AsyncCredentialsRefresherSpy()]
    let rule = "Two providers have equal credentials. Each refreshes its own, so store nothing in a `static` variable."

    let callers = zip(stores, refreshers).map { store, refresher in
      let sut = CredentialsProvider(store: store, refresher: refresher, now: { ManualClock().date })
      return Running { try await sut.credentials() }
    }
    for refresher in refreshers {
      await refresher.calls.receives(1)
      #expect(refresher.calls.count == 1, Comment(rawValue: rule))
      refresher.calls.completesEachCall(with: .success(.renewed))
    }

    for (caller, store) in zip(callers, stores) {
      _ = try await caller.outcome().expectSuccess(rule)
      #expect(store.writes.values == [.renewed], Comment(rawValue: rule))
    }
  }

  @Test("a canceled caller does not cancel a refresh that others wait for")
  func survivesACancellation() async throws {
    try await each("canceled caller", in: 0...2) { canceled in
      let callers = Callers()
      let rule = "The refresh belongs to all its callers. Run it in a task that no caller's cancellation reaches."

      let calls = (0...2).map { _ in callers.call() }
      guard await callers.refreshBegins() else { return }
      calls[canceled].cancel()
      await tasksSettled()
      callers.refresher.calls.completesEachCall(with: .success(.renewed))

      for (number, call) in calls.enumerated() {
        let outcome = try await call.outcome()
        if number != canceled { #expect((try? outcome.get()) == .renewed, Comment(rawValue: rule)) }
      }
      #expect(callers.refresher.calls.count == 1 && callers.refresher.calls.canceled.isEmpty, Comment(rawValue: rule))
      #expect(callers.store.writes.values == [.renewed], Comment(rawValue: rule))
    }
  }

  @Test("a refresh goes on after its only caller is canceled")
  func goesOnWithoutCallers() async throws {
    try await each("later callers", in: 0...1) { count in
      let callers = Callers()
      let rule =
        "The server may already have replaced the refresh token. Let the refresh go on without callers, and store what it obtains."

      callers.call().cancel()
      guard await callers.refreshBegins() else { return }
      await tasksSettled()
      let later = (0..<count).map { _ in callers.call() }
      callers.refresher.calls.completesEachCall(with: .success(.renewed))
      await callers.store.writes.receives(1)

      #expect(callers.refresher.calls.count == 1 && callers.refresher.calls.canceled.isEmpty, Comment(rawValue: rule))
      #expect(callers.store.writes.values == [.renewed], Comment(rawValue: rule))
      for call in later {
        let credentials = try await call.outcome().expectSuccess(rule)
        #expect(credentials == .renewed, Comment(rawValue: rule))
      }
    }
  }

  @Test("no refresh starts if another caller's refresh has just replaced the credentials")
  func leavesNoGapAfterTheRefresh() async throws {
    // By luck, a mistake may stay hidden in one round.
    for _ in 1...75 {
      let race = Callers()
      race.refresher.calls.completesEachCall(with: .success(.renewed))
      race.interruption.during(.read) {
        onAnotherThread {
          race.call()
          for _ in 1...100 where race.store.stored == .expired { usleep(200) }
        }
      }
      _ = await returns { race.call() }

      let isRight = try await race.expectOneRefresh(
        """
        After the store had been read for one caller, another one called, and its refresh succeeded. The first caller must not refresh \
        the old credentials again. Read the store and look for a refresh without letting another thread in between.
        """)
      guard isRight else { return }
    }
  }

  @Test("a refresh that ends while callers arrive serves them all")
  func leavesNoGapAtTheEnd() async throws {
    // By luck, a mistake may stay hidden in one round.
    for _ in 1...75 {
      let race = Callers()
      race.call()
      guard await race.refreshBegins() else { return }
      race.interruption.during(.read) {
        onAnotherThread {
          race.refresher.calls.completesEachCall(with: .success(.renewed))
          for _ in 1...100 where race.store.stored == .expired { usleep(200) }
        }
        onAnotherThread { race.call() }
      }
      race.call()

      let isRight = try await race.expectOneRefresh(
        """
        After the store had been read for a second caller, the refresh ended, and a third caller arrived. All three should get the new \
        credentials, after one refresh. Look for a refresh and join it in one step, and end it in one step.
        """)
      guard isRight else { return }
    }
  }

  @Test("a caller that arrives while credentials are being stored starts no refresh")
  func leavesNoGapWhileStoring() async throws {
    // By luck, a mistake may stay hidden in one round.
    for _ in 1...75 {
      let race = Callers()
      race.refresher.calls.completesEachCall(with: .success(.renewed))
      race.interruption.during(.write) { onAnotherThread { race.call() } }
      race.call()

      let isRight = try await race.expectOneRefresh(
        """
        A second caller arrived while the new credentials were being stored, and the old ones were refreshed again. Forget the refresh \
        when you have stored its result, or in the same step: without an `await`, and with the same lock, if you have one.
        """)
      guard isRight else { return }
    }
  }

  @Test("the credentials provider obeys all the rules in random sequences of events")
  func playsRandomRuns() async {
    await expectNoRunGoesWrong(count: 400, of: RefreshRun.events) { RefreshRun(lifetime: $0.pick(0, 0.3)) }
  }
}

extension Credentials {
  /// The credentials of the next user, valid for 15 minutes on a new clock.
  fileprivate static let grace = Credentials(
    accessToken: "grace-token", refreshToken: "grace-refresh", expiresAt: ManualClock().date + 900)
}

/// A provider whose credentials have expired, and its callers, which may be on several threads.
private final class Callers: Sendable {
  let refresher = AsyncCredentialsRefresherSpy()
  let store: CredentialsStoreSpy
  let interruption = Interruption()
  private let sut: CredentialsProvider
  private let calls = Locked<[Running<Credentials>]>([])

  init() {
    store = interruption.store(.expired)
    sut = CredentialsProvider(store: store, refresher: refresher, now: interruption.now)
  }

  /// Calls `credentials()`, and returns when that call is suspended.
  @discardableResult
  func call() -> Running<Credentials> {
    let thread = CurrentThread()
    let call = Running(on: thread) { [sut] in try await sut.credentials() }
    calls.withLock { $0.append(call) }
    thread.runsUntilSuspended()
    return call
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
    let calls = calls.withLock { $0 }
    for call in calls {
      let outcome = try await call.outcome("\(rule) Observed: a caller got nothing.", sourceLocation: sourceLocation)
      if (try? outcome.get()) == .renewed { renewed += 1 }
    }
    let isRight = refresher.calls.count == 1 && renewed == calls.count
    #expect(
      isRight,
      "\(rule) Observed: refreshes: \(refresher.calls.count); callers that got the new credentials: \(renewed) of \(calls.count).",
      sourceLocation: sourceLocation)
    return isRight
  }
}
