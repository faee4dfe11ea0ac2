import Given
import TestSupport
import Testing

@testable import Exercise9

@Suite("Step 3: one refresh", .patientOnce)
struct Step3OneRefresh {
  @Test("valid credentials are handed out as they are")
  func handsOutValidCredentials() async throws {
    let (sut, refresher, store, clock) = makeSUT(.valid)
    clock.advance(by: 3599)

    let credentials = try await Running { try await sut.credentials() }.outcome().expectSuccess("There are valid credentials.")

    #expect(credentials == .valid, "The credentials are good for another second: hand them out.")
    #expect(refresher.calls.count == 0, "The credentials are valid: there is nothing to refresh.")
    #expect(store.writes.isEmpty, "The credentials are valid: there is nothing to store.")
  }

  @Test("when nobody is signed in, there are none")
  func needsCredentials() async throws {
    let (sut, refresher, _, _) = makeSUT(nil)

    try await Running { try await sut.credentials() }.outcome().expectFailure(
      HTTPClientError.signedOut, "The store has no credentials: throw `HTTPClientError.signedOut`.")

    #expect(refresher.calls.count == 0, "There is nothing to refresh with.")
  }

  @Test("expired credentials are refreshed, and the new ones are in the store before they are handed out")
  func refreshes() async throws {
    let (sut, refresher, store, clock) = makeSUT(.valid)
    clock.advance(by: 3600)

    let call = Running { try await sut.credentials() }
    await refresher.calls.receives(1)
    #expect(refresher.calls.arguments == ["refresh-1"], "At `now() == expiresAt` they have expired: refresh, with their token.")
    #expect(!call.hasEnded, "Nobody gets credentials before the refresher has answered.")
    refresher.calls.complete(with: .success(.next))
    let credentials = try await call.outcome().expectSuccess("The refresher has answered.")

    #expect(credentials == .next, "Hand out what the refresher has brought.")
    #expect(store.credentials == .next, "Store what the refresher has brought.")
    #expect(store.writes.count == 1, "Store the new credentials once.")
  }

