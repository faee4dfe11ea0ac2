import Given
import TestSupport
import Testing

@testable import Exercise4

@Suite("Step 6: send once more", .oneAtATime)
struct Step6SendOnceMore {
  @Test("after a 401, credentials are refreshed and the request is sent again")
  func refreshesAndRetries() async throws {
    let scene = Scene(credentials: .valid)

    scene.load(.elaborate)
    await scene.sends(1)
    scene.client.calls.complete(0, with: .status(401))
    await scene.refreshes(1)
    #expect(
      scene.refreshTokens == ["refresh-1"],
      "The server rejected the token with a 401. Refresh the credentials, even if they are valid according to the clock.")
    let isComplete = scene.isComplete()
    #expect(!isComplete, "The first 401 was delivered. Refresh, send the request once more, and deliver the second response.")

    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(2)
    try #require(scene.sent.count == 2, "After the refresh that follows a 401, the request should be sent once more.")
    #expect(scene.client.requests[1].token == "new-token", "The second request should carry the new token.")
    expectUnchanged(scene.client.requests[1], from: .elaborate, except: "Authorization")
    #expect(scene.store.credentials == .renewed, "The store should hold the new credentials. Store them before sending.")

    scene.client.calls.complete(1, with: .status(200, "second"))
    #expect(
      try await scene.result().text == "200 second",
      "The second response should be delivered. Check the completion of the second request.")
  }

  @Test("a token from a refresh is refreshed again if it is rejected")
  func distrustsFreshTokens() async throws {
    let scene = Scene(credentials: .expired)

    scene.load("articles")
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(1)
    scene.client.calls.complete(0, with: .status(401))
    await scene.refreshes(2)
    #expect(
      scene.refreshTokens == ["refresh-1", "refresh-2"],
      "The request was sent once, after a refresh, and rejected. Refresh again: a new token can be rejected like any other.")

    scene.refresher.calls.complete(1, with: .success(.newest))
    await scene.sends(2)
    #expect(
      scene.sent == ["articles new-token", "articles newest-token"], "The second request should carry the newest token.")
  }

  @Test("the second response is delivered regardless of its status")
  func neverLoops() async throws {
    try await each("status", in: [200, 401, 403, 500]) { status in
      let scene = Scene(credentials: .valid)

      scene.load(.elaborate)
      await scene.sends(1)
      scene.client.calls.complete(0, with: .status(401))
      await scene.refreshes(1)
      scene.refresher.calls.complete(with: .success(.renewed))
      await scene.sends(2)
      scene.client.calls.complete(1, with: .status(status, "second"))

      let text = try await scene.result().text
      #expect(
        text == "\(status) second",
        "The second response should be delivered unchanged, even if it is a 401.")
      #expect(
        scene.refresher.calls.count == 1,
        "One request should cause one refresh. Refresh after its first 401, but not after the second response.")
      #expect(scene.client.requests.count == 2, "The request should be sent twice: once, and once more after its first 401.")
    }
  }

  @Test("an error from the second request is delivered")
  func deliversTheSecondError() async throws {
    let scene = Scene(credentials: .valid)

    scene.load("articles")
    await scene.sends(1)
    scene.client.calls.complete(0, with: .status(401))
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(2)
    scene.client.calls.complete(1, with: .failure(URLError(.timedOut)))

    try await scene.expectFailure(
      URLError(.timedOut), of: "articles", "The second request failed with an error. Deliver it unchanged.")
  }

  @Test("no request is sent a third time")
  func neverSendsAThirdTime() async throws {
    try await each("new token", in: NewToken.allCases) { newToken in
      let scene = Scene(credentials: .valid)

      scene.load("a", "b")
      await scene.sends(2)
      if newToken == .wasStored { scene.store.credentials = .renewed }
      for index in 0...1 { scene.client.calls.complete(index, with: .status(401)) }
      if newToken == .isRefreshed {
        await scene.refreshes(1)
        scene.refresher.calls.complete(with: .success(.renewed))
      }
      await scene.sends(4)
      try #require(scene.sent.count == 4, "Two requests were rejected with a 401. Each should be sent once more.")
      for index in 2...3 { scene.client.calls.complete(index, with: .status(401, "second")) }

      for name in ["a", "b"] {
        #expect(
          try await scene.result(of: name).text == "401 second",
          "The second response is a 401, too. Deliver it, and don't send the request again.")
      }
      #expect(
        scene.sent.count == 4, "A request was sent a third time. Send each request once more, and only after its first 401.")
    }
  }

  @Test("a request that waited for a refresh is sent again if rejected")
  func countsEachRequestByItself() async throws {
    let scene = Scene(credentials: .expired)

    scene.load("a", "b")
    await scene.refreshes(1)
    scene.refresher.calls.complete(0, with: .success(.renewed))
    await scene.sends(2)
    for index in 0...1 { scene.client.calls.complete(index, with: .status(401)) }
    await scene.refreshes(2)
    scene.refresher.calls.complete(1, with: .success(.newest))
    await scene.sends(4)
    #expect(
      scene.sent.dropFirst(2).sorted() == ["a newest-token", "b newest-token"],
      "Two requests waited for a refresh, were sent, and were rejected. Each should be sent once more, with the newest token.")

    scene.load("a")
    await scene.sends(5)
    scene.client.calls.complete(4, with: .status(401))
    await scene.refreshes(3)
    #expect(
      scene.refreshTokens.count == 3,
      "A later request was rejected with a 401. Refresh for it, too: count attempts for each call to `load`, not for each URL.")
  }

  @Test("a refused refresh after a 401 ends the session")
  func endsTheSession() async throws {
    let scene = Scene(credentials: .valid)

    scene.load(.elaborate)
    await scene.sends(1)
    scene.client.calls.complete(0, with: .status(401))
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .failure(TokenEndpoint.Refused()))

    try await scene.expectFailure(
      HTTPClientError.sessionExpired,
      "The server rejected the token, and the refresh was refused: deliver `HTTPClientError.sessionExpired`.")
    #expect(
      scene.client.requests.count == 1,
      "The request should be sent once. After a failed refresh, deliver the failure instead of sending again.")
    #expect(scene.store.writes.values.isEmpty, "The store was written to after a failed refresh. Leave it alone.")
  }

  @Test("after a 401, a refresh error other than a refusal is delivered")
  func deliversOtherErrors() async throws {
    try await each("refresh error", in: Trouble.notRefused) { trouble in
      let scene = Scene(credentials: .valid)

      scene.load(.elaborate)
      await scene.sends(1)
      scene.client.calls.complete(0, with: .status(401))
      await scene.refreshes(1)
      scene.refresher.calls.complete(with: .failure(trouble.error))

      try await scene.expectErrorOfRefresh(trouble.error)
      #expect(
        scene.client.requests.count == 1,
        "The request should be sent once. After a failed refresh, deliver the failure instead of sending again.")
      #expect(scene.store.writes.values.isEmpty, "The store was written to after a failed refresh. Leave it alone.")
    }
  }

  @Test("the second request is sent even if nothing else retains the decorator")
  func staysAliveAfterA401() async throws {
    let (client, refresher, results) = (HTTPClientSpy(), CredentialsRefresherSpy(), Inbox<HTTPResult>())

    RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: CredentialsStoreSpy(.valid), refresher: refresher, now: { ManualClock().date }
    ).load(.named("articles"), completion: results.receive)
    await client.calls.receives(1)
    client.calls.complete(0, with: .status(401))
    await refresher.calls.receives(1)
    try #require(
      refresher.calls.count == 1,
      "After a 401, the refresher should be called once, even if only the request retains the decorator. Check for a weak `self`."
    )
    refresher.calls.complete(with: .success(.renewed))
    await client.calls.receives(2)
    if client.calls.count == 2 { client.calls.complete(1, with: .status(200, "second")) }

    let result = try await results.only(
      "The completion was never called. If only the request retains the decorator, a weak `self` loses the request.")
    #expect(
      result.text == "200 second", "The second response should be delivered even if only the request retains the decorator.")
  }

  @Test("the decorator is released after a 401 and a refresh")
  func lastsNoLongerThanItsWork() async {
    await each("refresh", in: RefreshEnd.allCases) { refresh in
      let (refresher, results) = (CredentialsRefresherSpy(), Inbox<HTTPResult>())

      await expectReleased("Every request is complete, but the decorator is still alive. Check what it retains after a 401.") {
        leaks in
        let sut = RefreshCredentialsHTTPClientDecorator(
          decoratee: HTTPClientSpy.immediate(rejecting: "valid-token"), store: leaks.track(CredentialsStoreSpy(.valid)),
          refresher: refresher, now: { ManualClock().date })
        await finished(
          on: .background, "`load` never returned. A 401 arrived during the call: hold no lock while you call the decoratee."
        ) {
          sut.load(.named("articles"), completion: results.receive)
        }
        await refresher.calls.receives(1)
        refresher.calls.complete(with: refresh.result())
        await results.receives(1)
      }
      #expect(refresher.calls.count == 1, "A request was rejected with a 401. One refresh should follow.")
      #expect(results.values.count == 1, "A rejected request should receive one result.")
    }
  }
}

/// Where the token of the second request comes from.
enum NewToken: CaseIterable {
  case isRefreshed
  case wasStored
}
