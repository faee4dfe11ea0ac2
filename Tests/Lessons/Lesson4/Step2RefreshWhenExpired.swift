import Given
import TestSupport
import Testing

@testable import Exercise4

@Suite("Step 2: refresh when expired", .oneAtATime)
struct Step2RefreshWhenExpired {
  @Test("expired credentials are refreshed before the request is sent")
  func refreshesFirst() async {
    let scene = Scene(credentials: .expired)

    scene.load("articles")
    await scene.refreshes(1)
    #expect(
      scene.refreshTokens == ["refresh-1"],
      "The stored credentials have expired. Call the refresher once, with their refresh token.")
    #expect(
      scene.sent.isEmpty, "The request was sent before the refresh completed. Send it from the refresher's completion.")

    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(1)
    #expect(
      scene.sent == ["articles new-token"],
      "After the refresh, the request should be sent once, with the new access token. Check which credentials it is sent with.")
  }

  @Test("the new credentials are stored before the request is sent")
  func storesBeforeSending() async throws {
    let scene = Scene(credentials: .expired)
    let storedWhenSent = Inbox<Credentials?>()
    let sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: ClosureClient { _, _ in storedWhenSent.receive(scene.store.credentials) }, store: scene.store,
      refresher: scene.refresher, now: { scene.clock.date })

    sut.load(.elaborate) { _ in }
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .success(.renewed))

    let stored = try await storedWhenSent.only("The request was never sent. Send it when the refresh has succeeded.")
    #expect(
      stored == .renewed,
      "The store should hold the new credentials. Store them before sending, or the next request refreshes again.")
    #expect(
      scene.store.writes.values == [.renewed], "The store should be written to once. Store the new credentials and nothing else.")
  }

  @Test("after a refresh, request and response are unchanged except for the token")
  func forwardsTheRest() async throws {
    let scene = Scene(credentials: .expired)

    scene.load(.elaborate)
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(1)
    let sent = try #require(
      scene.client.requests.first, "The request was not sent. Send it when the refresh has succeeded.")
    scene.client.calls.complete(with: .status(200, "response"))

    expectUnchanged(sent, from: .elaborate, except: "Authorization")
    #expect(
      try await scene.result().text == "200 response", "The response should be delivered unchanged. Check the completion.")
  }

  @Test("credentials have expired if `now() >= expiresAt`")
  func expires() async {
    await each("lifetime and elapsed time", in: [(3600, 3600), (3600, 3601), (0.5, 0.5), (0.25, 0.75)]) {
      (lifetime: TimeInterval, elapsed: TimeInterval) in
      let scene = Scene(credentials: .lasting(lifetime))
      scene.clock.advance(by: elapsed)

      scene.load("articles")

      await scene.refreshes(1)
      #expect(
        scene.refreshTokens == ["refresh-1"],
        "The credentials are valid for \(lifetime) seconds, and \(elapsed) seconds have passed: refresh if `now() >= expiresAt`.")
      #expect(scene.sent.isEmpty, "A request was sent with expired credentials. Refresh them first.")
    }
  }

  @Test("credentials are still valid a fraction of a second before they expire")
  func isStillValid() async {
    await each(
      "lifetime and elapsed time",
      in: [(3600, 3599.5), (0.75, 0.5), (1.25, 1.125), (3600.5, 3600.499755859375), (0.00048828125, 0.000244140625)]
    ) { (lifetime: TimeInterval, elapsed: TimeInterval) in
      let scene = Scene(credentials: .lasting(lifetime))
      scene.clock.advance(by: elapsed)

      scene.load("articles")

      await scene.sends(1)
      #expect(
        scene.sent == ["articles valid-token"],
        "The credentials are valid for \(lifetime) seconds, and only \(elapsed) seconds have passed: send the request with them.")
      #expect(
        scene.refresher.calls.count == 0,
        "The credentials are valid for \(lifetime) seconds, and only \(elapsed) seconds have passed: do not refresh them. Compare dates, not whole seconds."
      )
    }
  }

  @Test("after a refresh, the next request does not refresh again")
  func refreshesOnce() async {
    let scene = Scene(credentials: .expired)

    scene.load("first")
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(1)
    scene.load("second")

    await scene.sends(2)
    #expect(
      scene.sent == ["first new-token", "second new-token"],
      "Both requests should carry the new access token. Check that it is stored, and that the second request reads it.")
    #expect(
      scene.refresher.calls.count == 1,
      "Two requests should need one refresh, since the second one finds valid credentials. Check `expiresAt` in the store."
    )
  }

  @Test("a refresher may complete before its `refresh` returns")
  func survivesAnImmediateRefresher() async {
    let store = CredentialsStoreSpy(.expired)
    let client = HTTPClientSpy()
    let sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: store, refresher: CredentialsRefresherSpy(responding: { _ in .success(.renewed) }),
      now: { ManualClock().date })

    await finished(
      on: .background,
      "`load` never returned. The refresher completed before its `refresh` returned: check for a lock or a queue that waits for itself."
    ) {
      sut.load(.elaborate) { _ in }
    }

    await client.calls.receives(1)
    #expect(
      client.requests.map(\.token) == ["new-token"],
      "The request should be sent with the new access token, even if the refresher completes before its `refresh` returns.")
  }

  @Test("a refresher may complete on another queue")
  func survivesAnotherQueue() async throws {
    try await each("queue", in: BackgroundQueue.allCases) { queue in
      let scene = Scene(credentials: .expired)

      scene.load("articles")
      await scene.refreshes(1)
      await scene.refresher.calls.complete(with: .success(.renewed), on: queue.queue)
      await scene.sends(1)
      await scene.client.calls.complete(with: .status(200, "response"), on: queue.queue)

      let text = try await scene.result(of: "articles").text
      #expect(
        text == "200 response",
        "The response should be delivered, whichever queue the refresher and the decoratee complete on.")
    }
  }

  @Test("a waiting request is sent even if nothing else retains the decorator")
  func staysAliveWhileItWaits() async throws {
    let (client, refresher, results) = (HTTPClientSpy(), CredentialsRefresherSpy(), Inbox<String?>())

    RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: CredentialsStoreSpy(.expired), refresher: refresher, now: { ManualClock().date }
    ).load(.elaborate) { results.receive($0.text) }
    await refresher.calls.receives(1)
    refresher.calls.complete(with: .success(.renewed))
    await client.calls.receives(1)
    client.calls.complete(with: .status(200, "response"))

    let result = try await results.only(
      "The completion was never called. If only the request retains the decorator, a weak `self` loses the request.")
    #expect(result == "200 response", "The response should be delivered even if only the request retains the decorator.")
  }
}

extension Credentials {
  /// Credentials that are valid for some seconds on a new clock.
  fileprivate static func lasting(_ seconds: TimeInterval) -> Credentials {
    Credentials(
      accessToken: "valid-token", refreshToken: "refresh-1", expiresAt: ManualClock().date.addingTimeInterval(seconds))
  }
}