  @Test("fifty callers at the same time share one refresh")
  func sharesTheRefresh() async throws {
    let (sut, refresher, store, _) = makeSUT(.expired)

    let calls = await waitingCalls(50, of: sut, refresher)
    refresher.calls.answersEachCall(with: .success(.next))
    let outcomes = try await outcomes(of: calls)

    #expect(
      refresher.calls.count == 1,
      "An actor lets the next caller in at each `await`. Keep the task of the refresh that is under way, and wait for it.")
    #expect(store.writes.count == 1, "One refresh is stored once.")
    #expect(outcomes.filter { $0 == "next-token" }.count == 50, "The refresh has worked: everybody gets the new credentials.")
  }

  @Test("if it fails, it fails for all of them, and leaves the stored credentials")
  func failsForAll() async throws {
    let (sut, refresher, store, _) = makeSUT(.expired)

    let calls = await waitingCalls(50, of: sut, refresher)
    refresher.calls.answersEachCall(with: .failure(URLError(.timedOut)))
    let outcomes = try await outcomes(of: calls)

    #expect(refresher.calls.count == 1, "One refresh has failed. Those who waited for it do not start another.")
    #expect(
      outcomes.filter { $0 == "sessionExpired" }.count == 50,
      "There are no new credentials: everybody gets `HTTPClientError.sessionExpired`.")
    #expect(store.writes.isEmpty, "The refresh may work next time: write nothing to the store.")
    #expect(store.credentials == .expired, "The refresh may work next time: the store should still hold the credentials.")
  }

  @Test("a failed refresh is not kept: the next caller tries again")
  func triesAgain() async throws {
    let (sut, refresher, _, _) = makeSUT(.expired)

    let first = Running { try await sut.credentials() }
    await refresher.calls.receives(1)
    refresher.calls.complete(0, with: .failure(URLError(.timedOut)))
    _ = try await first.outcome()
    let second = Running { try await sut.credentials() }
    await refresher.calls.receives(2)
    refresher.calls.complete(1, with: .success(.next))

    let credentials = try await second.outcome().expectSuccess("The second refresh has worked.")
    #expect(credentials == .next, "The first refresh has failed, the second has worked.")
  }

  @Test(
    "the next expiry refreshes again, whether or not the first refresh has brought a new refresh token",
    arguments: ["refresh-2", "refresh-1"])
  func refreshesAgain(nextRefreshToken: String) async throws {
    let (sut, refresher, store, clock) = makeSUT(.expired)
    var renewed = Credentials.renewed
    renewed.refreshToken = nextRefreshToken

    let first = Running { try await sut.credentials() }
    await refresher.calls.receives(1)
    refresher.calls.complete(0, with: .success(renewed))
    _ = try await first.outcome()
    clock.advance(by: 900)
    let second = Running { try await sut.credentials() }
    await refresher.calls.receives(2)
    refresher.calls.complete(1, with: .success(.next))
    _ = try await second.outcome()

    #expect(
      refresher.calls.arguments == ["refresh-1", nextRefreshToken],
      "Each expiry is refreshed, with the refresh token that is stored by then.")
    #expect(store.credentials == .next, "The second refresh has brought the newest credentials.")
  }

  @Test("a caller that is cancelled takes nobody along", arguments: [0, 1, 49])
  func survivesACancellation(cancelled: Int) async throws {
    let (sut, refresher, _, _) = makeSUT(.expired)

    let calls = await waitingCalls(50, of: sut, refresher)
    calls[cancelled].cancel()
    refresher.calls.answersEachCall(with: .success(.next))

    let others = calls.enumerated().filter { $0.offset != cancelled }.map(\.element)
    let outcomes = try await outcomes(of: others)

    #expect(refresher.calls.cancelled.isEmpty, "The refresh belongs to all who wait: one of them must not cancel it.")
    #expect(refresher.calls.count == 1, "One refresh is enough for all of them.")
    #expect(
      outcomes.filter { $0 == "next-token" }.count == 49,
      "Only caller \(cancelled) was cancelled: all others get the new credentials.")
  }

  @Test("a user who signs out during the refresh stays signed out, whatever it brings", arguments: RefreshOutcome.allCases)
  func staysSignedOut(refresh: RefreshOutcome) async throws {
    let (sut, refresher, store, _) = makeSUT(.expired)

    let calls = await waitingCalls(2, of: sut, refresher)
    store.credentials = nil
    refresher.calls.answersEachCall(with: refresh == .succeeds ? .success(.next) : .failure(URLError(.timedOut)))
    let outcomes = try await outcomes(of: calls)

    #expect(outcomes == ["signedOut", "signedOut"], "The user has signed out meanwhile: there are no credentials to hand out.")
    #expect(store.credentials == nil, "The user has signed out meanwhile: the refresh must not bring the credentials back.")
  }

  @Test("somebody else who signs in during the refresh stays signed in")
  func respectsTheNextUser() async throws {
    let (sut, refresher, store, _) = makeSUT(.expired)
    let nextUser = Credentials(
      accessToken: "next-user", refreshToken: "next-user-refresh", expiresAt: ManualClock().date.addingTimeInterval(3600))

    let calls = await waitingCalls(2, of: sut, refresher)
    store.credentials = nextUser
    refresher.calls.answersEachCall(with: .success(.next))
    let outcomes = try await outcomes(of: calls)

    #expect(
      store.credentials == nextUser,
      "Somebody else has signed in. What the refresh brings belongs to the user before, and must not replace their credentials.")
    #expect(!outcomes.contains("next-token"), "The user before has signed out: nobody gets their credentials any more.")
    #expect(
      Set(outcomes).isSubset(of: ["signedOut", "sessionExpired", "next-user"]),
      "Whoever waited for the refresh hears that it is over for them, or gets what is in the store now.")
  }

  @Test(
    "somebody who signs in during a refresh does not share the fate of the user before", arguments: NextUsersCredentials.allCases)
  func servesTheOneWhoSignsIn(credentials: NextUsersCredentials) async throws {
    let (sut, refresher, store, clock) = makeSUT(.expired)
    let (queue, firstIsOver) = (OneQueue(), Inbox<Void>())

    _ = Running(on: queue) {
      defer { firstIsOver.receive(()) }
      return try await sut.credentials()
    }
    await refresher.calls.receives(1)
    store.credentials = Credentials(
      accessToken: "next-user", refreshToken: "next-user-refresh",
      expiresAt: clock.date.addingTimeInterval(credentials == .expired ? 0 : 3600))
    var calls = [Running(on: queue) { try await sut.credentials() }]
    await queue.settled()
    refresher.calls.complete(0, with: .failure(URLError(.timedOut)))
    if credentials == .expired { await refresher.calls.receives(2) }
    await firstIsOver.receives(1)
    calls.append(Running(on: queue) { try await sut.credentials() })
    await queue.settled()
    refresher.calls.answersEachCall(with: .success(.next))
    let outcomes = try await outcomes(of: calls)

    #expect(
      outcomes == (credentials == .expired ? ["next-token", "next-token"] : ["next-user", "next-user"]),
      "These callers are the one who has signed in. The refresh that was under way by then is not theirs, nor is its failure.")
    #expect(
      refresher.calls.arguments == (credentials == .expired ? ["refresh-1", "next-user-refresh"] : ["refresh-1"]),
      "Each user's credentials are refreshed once, if they have expired. The end of one refresh does not end another.")
  }

  private func makeSUT(
    _ credentials: Credentials?
  ) -> (CredentialsProvider, AsyncCredentialsRefresherSpy, CredentialsStoreSpy, ManualClock) {
    let (refresher, store, clock) = (AsyncCredentialsRefresherSpy(), CredentialsStoreSpy(credentials), ManualClock())
    return (CredentialsProvider(store: store, refresher: refresher, now: { clock.date }), refresher, store, clock)
  }

  /// Starts callers, and returns when each of them waits and the refresher was asked at least once.
  ///
  /// All run on one queue, so there is no luck in it: when that queue has nothing to do any more, every caller has gone as
  /// far as it can.
  private func waitingCalls(
    _ count: Int, of sut: CredentialsProvider, _ refresher: AsyncCredentialsRefresherSpy
  ) async -> [Running<Credentials>] {
    let queue = OneQueue()
    let calls = (0..<count).map { _ in
      Running(on: queue) { try await sut.credentials() }
    }
    await queue.settled()
    await refresher.calls.receives(1)
    await queue.settled()
    return calls
  }
}

/// How calls ended, each in a word: the access token, or the error.
private func outcomes(of calls: [Running<Credentials>]) async throws -> [String] {
  var words: [String] = []
  for call in calls {
    switch try await call.outcome() {
    case .success(let credentials): words.append(credentials.accessToken)
    case .failure(let error): words.append("\(error)")
    }
  }
  return words
}

extension Credentials {
  /// What the refresher brings.
  fileprivate static let next = Credentials(
    accessToken: "next-token", refreshToken: "refresh-3", expiresAt: ManualClock().date.addingTimeInterval(7200))
}

/// How a refresh ends.
enum RefreshOutcome: CaseIterable {
  case succeeds
  case fails
}

/// The credentials of the user who signs in during a refresh.
enum NextUsersCredentials: CaseIterable {
  case valid
  case expired
}
