import Given
import TestSupport
import Testing

import class TestSupport.ClosureClient
import class TestSupport.HTTPClientSpy
import class TestSupport.Inbox

@testable import Exercise4

@Suite("Step 7: whatever happens (extra)", .oneAtATime)
struct Step7WhateverHappens {
  @Test("the decorator obeys all the rules in random sequences of events")
  func tellsStories() async {
    await expectNoStoryGoesWrong(count: 1000, of: World.randomEvents) { World(using: &$0) }
  }

  @Test("the next user's requests do not join the previous user's refresh")
  func servesTheNewUser() async throws {
    try await each("new user", in: [Credentials.newUser, .expiredNewUser], "refresh is refused", in: [false, true]) {
      newUser, isRefused in
      let (store, refresher, client) = (CredentialsStoreSpy(.expired), CredentialsRefresherSpy(), HTTPClientSpy())
      let results = Inbox<Void>()
      let sut = makeSUT(decoratee: client, store: store, refresher: refresher)

      sut.load(.original("/of-the-previous-user")) { _ in results.receive(()) }
      await refresher.calls.receives(1)
      store.credentials = newUser
      sut.load(.original("/of-the-new-user")) { _ in }
      refresher.calls.complete(0, with: isRefused ? .failure(TokenEndpoint.Refused()) : .success(.renewed))
      await results.receives(1)
      sut.load(.original("/of-the-new-user")) { _ in }
      if newUser == .expiredNewUser {
        await refresher.calls.receives(2)
        try #require(
          refresher.calls.arguments == ["refresh-1", "new-user-refresh"],
          "The next user's credentials have expired. Refresh them once, with their own refresh token.")
        refresher.calls.complete(1, with: .success(.newUser))
      }

      await client.calls.receives(2)
      #expect(
        client.requests.map(\.sentence) == Array(repeating: "/of-the-new-user is sent with new-user", count: 2),
        "Only the new user's requests should be sent, with the new user's token. Check which refresh a request waits for.")
    }
  }

  @Test("a user who comes back joins the refresh that is under way")
  func servesAUserWhoComesBack() async {
    let (store, refresher, client) = (CredentialsStoreSpy(.expired), CredentialsRefresherSpy(), HTTPClientSpy())
    let sut = makeSUT(decoratee: client, store: store, refresher: refresher)

    for (number, user) in [Credentials.expired, .expiredNewUser, .expired].enumerated() {
      store.credentials = user
      sut.load(.original("/\(user.accessToken)")) { _ in }
      await store.reads.receives(number + 1)
      if number == 0 { await refresher.calls.receives(1) }
    }
    refresher.calls.complete(0, with: .success(.renewed))
    await client.calls.receives(2)

    let refreshes = refresher.calls.arguments.count { $0 == "refresh-1" }
    let sent = client.requests.map(\.sentence).filter { $0.hasPrefix("/old-token") }
    #expect(
      refreshes == 1 && sent == Array(repeating: "/old-token is sent with new-token", count: 2),
      """
      A second user's request arrived during the first user's refresh, and then the first user came back with the same credentials. \
      Both requests of the first user should wait for that refresh, and the refresh token should be used once. Several refreshes may \
      be under way: find them by their credentials.
      """)
  }

  @Test("a user's waiting requests never carry the next user's token")
  func keepsTokensApart() async {
    let (store, refresher, tokens) = (CredentialsStoreSpy(.expired), CredentialsRefresherSpy(), Inbox<String?>())
    // The next user signs in while the waiting requests are sent.
    let sut = makeSUT(
      decoratee: ClosureClient { request, completion in
        store.credentials = .newUser
        tokens.receive(request.sentToken)
        completion(.status(200))
      }, store: store, refresher: refresher)

    for name in ["a", "b", "c"] { sut.load(.named(name)) { _ in } }
    await refresher.calls.receives(1)
    await store.reads.receives(3)
    refresher.calls.complete(with: .success(.renewed))
    await tokens.receives(3)

    #expect(
      tokens.values == Array(repeating: "new-token", count: 3),
      """
      Another user signed in while three waiting requests were being sent. Send them with the credentials that the refresh obtained, and \
      do not read the store again.
      """)
  }
}
