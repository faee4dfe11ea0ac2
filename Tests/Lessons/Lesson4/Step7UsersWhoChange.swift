import Given
import TestSupport
import Testing

import class TestSupport.ClosureClient

@testable import Exercise4

@Suite("Step 7: users who change (extra)", .oneAtATime)
struct Step7UsersWhoChange {
  @Test("the next user's requests do not join the previous user's refresh")
  func servesTheNewUser() async {
    await each("refresh is refused", in: [false, true]) { isRefused in
      let (client, store, refresher) = (HTTPClientSpy(), CredentialsStoreSpy(.expired), CredentialsRefresherSpy())
      let results = Inbox<String>()
      let sut = makeSUT(decoratee: client, store: store, refresher: refresher)

      sut.load(.named("of-the-previous-user")) { results.receive($0.inWords) }
      await refresher.calls.receives(1)
      store.stored = .expiredNewUser
      sut.load(.named("of-the-new-user")) { _ in }
      refresher.calls.complete(0, with: isRefused ? .failure(TokenEndpoint.Refused()) : .success(.renewed))
      await results.receives(1)
      #expect(
        results.values == ["signedOut"],
        "If the user has changed when a refresh ends, all its requests get `signedOut`, whatever its result.")
      await refresher.calls.receives(2)
      guard refresher.calls.arguments == ["refresh-1", "new-user-refresh"] else {
        Issue.record("The next user's credentials have expired. Refresh them once, with their own refresh token.")
        return
      }
      refresher.calls.complete(1, with: .success(.newUser))
      await client.calls.receives(1)

      #expect(
        client.requests.map { "\($0.path) with \($0.sentToken ?? "no token")" } == ["/of-the-new-user with new-user"],
        "Only the new user's request should be sent, with the new user's token. Check which refresh a request waits for.")
    }
  }

  @Test("a user's waiting requests never carry the next user's token")
  func keepsTokensApart() async {
    let (store, refresher, tokens) = (CredentialsStoreSpy(.expired), CredentialsRefresherSpy(), Inbox<String?>())
    // The next user signs in while the first of the waiting requests is sent.
    let client = ClosureClient { request, completion in
      store.stored = .newUser
      tokens.receive(request.sentToken)
      completion(.status(200))
    }
    let sut = makeSUT(decoratee: client, store: store, refresher: refresher)

    for name in ["a", "b", "c"] { sut.load(.named(name)) { _ in } }
    await refresher.calls.receives(1)
    await store.reads.receives(3)
    refresher.calls.complete(with: .success(.renewed))
    await tokens.receives(3)

    #expect(
      tokens.values == ["new-token", "new-token", "new-token"],
      "Send waiting requests with the credentials that the refresh has obtained, and do not read the store again.")
  }

  @Test("a user who comes back joins the refresh that is under way")
  func servesAUserWhoComesBack() async {
    let (client, store, refresher) = (HTTPClientSpy(), CredentialsStoreSpy(.expired), CredentialsRefresherSpy())
    let sut = makeSUT(decoratee: client, store: store, refresher: refresher)

    for (number, user) in [Credentials.expired, .expiredNewUser, .expired].enumerated() {
      store.stored = user
      sut.load(.named(user.accessToken)) { _ in }
      await store.reads.receives(number + 1)
      if number == 0 { await refresher.calls.receives(1) }
    }
    refresher.calls.complete(0, with: .success(.renewed))
    await client.calls.receives(2)

    #expect(
      refresher.calls.arguments.count { $0 == "refresh-1" } == 1
        && client.requests.filter { $0.path == "/old-token" }.map(\.sentToken) == ["new-token", "new-token"],
      "A user has left during a refresh and has come back with the same credentials. Both requests wait for that one refresh.")
  }

  @Test("no random sequence of events breaks a rule")
  func obeysAllRules() async {
    await expectNoRunGoesWrong(count: 1000, of: RefreshRun.events) { RefreshRun(using: &$0) }
  }
}
