import Given
import TestSupport
import Testing

@testable import Exercise4

@Suite("Step 6: refresh a rejected token once", .oneAtATime)
struct Step6ShareTheRefresh {
  @Test("if the stored token has changed, a 401 starts no refresh")
  func usesTheNewerToken() async throws {
    let scene = Scene(credentials: .valid)

    scene.load("articles")
    await scene.sends(1)
    scene.store.credentials = .renewed
    scene.client.calls.complete(0, with: .status(401))

    await scene.sends(2)
    #expect(
      scene.sent == ["articles valid-token", "articles new-token"],
      "The store holds a newer token than the one that was rejected. Send the request once more, with the newer token.")
    #expect(
      scene.refresher.calls.count == 0,
      "The rejected token is no longer the stored one. Send with the stored one, without a refresh.")
    scene.client.calls.complete(1, with: .status(200, "second"))
    #expect(
      try await scene.result(of: "articles").text == "200 second",
      "The second response should be delivered. Check the completion of the second request.")
  }

  @Test("after a 401, a changed token is refreshed if it has expired")
  func refreshesANewerTokenThatHasExpired() async throws {
    let scene = Scene(credentials: .valid)

    scene.load("articles")
    await scene.sends(1)
    scene.store.credentials = .renewed
    scene.clock.advance(by: 900)
    scene.client.calls.complete(0, with: .status(401))
    await scene.refreshes(1)
    #expect(
      scene.refreshTokens == ["refresh-2"],
      "The store holds a newer token, but it has expired. Refresh it, with its own refresh token, before the second request.")

    scene.refresher.calls.complete(with: .success(.newest))
    await scene.sends(2)
    #expect(
      scene.sent == ["articles valid-token", "articles newest-token"],
      "The second request should wait for the refresh, and carry the token that it obtains.")
  }

  @Test("after a sign-in stores a rejected token again, it is still refreshed")
  func refreshesTheSameTokenOfANewSession() async throws {
    await each("lifetime", in: [3600.0, 7200]) { (lifetime: TimeInterval) in
      let scene = Scene(credentials: .valid)

      scene.load("articles")
      await scene.sends(1)
      var again = Credentials.valid
      again.refreshToken = "refresh-of-the-new-session"
      again.expiresAt = scene.clock.date + lifetime
      scene.store.credentials = again
      scene.client.calls.complete(0, with: .status(401))

      await scene.refreshes(1)
      #expect(
        scene.refreshTokens == ["refresh-of-the-new-session"],
        """
        The user signed in again and received the same access token, which the server rejects. Refresh it, with the stored refresh \
        token. To find out whether the token has changed, compare access tokens.
        """)
    }
  }

  @Test("a rejected request waits if the stored token is already being refreshed")
  func waitsForTheRefreshOfANewerToken() async throws {
    await each("has expired", in: [true, false]) { hasExpired in
      let scene = Scene(credentials: .valid)

      scene.load("rejected")
      await scene.sends(1)
      scene.store.credentials = .renewed
      if hasExpired { scene.clock.advance(by: 900) }
      scene.load("newcomer")
      if !hasExpired {
        await scene.sends(2)
        scene.client.calls.complete(1, with: .status(401))
      }
      await scene.refreshes(1)
      let sentBefore = scene.sent
      scene.client.calls.complete(0, with: .status(401))
      await scene.store.reads.receives(hasExpired ? 3 : 4)
      #expect(scene.sent == sentBefore, "A request was sent during a refresh. Let it wait for the refresh.")
      scene.refresher.calls.complete(with: .success(.newest))

      await scene.sends(sentBefore.count + 2)
      #expect(
        scene.sent.dropFirst(sentBefore.count).sorted() == ["newcomer newest-token", "rejected newest-token"],
        "The refresh of the stored token has succeeded. Send both waiting requests with the newest token.")
      #expect(
        scene.refresher.calls.count == 1,
        "One refresh of the stored credentials should serve both requests. Let the rejected one wait for it.")
    }
  }

  @Test("five rejected requests that carried the same token share one refresh")
  func survivesAStorm() async throws {
    try await each("next refresh token", in: ["refresh-2", "refresh-1"]) { nextRefreshToken in
      let scene = Scene(credentials: .valid)
      let names = ["a", "b", "c", "d", "e"]
      var renewed = Credentials.renewed
      renewed.refreshToken = nextRefreshToken

      for name in names { scene.load(name) }
      await scene.sends(5)
      try #require(scene.sent.count == 5, "The stored token is valid according to the clock. Send all five requests with it.")
      for index in 0..<5 { scene.client.calls.complete(index, with: .status(401)) }
      await scene.refreshes(1)
      #expect(
        scene.refreshTokens.count == 1, "Five requests with the same token were rejected. One refresh should serve them all.")

      scene.refresher.calls.complete(with: .success(renewed))
      await scene.sends(10)
      #expect(
        scene.sent.dropFirst(5).sorted() == ["a new-token", "b new-token", "c new-token", "d new-token", "e new-token"],
        "Five requests were rejected and waited for a refresh. Each should be sent once more, with the new token.")

      for index in 5..<10 where scene.sent.count == 10 { scene.client.calls.complete(index, with: .status(200, "second")) }
      for name in names {
        #expect(
          try await scene.result(of: name).text == "200 second",
          "Each rejected request should receive the response to its second attempt.")
      }
      #expect(
        scene.refresher.calls.count == 1, "Five requests with the same token were rejected. One refresh should serve them all.")
    }
  }

  @Test("a 401 that arrives after the refresh does not start another one")
  func servesStragglers() async throws {
    await each("next refresh token", in: ["refresh-2", "refresh-1"]) { nextRefreshToken in
      let scene = Scene(credentials: .valid)
      var renewed = Credentials.renewed
      // Only the access tokens tell these credentials apart.
      (renewed.refreshToken, renewed.expiresAt) = (nextRefreshToken, Credentials.valid.expiresAt)

      scene.load("early", "late")
      await scene.sends(2)
      scene.client.calls.complete(0, with: .status(401))
      await scene.refreshes(1)
      scene.refresher.calls.complete(with: .success(renewed))
      await scene.sends(3)
      scene.client.calls.complete(1, with: .status(401))

      await scene.sends(4)
      #expect(
        scene.sent == ["early valid-token", "late valid-token", "early new-token", "late new-token"],
        "The second 401 arrived after the refresh. Send its request once more, with the new token in the store.")
      #expect(
        scene.refresher.calls.count == 1,
        """
        The second 401 is about a token that has been replaced. Compare the rejected access token with the stored one: the refresh \
        token may be the same.
        """)
    }
  }

  @Test("new requests wait for a refresh that a 401 has started")
  func makesNewcomersWait() async throws {
    let scene = Scene(credentials: .valid)

    scene.load("rejected")
    await scene.sends(1)
    scene.client.calls.complete(0, with: .status(401))
    await scene.refreshes(1)
    scene.load("newcomer")
    await scene.store.reads.receives(3)
    #expect(
      scene.sent == ["rejected valid-token"],
      "A request was sent with a token that the server has rejected. Let it wait for the refresh.")

    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(3)
    #expect(
      scene.sent == ["rejected valid-token", "rejected new-token", "newcomer new-token"],
      "A rejected request and a new one waited for a refresh. Send both with the new token, in order of arrival.")
    #expect(
      scene.refresher.calls.count == 1, "One refresh should serve the rejected request and the new one. Let the new one wait.")
  }

  @Test("if a refresh after a 401 fails, every waiting request fails")
  func failTogether() async throws {
    try await each("refresh error", in: Trouble.notRefused) { trouble in
      let scene = Scene(credentials: .valid)

      scene.load("a", "b")
      await scene.sends(2)
      for index in 0...1 { scene.client.calls.complete(index, with: .status(401)) }
      await scene.refreshes(1)
      scene.load("newcomer")
      // Three requests read the store when they are loaded, and two of them again when they are rejected. A solution may let the
      // newcomer wait before it reads the store.
      await Patience.briefly { await scene.store.reads.receives(5) }
      scene.refresher.calls.complete(with: .failure(trouble.error))

      for name in ["a", "b", "newcomer"] { try await scene.expectErrorOfRefresh(trouble.error, of: name) }
      #expect(
        scene.client.requests.count == 2,
        "Only the two rejected requests should be sent, once each. After a failed refresh, deliver the failure instead.")
      #expect(
        scene.refresher.calls.count == 1,
        "One refresh should serve all three requests, even if it fails. Do not start another for them.")
    }
  }

  @Test("after a sign-out, a 401 does not start a refresh")
  func respectsSigningOut() async throws {
    let scene = Scene(credentials: .valid)

    scene.load(.elaborate)
    await scene.sends(1)
    scene.store.credentials = nil
    scene.client.calls.complete(0, with: .status(401))

    try await scene.expectFailure(
      HTTPClientError.signedOut, "The user signed out before the 401 arrived: deliver `HTTPClientError.signedOut`.")
    #expect(scene.refresher.calls.count == 0, "No one is signed in, so there is nothing to refresh. Read the store after a 401.")
  }

  @Test("a refresh after a 401 does not sign the user back in")
  func respectsSigningOutDuringTheRefresh() async throws {
    try await each("refresh", in: RefreshEnd.allCases) { refresh in
      let scene = Scene(credentials: .valid)

      scene.load(.elaborate)
      await scene.sends(1)
      scene.client.calls.complete(0, with: .status(401))
      await scene.refreshes(1)
      scene.store.credentials = nil
      scene.refresher.calls.complete(with: refresh.result())

      try await scene.expectFailure(
        HTTPClientError.signedOut, "The user signed out during the refresh after a 401: deliver `HTTPClientError.signedOut`.")
      #expect(
        scene.store.credentials == nil, "The user signed out during the refresh, and the store should stay empty. Use `replace`."
      )
      #expect(
        scene.sent.count == 1, "The request should be sent once. The user signed out during the refresh, so do not send it again."
      )
    }
  }

  @Test("after a 401 and a last-minute sign-out, new credentials are not stored")
  func leavesNoGapBeforeStoring() async throws {
    let store = CredentialsStoreSpy(.valid)
    let (refresher, results) = (CredentialsRefresherSpy(), Inbox<HTTPResult>())
    let client = HTTPClientSpy.immediate(rejecting: "valid-token")
    let sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: store, refresher: refresher, now: { ManualClock().date })

    await finished(
      on: .background, "`load` never returned. A 401 arrived during the call: hold no lock while you call the decoratee."
    ) {
      sut.load(.named("articles"), completion: results.receive)
    }
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
    #expect(client.tokens == ["valid-token"], "The request should be sent once. Send it again only if `replace` returns true.")
  }
}
