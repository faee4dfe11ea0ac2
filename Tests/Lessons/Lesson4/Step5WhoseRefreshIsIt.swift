import Given
import TestSupport
import Testing

@testable import Exercise4

@Suite("Step 5: whose refresh is it?", .oneAtATime)
struct Step5WhoseRefreshIsIt {
  @Test("a user who signs out during a refresh stays signed out")
  func respectsSigningOut() async throws {
    try await each("refresh", in: RefreshEnd.allCases) { refresh in
      let scene = Scene(credentials: .expired)

      scene.load("a", "b")
      await scene.refreshes(1)
      scene.store.credentials = nil
      scene.refresher.calls.complete(with: refresh.result())

      for name in ["a", "b"] {
        try await scene.expectFailure(
          HTTPClientError.signedOut, of: name,
          "The user signed out during the refresh: deliver `HTTPClientError.signedOut` to every waiting request.")
      }
      #expect(
        scene.store.credentials == nil, "The user signed out during the refresh, and the store should stay empty. Use `replace`."
      )
      #expect(
        scene.sent.isEmpty,
        "No request should be sent if the user signs out during the refresh. Send only if `replace` returns true.")
    }
  }

  @Test("after a last-minute sign-out, the new credentials are not stored")
  func leavesNoGapBeforeStoring() async throws {
    let store = CredentialsStoreSpy(.expired)
    let (refresher, client, results) = (CredentialsRefresherSpy(), HTTPClientSpy.immediate(), Inbox<HTTPResult>())
    let sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: store, refresher: refresher, now: { ManualClock().date })

    sut.load(.named("articles"), completion: results.receive)
    await refresher.calls.receives(1)
    store.letTheUserSignOut()
    refresher.calls.complete(with: .success(.renewed))

    let result = try await results.only(
      "The user signed out at the end of the refresh, and nothing was delivered. Deliver `HTTPClientError.signedOut`.")
    #expect(
      store.stored == nil,
      "The user had signed out, but the new credentials were stored anyway. Use `replace`: it compares and stores in one step."
    )
    result.expectFailure(
      HTTPClientError.signedOut,
      "If `replace` returns false, the user is no longer the same: deliver `HTTPClientError.signedOut`.")
    #expect(
      client.tokens.isEmpty,
      "No request should be sent if the user signs out before the end of the refresh. Send only if `replace` returns true.")
  }

  @Test("another user who signs in during a refresh stays signed in")
  func respectsTheNewUser() async throws {
    try await each("refresh", in: RefreshEnd.allCases) { refresh in
      let scene = Scene(credentials: .expired)

      scene.load("a", "b")
      await scene.refreshes(1)
      scene.store.credentials = .newUser
      scene.refresher.calls.complete(with: refresh.result())

      for name in ["a", "b"] {
        try await scene.expectFailure(
          HTTPClientError.signedOut, of: name,
          "Another user signed in during the refresh: deliver `HTTPClientError.signedOut` to the previous user's requests.")
      }
      #expect(
        scene.store.credentials == .newUser,
        "The store should hold the new user's credentials, not those that the previous user's refresh obtained. Use `replace`.")
      #expect(
        scene.sent.isEmpty,
        "None of the previous user's requests should be sent if another user signs in. Send only if `replace` returns true.")
    }
  }

  @Test("a new user's requests do not use the previous user's refresh")
  func servesTheNewUser() async throws {
    try await each("new user", in: NewUser.allCases, "refresh", in: RefreshEnd.allCases) { newUser, refresh in
      let (store, refresher, client) = (CredentialsStoreSpy(.expired), CredentialsRefresherSpy(), HTTPClientSpy.immediate())
      let (before, results) = (Inbox<HTTPResult>(), Inbox<HTTPResult>())
      let sut = RefreshCredentialsHTTPClientDecorator(
        decoratee: client, store: store, refresher: refresher, now: { ManualClock().date })

      sut.load(.named("of-the-previous-user"), completion: before.receive)
      await refresher.calls.receives(1)
      store.credentials = newUser == .valid ? .newUser : .expiredNewUser
      sut.load(.named("of-the-new-user"), completion: results.receive)
      refresher.calls.complete(0, with: refresh.result())
      await before.receives(1)
      sut.load(.named("of-the-new-user"), completion: results.receive)
      if newUser == .expired {
        await refresher.calls.receives(2)
        try #require(
          refresher.calls.arguments == ["refresh-1", "new-user-refresh"],
          "The new user's credentials have expired. Refresh them once, with their own refresh token.")
        refresher.calls.complete(1, with: .success(.newUser))
      }

      await results.receives(2)
      #expect(
        client.tokens(of: "of-the-new-user") == ["new-user", "new-user"],
        "The new user's requests should be sent with the new user's token. Check which refresh a request waits for.")
      #expect(results.values.count == 2, "Each of the new user's two requests should receive one result.")
    }
  }

  @Test("waiting requests never carry the token of the next user")
  func keepsTokensApart() async {
    let (store, refresher) = (CredentialsStoreSpy(.expired), CredentialsRefresherSpy())
    let (tokens, results) = (Inbox<String?>(), Inbox<HTTPResult>())
    // The next user signs in while the waiting requests are sent.
    let sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: ClosureClient { request, completion in
        store.credentials = .newUser
        tokens.receive(request.token)
        completion(.status(200))
      }, store: store, refresher: refresher, now: { ManualClock().date })

    for name in ["a", "b", "c"] { sut.load(.named(name), completion: results.receive) }
    await refresher.calls.receives(1)
    await store.reads.receives(3)
    refresher.calls.complete(with: .success(.renewed))
    await results.receives(3)

    #expect(results.values.count == 3, "Each of three waiting requests should receive one result.")
    #expect(
      Set(tokens.values) == ["new-token"],
      """
      Another user signed in while three waiting requests were sent. None of them should carry that user's token. Send them with \
      the credentials that the refresh obtained, and do not read the store again.
      """)
  }

  @Test("a new user's refresh may end before the previous user's")
  func keepsRefreshesApart() async throws {
    let scene = Scene(credentials: .expired)

    scene.load("of-the-previous-user")
    await scene.refreshes(1)
    scene.store.credentials = .expiredNewUser
    scene.load("of-the-new-user")
    await scene.store.reads.receives(2)
    // A solution with one refresh at a time starts the second one only when the first has ended.
    let isOneAtATime = scene.refreshTokens.count == 1
    if isOneAtATime { scene.refresher.calls.complete(0, with: .success(.renewed)) }
    await scene.refreshes(2)
    try #require(
      scene.refreshTokens == ["refresh-1", "new-user-refresh"],
      "The new user's credentials have expired. Refresh them once, with their own refresh token.")
    scene.refresher.calls.complete(1, with: .success(.newUser))
    if !isOneAtATime { scene.refresher.calls.complete(0, with: .success(.renewed)) }

    await scene.sends(1)
    try await scene.expectFailure(
      HTTPClientError.signedOut, of: "of-the-previous-user",
      "Another user signed in during the refresh: deliver `HTTPClientError.signedOut` to the previous user's requests.")
    #expect(
      scene.sent == ["of-the-new-user new-user"],
      "Only the new user's request should be sent, once, with the new user's token. Check which list each refresh empties.")
    #expect(scene.store.credentials == .newUser, "The store should hold the new user's renewed credentials. Use `replace`.")
  }

  @Test("after a sign-out during a refresh, the next user can refresh")
  func servesTheNextUser() async throws {
    let scene = Scene(credentials: .expired)

    scene.load("a")
    await scene.refreshes(1)
    scene.store.credentials = nil
    scene.refresher.calls.complete(with: .success(.renewed))
    _ = try await scene.result(of: "a")
    scene.store.credentials = .expiredNewUser
    scene.load("b")
    await scene.refreshes(2)
    #expect(
      scene.refreshTokens == ["refresh-1", "new-user-refresh"],
      "The user signed out during the first refresh, which has ended. Refresh the next user's expired credentials.")

    scene.refresher.calls.complete(1, with: .success(.newUser))
    await scene.sends(1)
    #expect(
      scene.sent == ["b new-user"], "Only the next user's request should be sent. Check what a sign-out leaves in the list.")
    _ = try await scene.result(of: "a")
  }

  @Test("after a sign-out during a refresh, another refresh can start")
  func servesTheSameUserAgain() async throws {
    let scene = Scene(credentials: .expired)

    scene.load("a")
    await scene.refreshes(1)
    scene.store.credentials = nil
    scene.refresher.calls.complete(with: .success(.renewed))
    _ = try await scene.result(of: "a")
    scene.store.credentials = .expired
    scene.load("b")
    await scene.refreshes(2)
    #expect(
      scene.refreshTokens == ["refresh-1", "refresh-1"],
      "The user signed out during the first refresh, which has ended. A later request should start another refresh, not wait for the first."
    )

    scene.refresher.calls.complete(1, with: .success(.renewed))
    await scene.sends(1)
    #expect(scene.sent == ["b new-token"], "Only the second request should be sent. Check what a sign-out leaves in the list.")
  }

  @Test("the decorator is released after a sign-out during a refresh")
  func lastsNoLongerThanItsWork() async {
    await each("refresh", in: RefreshEnd.allCases, "stored credentials", in: [nil, Credentials.newUser]) {
      (refresh: RefreshEnd, stored: Credentials?) in
      let (refresher, results) = (CredentialsRefresherSpy(), Inbox<Void>())

      await expectReleased(
        "The refresh has ended after a sign-out, but the decorator is still alive. Empty its waiting list on every path."
      ) { leaks in
        let store = leaks.track(CredentialsStoreSpy(.expired))
        let sut = RefreshCredentialsHTTPClientDecorator(
          decoratee: HTTPClientSpy.immediate(), store: store, refresher: refresher, now: { ManualClock().date })
        for name in ["a", "b"] { sut.load(.named(name)) { _ in results.receive(()) } }
        await refresher.calls.receives(1)
        await store.reads.receives(2)
        store.credentials = stored
        refresher.calls.complete(with: refresh.result())
        await results.receives(2)
      }
      #expect(refresher.calls.count == 1, "Two requests arrived with expired credentials. They should share one refresh.")
      #expect(
        results.values.count == 2, "Each of the two waiting requests should receive one result, even if the user has signed out.")
    }
  }
}

/// The credentials of the user who signs in during a refresh.
enum NewUser: CaseIterable {
  case valid
  case expired
}
