import Given
import TestSupport
import Testing

@testable import Exercise4

@Suite("Step 5: when the server says 401", .patientOnce)
struct Step5WhenTheServerSays401 {
  @Test("a 401 in spite of a valid clock means: refresh, and send once more")
  func refreshesAndRetries() async throws {
    let scene = Scene(credentials: .valid)

    scene.load(.elaborate)
    await scene.sends(1)
    scene.client.calls.complete(0, with: .status(401))
    await scene.refreshes(1)
    #expect(
      scene.refreshTokens == ["refresh-1"],
      "The clock is wrong or the token was revoked: the server has the last word, so refresh.")
    let isAnswered = scene.isAnswered()
    #expect(!isAnswered, "The 401 is not the answer yet: refresh and send once more.")

    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(2)
    try #require(scene.sent.count == 2, "After the refresh the request is sent once more.")
    #expect(scene.client.requests[1].token == "new-token", "The second try carries the new token.")
    expectUnchanged(scene.client.requests[1], from: .elaborate, except: "Authorization")
    #expect(scene.store.credentials == .renewed, "The new credentials belong into the store.")

    scene.client.calls.complete(1, with: .status(200, "at last"))
    #expect(try await scene.answer().text == "200 at last", "The answer to the second try is the caller's answer.")
  }

  @Test("a token that a refresh has just brought can be refused as well")
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
      "The request has been sent once, and refused. A token may be new and still be refused: refresh, and send once more."
    )

    let newest = Credentials(
      accessToken: "newest-token", refreshToken: "refresh-3", expiresAt: scene.clock.date.addingTimeInterval(900))
    scene.refresher.calls.complete(1, with: .success(newest))
    await scene.sends(2)
    #expect(scene.sent == ["articles new-token", "articles newest-token"], "The second try carries the newest token.")
  }

  @Test("whatever the second try brings is delivered: there is never a loop", arguments: [401, 403, 500])
  func neverLoops(status: Int) async throws {
    let scene = Scene(credentials: .valid)

    scene.load(.elaborate)
    await scene.sends(1)
    scene.client.calls.complete(0, with: .status(401))
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(2)
    scene.client.calls.complete(1, with: .status(status, "second"))

    #expect(try await scene.answer().text == "\(status) second", "The second try is the last: its answer is delivered as it is.")
    #expect(
      scene.refresher.calls.count == 1,
      "The first refusal leads to one refresh, the second to none: another token would be refused, too.")
    #expect(scene.client.requests.count == 2, "A request that is refused is sent once more, and not a third time.")
  }

  @Test("an error of the second try is delivered as well")
  func deliversTheErrorOfTheSecondTry() async throws {
    let scene = Scene(credentials: .valid)

    scene.load("articles")
    await scene.sends(1)
    scene.client.calls.complete(0, with: .status(401))
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(2)
    scene.client.calls.complete(1, with: .failure(URLError(.timedOut)))

    try await scene.expectFailure(
      URLError(.timedOut), of: "articles", "The second try is the last: what it brings is delivered as it is.")
  }

  @Test("twice at most, in a storm as well, and after a token that somebody else has brought", arguments: NewToken.allCases)
  func neverSendsAThirdTime(newToken: NewToken) async throws {
    let scene = Scene(credentials: .valid)

    scene.load("a", "b")
    await scene.sends(2)
    if newToken == .fromSomebodyElse { scene.store.credentials = .renewed }
    for index in 0...1 { scene.client.calls.complete(index, with: .status(401)) }
    if newToken == .fromARefresh {
      await scene.refreshes(1)
      scene.refresher.calls.complete(with: .success(.renewed))
    }
    await scene.sends(4)
    try #require(scene.sent.count == 4, "Two requests were refused: each is sent once more.")
    for index in 2...3 { scene.client.calls.complete(index, with: .status(401, "second")) }

    for name in ["a", "b"] {
      #expect(try await scene.answer(to: name).text == "401 second", "The second try is the last: its 401 is the answer.")
    }
    #expect(scene.sent.count == 4, "Each of the two is sent once more, and not a third time.")
  }

  @Test("each request has its own second try: those who waited for a refresh, and those who come after it")
  func countsEachRequestByItself() async throws {
    let scene = Scene(credentials: .expired)

    scene.load("a", "b")
    await scene.refreshes(1)
    scene.refresher.calls.complete(0, with: .success(.renewed))
    await scene.sends(2)
    for index in 0...1 { scene.client.calls.complete(index, with: .status(401)) }
    await scene.refreshes(2)
    scene.refresher.calls.complete(1, with: .success(.numbered(3)))
    await scene.sends(4)
    #expect(
      scene.sent.dropFirst(2).sorted() == ["a token-3", "b token-3"],
      "Both have waited for a refresh, and both were refused: each is sent once more.")

    scene.load("a")
    await scene.sends(5)
    scene.client.calls.complete(4, with: .status(401))
    await scene.refreshes(3)
    #expect(scene.refreshTokens.count == 3, "A later request is a new one, if it looks the same as well: its 401 counts.")
  }

  @Test("the second try comes even if nobody keeps the decorator")
  func keepsWhatItNeeds() async throws {
    let (client, refresher, answers) = (HTTPClientSpy(), CredentialsRefresherSpy(), Inbox<HTTPResult>())

    RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: CredentialsStoreSpy(.valid), refresher: refresher, now: { ManualClock().date }
    ).load(.named("articles"), completion: answers.receive)
    await client.calls.receives(1)
    client.calls.complete(0, with: .status(401))
    await refresher.calls.receives(1)
    try #require(
      refresher.calls.count == 1, "A weak self loses the request when nobody keeps the decorator: refresh all the same.")
    refresher.calls.complete(with: .success(.renewed))
    await client.calls.receives(2)
    client.calls.complete(1, with: .status(200, "at last"))

    let answer = try await answers.only("The completion was never called: a weak self loses the answer.")
    #expect(answer.text == "200 at last", "The answer to the second try is the caller's answer.")
  }

  @Test("when the stored token has changed since the request left, it is sent again with that one, without a refresh")
  func usesTheNewerToken() async throws {
    let scene = Scene(credentials: .valid)

    scene.load("articles")
    await scene.sends(1)
    scene.store.credentials = .renewed
    scene.client.calls.complete(0, with: .status(401))

    await scene.sends(2)
    #expect(
      scene.sent == ["articles valid-token", "articles new-token"],
      "Send once more, with the token that is in the store now.")
    #expect(scene.refresher.calls.count == 0, "Somebody has refreshed meanwhile: the token that was refused is no longer in use.")
    scene.client.calls.complete(1, with: .status(200, "at last"))
    #expect(try await scene.answer(to: "articles").text == "200 at last", "The answer to the second try is the caller's answer.")
  }

  @Test("a storm: five requests in flight are refused, and there is one refresh")
  func survivesAStorm() async throws {
    let scene = Scene(credentials: .valid)
    let names = ["a", "b", "c", "d", "e"]

    for name in names { scene.load(name) }
    await scene.sends(5)
    try #require(scene.sent.count == 5, "The token is valid by the clock: all five requests go out.")
    for index in 0..<5 { scene.client.calls.complete(index, with: .status(401)) }
    await scene.refreshes(1)
    #expect(scene.refreshTokens.count == 1, "Five requests were refused with the same token: one refresh serves them all.")

    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(10)
    #expect(scene.sent.count == 10, "Five requests, sent twice each: ten in all, neither more nor less.")
    #expect(
      scene.sent.dropFirst(5).sorted() == ["a new-token", "b new-token", "c new-token", "d new-token", "e new-token"],
      "Each of the five is sent once more, with the new token.")

    for index in 5..<10 { scene.client.calls.complete(index, with: .status(200, "answer")) }
    for name in names {
      #expect(try await scene.answer(to: name).text == "200 answer", "Each of the five gets the answer to its second try.")
    }
    #expect(scene.refresher.calls.count == 1, "A storm leads to one refresh, no more and no less.")
  }

  @Test("a straggler whose 401 comes after the refresh does not refresh again")
  func servesStragglers() async throws {
    let scene = Scene(credentials: .valid)

    scene.load("early", "straggler")
    await scene.sends(2)
    scene.client.calls.complete(0, with: .status(401))
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(3)
    scene.client.calls.complete(1, with: .status(401))

    await scene.sends(4)
    #expect(
      scene.sent == ["early valid-token", "straggler valid-token", "early new-token", "straggler new-token"],
      "The straggler is sent once more with the token that is in the store now.")
    #expect(scene.refresher.calls.count == 1, "The straggler left with the old token: the new one is in the store already.")
  }

  @Test("requests that come while a 401 is being dealt with wait as well")
  func makesNewcomersWait() async throws {
    let scene = Scene(credentials: .valid)

    scene.load("refused")
    await scene.sends(1)
    scene.client.calls.complete(0, with: .status(401))
    await scene.refreshes(1)
    scene.load("newcomer")
    #expect(scene.sent == ["refused valid-token"], "The token is known to be refused: the newcomer waits for the new one.")

    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(3)
    #expect(
      scene.sent == ["refused valid-token", "refused new-token", "newcomer new-token"],
      "Both are sent with the new token, in their order.")
    #expect(scene.refresher.calls.count == 1, "The newcomer waits for the refresh that is under way, and starts none.")
  }

  @Test("when that refresh fails, the session has expired")
  func failsWithTheRefresh() async throws {
    let scene = Scene(credentials: .valid)

    scene.load(.elaborate)
    await scene.sends(1)
    scene.client.calls.complete(0, with: .status(401))
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .failure(URLError(.timedOut)))

    try await scene.expectFailure(
      HTTPClientError.sessionExpired, "The token is refused and there is no new one: deliver `HTTPClientError.sessionExpired`.")
    #expect(scene.client.requests.count == 1, "Without a new token there is no second try.")
    #expect(scene.store.writes.isEmpty, "The refresh may work next time: leave the store alone.")
  }

  @Test("a user who has signed out before the 401 comes stays signed out")
  func respectsSigningOut() async throws {
    let scene = Scene(credentials: .valid)

    scene.load(.elaborate)
    await scene.sends(1)
    scene.store.credentials = nil
    scene.client.calls.complete(0, with: .status(401))

    try await scene.expectFailure(
      HTTPClientError.signedOut, "Nobody is signed in any more: deliver `HTTPClientError.signedOut`.")
    #expect(scene.refresher.calls.count == 0, "Nobody is signed in any more: there is nothing to refresh.")
  }

  @Test("a user who signs out during that refresh stays signed out, whatever it brings", arguments: RefreshOutcome.allCases)
  func respectsSigningOutMeanwhile(refresh: RefreshOutcome) async throws {
    let scene = Scene(credentials: .valid)

    scene.load(.elaborate)
    await scene.sends(1)
    scene.client.calls.complete(0, with: .status(401))
    await scene.refreshes(1)
    scene.store.credentials = nil
    scene.refresher.calls.complete(with: refresh.result)

    try await scene.expectFailure(
      HTTPClientError.signedOut, "Nobody is signed in any more: deliver `HTTPClientError.signedOut`.")
    #expect(scene.store.credentials == nil, "The user has signed out, and the refresh has brought the credentials back.")
    #expect(scene.sent.count == 1, "The user has signed out: nothing may be sent in their name any more.")
  }
}

extension Credentials {
  /// What the refresh with a number brings, the first bringing ``Credentials/renewed``.
  fileprivate static func numbered(_ number: Int) -> Credentials {
    Credentials(
      accessToken: "token-\(number)", refreshToken: "refresh-\(number)", expiresAt: ManualClock().date.addingTimeInterval(900))
  }
}

/// Where the token of the second try comes from.
enum NewToken: CaseIterable {
  case fromARefresh
  case fromSomebodyElse
}
