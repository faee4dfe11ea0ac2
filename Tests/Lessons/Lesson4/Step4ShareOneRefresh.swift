import Given
import TestSupport
import Testing

@testable import Exercise4

@Suite("Step 4: share one refresh", .oneAtATime)
struct Step4ShareOneRefresh {
  @Test("requests that arrive during a refresh wait for it")
  func shareTheRefresh() async throws {
    let scene = Scene(credentials: .expired)

    scene.load("a", "b", "c", "d", "e")
    await scene.refreshes(1)
    #expect(
      scene.refreshTokens.count == 1,
      "Five requests arrived with the same expired credentials. The first should start a refresh, and the others should wait for it."
    )
    #expect(scene.sent.isEmpty, "A request was sent before the refresh completed. Let every request wait for the refresh.")

    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(5)
    #expect(
      scene.sent == ["a new-token", "b new-token", "c new-token", "d new-token", "e new-token"],
      "After the refresh, every waiting request should be sent once, with the new token, in order of arrival.")
    #expect(
      scene.refresher.calls.count == 1,
      "Five requests arrived during one refresh. It should serve them all, without a second one.")
    #expect(
      scene.store.writes.values == [.renewed],
      "One refresh should write to the store once. Check where the new credentials are stored.")
  }

  @Test("each waiting request receives its own result")
  func keepResultsApart() async throws {
    let scene = Scene(credentials: .expired)

    scene.load("a", "b", "c")
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(3)
    try #require(scene.sent.count == 3, "Three requests waited for the refresh. Send all three when it has succeeded.")
    scene.client.calls.complete(2, with: .status(200, "for c"))
    scene.client.calls.complete(0, with: .failure(URLError(.timedOut)))
    scene.client.calls.complete(1, with: .status(404, "for b"))

    let comment = "Each completion should receive the result of its own request. Store each request with its completion."
    #expect(try await scene.result(of: "c").text == "200 for c", "\(comment)")
    #expect(try await scene.result(of: "b").text == "404 for b", "\(comment)")
    try await scene.expectFailure(URLError(.timedOut), of: "a", comment)
  }

  @Test("equal requests are sent separately")
  func keepsEqualRequestsApart() async throws {
    let scene = Scene(credentials: .expired)

    scene.load(.named("articles"), as: "one")
    scene.load(.named("articles"), as: "two")
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(2)
    try #require(scene.sent.count == 2, "Two calls to `load` should send two requests, even if the requests are equal.")
    for index in 0...1 { scene.client.calls.complete(index, with: .status(200, "\(index)")) }

    let results = [try await scene.result(of: "one").text, try await scene.result(of: "two").text]
    #expect(
      results == ["200 0", "200 1"], "Each of the two equal requests should receive its own response. Check the waiting list.")
  }

  @Test("waiting requests fail together if the refresh is refused")
  func failTogether() async throws {
    let scene = Scene(credentials: .expired)

    scene.load("a", "b", "c")
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .failure(TokenEndpoint.Refused()))

    for name in ["a", "b", "c"] {
      try await scene.expectFailure(
        HTTPClientError.sessionExpired, of: name,
        "The refresh was refused: deliver `HTTPClientError.sessionExpired` to every waiting request.")
    }
    #expect(
      scene.refresher.calls.count == 1,
      "Three requests arrived with expired credentials. Call the refresher once for all of them, even if the refresh fails.")
    #expect(scene.sent.isEmpty, "A request was sent after a failed refresh. Do not call the decoratee without new credentials.")
  }

  @Test("every waiting request receives the error from a failed refresh")
  func receiveTheError() async throws {
    try await each("refresh error", in: Trouble.notRefused) { trouble in
      let scene = Scene(credentials: .expired)

      scene.load("a", "b", "c")
      await scene.refreshes(1)
      scene.refresher.calls.complete(with: .failure(trouble.error))

      for name in ["a", "b", "c"] { try await scene.expectErrorOfRefresh(trouble.error, of: name) }
      #expect(
        scene.refresher.calls.count == 1,
        "Three requests arrived with expired credentials. Call the refresher once for all of them, even if the refresh fails.")
      #expect(scene.sent.isEmpty, "A request was sent after a failed refresh. Do not call the decoratee without new credentials.")
    }
  }

  @Test("the next expiry starts another refresh, even with the same refresh token")
  func refreshesAgain() async throws {
    await each("next refresh token", in: ["refresh-2", "refresh-1"]) { nextRefreshToken in
      let scene = Scene(credentials: .expired)
      var renewed = Credentials.renewed
      renewed.refreshToken = nextRefreshToken

      scene.load("a", "b")
      await scene.refreshes(1)
      scene.refresher.calls.complete(with: .success(renewed))
      await scene.sends(2)
      scene.clock.advance(by: 7200)
      scene.load("c", "d")
      await scene.refreshes(2)
      #expect(
        scene.refreshTokens == ["refresh-1", nextRefreshToken],
        "The renewed credentials have expired, too. Call the refresher once more, with the refresh token that is stored now.")

      scene.refresher.calls.complete(1, with: .success(.newest))
      await scene.sends(4)
      #expect(
        scene.sent == ["a new-token", "b new-token", "c newest-token", "d newest-token"],
        "After the second refresh, only the two requests that waited for it should be sent. If you keep a list, empty it after each refresh."
      )
    }
  }

  @Test("waiting requests are sent even if the new credentials have already expired")
  func trustsTheRefresh() async {
    let scene = Scene(credentials: .expired)

    scene.load("a", "b")
    await scene.refreshes(1)
    scene.clock.advance(by: 900)
    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(2)

    #expect(
      scene.sent == ["a new-token", "b new-token"],
      "The new credentials expired during a long refresh. Send the waiting requests with them: the server decides.")
    #expect(
      scene.refresher.calls.count == 1,
      "The new credentials have expired according to the clock. Do not check them again, or a wrong clock leads to endless refreshes."
    )
  }

  @Test("the completion of a waiting request can load another request")
  func takesLatecomers() async throws {
    let results = Inbox<String>()
    let refresher = CredentialsRefresherSpy()
    let sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: HTTPClientSpy.immediate(), store: CredentialsStoreSpy(.expired), refresher: refresher,
      now: { ManualClock().date })

    sut.load(.named("a")) { _ in
      results.receive("a")
      sut.load(.named("late")) { _ in results.receive("late") }
    }
    sut.load(.named("b")) { _ in results.receive("b") }
    await refresher.calls.receives(1)
    await refresher.calls.complete(with: .success(.renewed), on: .background)

    await results.receives(3)
    #expect(
      results.values.sorted() == ["a", "b", "late"],
      "A completion started another request while the waiting ones were being sent. Each of the three requests needs one result.")
    #expect(
      refresher.calls.count == 1,
      "One refresh should serve all three requests: the late one finds valid credentials in the store.")
  }

  @Test("the completion of a failed request can load another request")
  func takesLatecomersAfterFailure() async throws {
    try await each("refresh", in: RefreshEnd.failures) { refresh in
      let (late, others) = (Inbox<HTTPResult>(), Inbox<String>())
      let (store, refresher) = (CredentialsStoreSpy(.expired), CredentialsRefresherSpy())
      let sut = RefreshCredentialsHTTPClientDecorator(
        decoratee: HTTPClientSpy.immediate(), store: store, refresher: refresher, now: { ManualClock().date })

      sut.load(.named("a")) { _ in
        others.receive("a")
        sut.load(.named("late"), completion: late.receive)
      }
      sut.load(.named("b")) { _ in others.receive("b") }
      await refresher.calls.receives(1)
      await store.reads.receives(2)
      await refresher.calls.complete(0, with: refresh.result(), on: .background)
      await others.receives(2)
      // The late request may fail with the others, or start a refresh of its own.
      if late.values.isEmpty {
        await refresher.calls.receives(2)
        if refresher.calls.count == 2 { refresher.calls.complete(1, with: .success(.renewed)) }
      }

      _ = try await late.only(
        "A completion started another request while the waiting ones were failing. The new request should fail with them or start another refresh."
      )
      #expect(
        others.values.sorted() == ["a", "b"], "Each waiting request should fail once. Check the list after a failed refresh.")
    }
  }

  @Test("a caller that no longer exists does not affect the others")
  func survivesLostCallers() async throws {
    let scene = Scene(credentials: .expired)
    var screen: Screen? = Screen()

    scene.load("a")
    scene.sut.load(.named("gone")) { [weak screen] _ in screen?.results += 1 }
    scene.load("b")
    screen = nil
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(3)
    try #require(
      scene.sent.count >= 2, "The screen of one waiting request was released. The other requests should still be sent.")
    for (index, request) in scene.client.requests.enumerated() {
      scene.client.calls.complete(index, with: .status(200, request.url?.lastPathComponent ?? ""))
    }

    let comment: Comment = "The screen of another request was released. This request should receive its own response."
    #expect(try await scene.result(of: "a").text == "200 a", comment)
    #expect(try await scene.result(of: "b").text == "200 b", comment)
  }
}

private final class Screen {
  var results = 0
}
