import Given
import TestSupport
import Testing

@testable import Exercise4

@Suite("Step 2: refresh when expired", .patientOnce)
struct Step2RefreshWhenExpired {
  @Test("a request with expired credentials waits for the refresh and then carries the new token")
  func refreshesFirst() async {
    let scene = Scene(credentials: .expired)

    scene.load("articles")
    await scene.refreshes(1)
    #expect(scene.refreshTokens == ["refresh-1"], "Ask the refresher once, with the refresh token of the stored credentials.")
    #expect(scene.sent.isEmpty, "The request must wait until the refresher has answered.")

    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(1)
    #expect(
      scene.sent == ["articles new-token"],
      "After the refresh the request is sent, once, with the token that it brought.")
  }

  @Test("the new credentials are in the store before the request goes out")
  func storesBeforeSending() async throws {
    let scene = Scene(credentials: .expired)
    let storedWhenSent = Inbox<Credentials?>()
    let sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: ClosureClient { _, _ in storedWhenSent.receive(scene.store.credentials) }, store: scene.store,
      refresher: scene.refresher, now: { scene.clock.date })

    sut.load(.elaborate) { _ in }
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .success(.renewed))

    let stored = try await storedWhenSent.only("The request was never sent.")
    #expect(
      stored == .renewed,
      "Store the new credentials before you send, or a request that comes meanwhile refreshes again.")
    #expect(scene.store.writes == [.renewed], "Store the new credentials once, and write nothing else to the store.")
  }

  @Test("the answer to the request comes back, and nothing else about it has changed")
  func forwardsTheRest() async throws {
    let scene = Scene(credentials: .expired)

    scene.load(.elaborate)
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(1)
    let sent = try #require(scene.client.requests.first, "After the refresh the waiting request has to be sent.")
    scene.client.calls.complete(with: .status(200, "answer"))

    expectUnchanged(sent, from: .elaborate, except: "Authorization")
    #expect(try await scene.answer().text == "200 answer", "The caller wants the answer to its request.")
  }

  @Test("credentials expire at the very moment that they name", arguments: [3600.0, 3601])
  func expires(seconds: TimeInterval) async {
    let scene = Scene(credentials: .valid)
    scene.clock.advance(by: seconds)

    scene.load("articles")

    await scene.refreshes(1)
    #expect(
      scene.refreshTokens == ["refresh-1"],
      "The credentials are good for 3600 seconds, and \(seconds) have passed: expired means `now() >= expiresAt`.")
  }

  @Test("until that moment they are good, and not refreshed")
  func isStillValid() async {
    let scene = Scene(credentials: .valid)
    scene.clock.advance(by: 3599.5)

    scene.load("articles")

    await scene.sends(1)
    #expect(scene.sent == ["articles valid-token"], "The credentials are good for another half second: send at once.")
    #expect(scene.refresher.calls.count == 0, "The credentials are good for another half second: there is nothing to refresh.")
  }

  @Test("the request after that goes out without another refresh")
  func refreshesOnce() async {
    let scene = Scene(credentials: .expired)

    scene.load("first")
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(1)
    scene.load("second")

    await scene.sends(2)
    #expect(scene.sent == ["first new-token", "second new-token"], "Both requests carry the token that the refresh brought.")
    #expect(scene.refresher.calls.count == 1, "The first request has refreshed: the second finds valid credentials.")
  }

  @Test("a refresher that answers at once does no harm")
  func survivesAnImmediateRefresher() async {
    let store = CredentialsStoreSpy(.expired)
    let client = HTTPClientSpy()
    let sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: store, refresher: ImmediateRefresher(), now: { ManualClock().date })

    await finished(
      on: .global(), "`load` never returned: the refresher answers before its call returns, and something waits for itself."
    ) {
      sut.load(.elaborate) { _ in }
    }

    await client.calls.receives(1)
    #expect(client.requests.map(\.token) == ["new-token"], "The request has to be sent with the token that the refresh brought.")
  }

  @Test("the request is sent even if nobody keeps the decorator while it waits")
  func keepsItselfWhileItWaits() async throws {
    let (client, refresher, answers) = (HTTPClientSpy(), CredentialsRefresherSpy(), Inbox<String?>())

    RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: CredentialsStoreSpy(.expired), refresher: refresher, now: { ManualClock().date }
    ).load(.elaborate) { answers.receive($0.text) }
    await refresher.calls.receives(1)
    refresher.calls.complete(with: .success(.renewed))
    await client.calls.receives(1)
    client.calls.complete(with: .status(200, "answer"))

    let answer = try await answers.only("The completion was never called: a weak self loses the answer.")
    #expect(answer == "200 answer", "The caller wants the answer to its request.")
  }
}

/// Answers before `refresh` returns.
private struct ImmediateRefresher: CredentialsRefresher {
  func refresh(with refreshToken: String, completion: @escaping (Result<Credentials, any Error>) -> Void) {
    completion(.success(.renewed))
  }
}
