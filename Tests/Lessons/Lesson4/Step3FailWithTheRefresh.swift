import Given
import TestSupport
import Testing

@testable import Exercise4

@Suite("Step 3: when the refresh fails", .oneAtATime)
struct Step3FailWithTheRefresh {
  @Test("a refused refresh ends the session")
  func endsTheSession() async throws {
    let scene = Scene(credentials: .expired)

    scene.load(.elaborate)
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .failure(TokenEndpoint.Refused()))

    try await scene.expectFailure(
      HTTPClientError.sessionExpired,
      "The back end rejected the refresh token: deliver `HTTPClientError.sessionExpired` for `TokenEndpoint.Refused`.")
    #expect(scene.sent.isEmpty, "A request was sent after a failed refresh. Do not call the decoratee without new credentials.")
  }

  @Test("a refresh error other than a refusal is delivered unchanged")
  func deliversOtherErrors() async throws {
    try await each("refresh error", in: Trouble.notRefused) { trouble in
      let scene = Scene(credentials: .expired)

      scene.load(.elaborate)
      await scene.refreshes(1)
      scene.refresher.calls.complete(with: .failure(trouble.error))

      try await scene.expectErrorOfRefresh(trouble.error)
      #expect(scene.sent.isEmpty, "A request was sent after a failed refresh. Do not call the decoratee without new credentials.")
    }
  }

  @Test("a failed refresh leaves the store alone and is not retried automatically")
  func leavesTheStoreAlone() async throws {
    try await each("refresh", in: RefreshEnd.failures) { refresh in
      let scene = Scene(credentials: .expired)

      scene.load(.elaborate)
      await scene.refreshes(1)
      scene.refresher.calls.complete(with: refresh.result())

      _ = try await scene.result()
      #expect(
        scene.refresher.calls.count == 1,
        "One request should call the refresher once, even if the refresh fails. Deliver the failure instead of repeating the refresh."
      )
      #expect(
        scene.store.writes.values.isEmpty,
        "The store was written to after a failed refresh. Leave it alone: the app decides whether to sign the user out.")
    }
  }

  @Test("each request after a failed refresh attempts another refresh")
  func attemptsAgain() async throws {
    try await each("refresh", in: RefreshEnd.failures) { refresh in
      let scene = Scene(credentials: .expired)

      for (index, name) in ["first", "second"].enumerated() {
        scene.load(name)
        await scene.refreshes(index + 1)
        #expect(
          scene.refreshTokens.count == index + 1,
          "A failed refresh is over. The next request with expired credentials should call the refresher again.")
        scene.refresher.calls.complete(index, with: refresh.result())
        _ = try await scene.result(of: name)
      }
      scene.load("third")
      await scene.refreshes(3)
      scene.refresher.calls.complete(2, with: .success(.renewed))
      await scene.sends(1)
      #expect(
        scene.sent == ["third new-token"],
        "The third refresh succeeded, so the third request should be sent, and only that one.")
      scene.client.calls.complete(with: .status(200, "response"))
      #expect(
        try await scene.result(of: "third").text == "200 response",
        "The response should be delivered to the third request. Check which completion is called.")
      for name in ["first", "second"] { _ = try await scene.result(of: name) }
    }
  }
}
