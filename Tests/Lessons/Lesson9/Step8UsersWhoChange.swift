import Given
import TestSupport
import Testing

import class TestSupport.ManualClock
import struct TestSupport.Running
import enum TestSupport.SampleError

@testable import Exercise9

@Suite("Step 8: users who change (extra)", .oneAtATime)
struct Step8UsersWhoChange {
  @Test("a user who signs out during a refresh stays signed out")
  func staysSignedOut() async throws {
    let (store, refresher) = (CredentialsStoreSpy(.expired), AsyncCredentialsRefresherSpy())
    let sut = CredentialsProvider(store: store, refresher: refresher, now: { ManualClock().date })

    let caller = Running { try await sut.credentials() }
    await refresher.calls.receives(1)
    store.stored = nil
    refresher.calls.complete(with: .success(.renewed))

    try await caller.outcome().expectFailure(
      HTTPClientError.signedOut, "The user signed out during the refresh. If `replace` returns false, throw `signedOut`.")
    #expect(store.stored == nil, "The user signed out. Don't store the new credentials.")
  }

  @Test("a user who signs out at the last moment stays signed out")
  func staysSignedOutAtTheLastMoment() async {
    await story(RefreshWorld(), "`replace` compares and stores in one step. If it returns false, throw `signedOut`.") {
      await $0.call(leadsToAllOf: ["a refresh with ada-1-refresh starts"])
      await $0.refreshSucceeds("ada-1-refresh", userLeaves: true, leadsToAllOf: ["caller 1 receives signedOut"])
    }
  }

  @Test("after a sign-out, waiting callers get `signedOut`, whatever the refresh's result")
  func failsAfterTheSignOut() async {
    await each("error", in: [SampleError.refused, .offline]) { trouble in
      await story(RefreshWorld(), "If the store no longer holds the credentials when the refresh fails, throw `signedOut`.") {
        await $0.call(leadsToAllOf: ["a refresh with ada-1-refresh starts"])
        await $0.signOut()
        await $0.refreshFails("ada-1-refresh", with: trouble, leadsToAllOf: ["caller 1 receives signedOut"])
      }
    }
  }

  @Test("after another user signs in, callers do not join the old refresh")
  func servesTheNextUser() async {
    await story(
      RefreshWorld(),
      """
      A refresh belongs to the credentials that it was started for. A new user cannot use it, and when it ends, it must not remove \
      the new user's refresh.
      """
    ) {
      await $0.call(leadsToAllOf: ["a refresh with ada-1-refresh starts"])
      await $0.signIn(lifetime: -60)
      await $0.call(2, leadsToAllOf: ["a refresh with grace-1-refresh starts", "caller 1 receives signedOut"])
      await $0.call()
      await $0.refreshSucceeds(
        "grace-1-refresh",
        leadsToAllOf: [
          "grace-2 is stored", "caller 2 receives grace-2", "caller 3 receives grace-2", "caller 4 receives grace-2",
        ])
    }
  }

  @Test("each waiting caller learns that the session has expired")
  func failsBeforeItsCallersContinue() async throws {
    try await expectOneDecision(about: .expired) { try await $0.credentials() }
  }

  @Test("the credentials provider obeys all the rules in random sequences of events")
  func tellsStories() async {
    await expectNoStoryGoesWrong(count: 400, of: RefreshWorld.randomEvents) {
      RefreshWorld(lifetime: [0, 0.3].randomElement(using: &$0)!)
    }
  }
}

/// Lets a refresh be refused while three callers wait. The first to learn that signs the user out.
///
/// - Parameters:
///   - credentials: The credentials in the store.
///   - call: What each caller calls.
///   - sourceLocation: The source location of issues.
func expectOneDecision(
  about credentials: Credentials, sourceLocation: SourceLocation = #_sourceLocation,
  _ call: @escaping @Sendable (CredentialsProvider) async throws -> Credentials
) async throws {
  for _ in 1...10 {
    let (refresher, store) = (AsyncCredentialsRefresherSpy(), CredentialsStoreSpy(credentials))
    let sut = CredentialsProvider(store: store, refresher: refresher, now: { ManualClock().date })

    let callers = (1...3).map { _ in
      Running {
        do { return try await call(sut) } catch {
          store.stored = nil
          throw error
        }
      }
    }
    await refresher.calls.receives(1)
    await store.reads.receives(3)
    refresher.calls.complete(with: .failure(SampleError.refused.error))

    for caller in callers {
      try await caller.outcome(sourceLocation: sourceLocation).expectFailure(
        HTTPClientError.sessionExpired,
        "The refresh was refused while all callers waited, and the first to learn it signed out. Decide once, when the refresh ends.",
        sourceLocation: sourceLocation)
    }
  }
}
