import Given
import TestSupport
import Testing

@testable import Exercise9

@Suite("Step 4: share one refresh", .oneAtATime)
struct Step4ShareOneRefresh {
  @Test("valid credentials are returned without a refresh")
  func returnsValidCredentials() async throws {
    try await each("lifetime and elapsed time", in: [(3600, 3599.75), (0.00048828125, 0.000244140625)]) {
      (lifetime: TimeInterval, elapsed: TimeInterval) in
      let valid = Credentials(
        accessToken: "valid-token", refreshToken: "refresh-1", expiresAt: ManualClock().date.addingTimeInterval(lifetime))
      let scene = RefreshScene(valid)
      let sut = scene.makeSUT()
      scene.clock.advance(by: elapsed)

      let credentials = try await Running { try await sut.credentials() }.outcome().expectSuccess(
        "The stored credentials are valid, so they should be returned.")

      #expect(
        credentials == valid,
        "The stored credentials are valid for another \(lifetime - elapsed) seconds, so they should be returned.")
      #expect(scene.refresher.calls.count == 0, "The stored credentials are valid, so the refresher should not be called.")
      #expect(scene.store.writes.values.isEmpty, "The stored credentials are valid, so nothing should be written to the store.")
    }
  }

  @Test("if no one is signed in, `signedOut` is thrown")
  func needsCredentials() async throws {
    let scene = RefreshScene(nil)
    let sut = scene.makeSUT()

    try await Running { try await sut.credentials() }.outcome().expectFailure(
      HTTPClientError.signedOut, "The store holds no credentials, so `HTTPClientError.signedOut` should be thrown.")

    #expect(scene.refresher.calls.count == 0, "The store holds no refresh token, so the refresher should not be called.")
  }

  @Test("expired credentials are refreshed and stored, then returned")
  func refreshes() async throws {
    let scene = RefreshScene(.valid)
    let sut = scene.makeSUT()
    scene.clock.advance(by: 3600)

    let call = Running {
      let credentials = try await sut.credentials()
      return (credentials, scene.store.credentials)
    }
    await scene.refresher.calls.receives(1)
    #expect(
      scene.refresher.calls.arguments == ["refresh-1"],
      "At `now() == expiresAt` the credentials have expired. The refresher should be called once, with their refresh token.")
    #expect(!call.hasEnded, "The call returned before the refresh ended. Wait for the new credentials.")
    scene.refresher.calls.complete(with: .success(.next))
    let (credentials, stored) = try await call.outcome().expectSuccess(
      "The refresh succeeded, so the new credentials should be returned.")

    #expect(credentials == .next, "The refresher's new credentials should be returned.")
    #expect(stored == .next, "The new credentials should be in the store before they are returned.")
    #expect(scene.store.writes.values.count == 1, "The new credentials should be stored once.")
  }

  @Test("fifty callers share one refresh")
  func sharesTheRefresh() async throws {
    let scene = RefreshScene(.expired)

    let calls = await scene.waitingCalls(50, of: scene.makeSUT())
    scene.refresher.calls.completesEachCall(with: .success(.next))
    let outcomes = try await outcomes(of: calls)

    #expect(
      scene.refresher.calls.count == 1,
      "The refresher should be called once. An actor lets other callers in at each `await`: store the refresh's task and share it."
    )
    #expect(scene.store.writes.values.count == 1, "The new credentials should be stored once.")
    #expect(outcomes.filter { $0 == "next-token" }.count == 50, "Every waiting caller should get the new credentials.")
  }

  @Test("if a refresh fails, every waiting caller gets an error")
  func failsForAll() async throws {
    try await each("end of the refresh", in: RefreshEnd.failures) { end in
      let scene = RefreshScene(.expired)

      let calls = await scene.waitingCalls(50, of: scene.makeSUT())
      scene.refresher.calls.completesEachCall(with: end.result(.next))
      let outcomes = try await outcomes(of: calls)

      #expect(scene.refresher.calls.count == 1, "Callers that waited for a failed refresh should not start another.")
      #expect(
        outcomes.filter { $0 == end.outcome }.count == 50,
        "Every waiting caller should get `sessionExpired` after a refusal, and the refresher's own error after any other failure."
      )
      #expect(scene.store.writes.values.isEmpty, "The refresh failed, so nothing should be written to the store.")
      #expect(scene.store.credentials == .expired, "The refresh failed, so the store should still hold the credentials.")
    }
  }

  @Test("after a failed refresh, the next caller refreshes again")
  func refreshesAfterAFailure() async throws {
    try await each("end of the refresh", in: RefreshEnd.failures) { end in
      let scene = RefreshScene(.expired)
      let sut = scene.makeSUT()

      _ = try await scene.refresh(sut, 0, end.result(.next))
      let outcome = try await scene.refresh(sut, 1, .success(.next))

      let credentials = try outcome.expectSuccess("The second refresh succeeded, so the new credentials should be returned.")
      #expect(credentials == .next, "The second refresh's credentials should be returned.")
    }
  }

  @Test("after a failed refresh, callers that try again share another refresh")
  func refreshesAgainImmediately() async throws {
    // With a race, a few attempts pass by luck.
    for _ in 1...10 {
      let scene = RefreshScene(.expired)
      let sut = scene.makeSUT()

      let calls = (1...2).map { _ in
        Running {
          do { return try await sut.credentials() } catch { return try await sut.credentials() }
        }
      }
      await scene.refresher.calls.receives(1)
      await scene.store.reads.receives(2)
      scene.refresher.calls.complete(0, with: .failure(URLError(.timedOut)))
      await scene.refresher.calls.receives(2)
      if scene.refresher.calls.count == 2 { scene.refresher.calls.complete(1, with: .success(.next)) }

      let words = try await outcomes(of: calls)
      try #require(
        words == ["next-token", "next-token"],
        """
        A refresh failed, and both callers called again. Neither should get the old failure: when a refresh ends, its task should \
        be gone before any caller continues. Let the task remove itself.
        """)
    }
  }

  @Test("the next expiry starts another refresh")
  func refreshesAfterTheNextExpiry() async throws {
    try await each("next refresh token", in: ["refresh-2", "refresh-1"]) { nextRefreshToken in
      let scene = RefreshScene(.expired)
      let sut = scene.makeSUT()
      var renewed = Credentials.renewed
      renewed.refreshToken = nextRefreshToken

      _ = try await scene.refresh(sut, 0, .success(renewed))
      scene.clock.advance(by: 900)
      _ = try await scene.refresh(sut, 1, .success(.next))

      #expect(
        scene.refresher.calls.arguments == ["refresh-1", nextRefreshToken],
        "Each refresh should use the refresh token that is stored when it starts.")
      #expect(scene.store.credentials == .next, "After the second refresh, the store should hold its credentials.")
    }
  }

  @Test("if the same expired credentials are stored again, another refresh starts")
  func refreshesTheSameCredentialsAgain() async throws {
    let scene = RefreshScene(.expired)
    let sut = scene.makeSUT()

    _ = try await scene.refresh(sut, 0, .success(.next))
    scene.store.credentials = .expired
    let outcome = try await scene.refresh(sut, 1, .success(.renewed))

    #expect(
      word(for: outcome) == "new-token",
      "Expired credentials that had been refreshed before were stored again. Refresh them again: share a task only until it ends."
    )
  }
}
