import Given
import TestSupport
import Testing

// Other lessons keep the same promises, and compile this file again: with a `Scene` of their own, and with a suite of their
// own under this name.
extension Authorizing {
  @Test("a request carries the access token, beside the headers that it had")
  func addsBearerToken() async throws {
    let scene = Scene(credentials: .valid)
    var request = scene.request()
    request.setValue("de-DE", forHTTPHeaderField: "Accept-Language")

    _ = try await scene.load(request)

    let sent = try #require(scene.server.requests.first, "The request never reached the server.")
    #expect(sent.authorization == "Bearer valid-token", "Send the access token as `Authorization: Bearer <token>`.")
    #expect(sent.value(forHTTPHeaderField: "Accept-Language") == "de-DE", "The request lost a header on the way.")
  }

  @Test("it takes the place of a token that the request brings along")
  func replacesToken() async throws {
    let scene = Scene(credentials: .valid)
    var request = scene.request()
    request.setValue("Bearer of-yesterday", forHTTPHeaderField: "Authorization")

    _ = try await scene.load(request)

    #expect(
      scene.server.requests.map(\.authorization) == ["Bearer valid-token"],
      "The token of the user who is signed in is on each request: set the header, whatever stands there.")
  }

  @Test("the token is looked up at each request")
  func readsTheStoreEachTime() async throws {
    let scene = Scene(credentials: .valid)
    let sut = scene.makeSUT()

    try await scene.load(with: sut)
    scene.store.credentials?.accessToken = "another-token"
    try await scene.load(with: sut)

    #expect(
      scene.server.requests.map(\.authorization) == ["Bearer valid-token", "Bearer another-token"],
      "Somebody else may have signed in between two requests: ask the store at each one.")
  }

  @Test("credentials that are still valid are not refreshed", arguments: [3599.0, 0.001])
  func keepsValidCredentials(secondsLeft: TimeInterval) async throws {
    let scene = Scene(credentials: .valid)
    scene.clock.advance(by: 3600 - secondsLeft)

    _ = try await scene.load()

    #expect(
      scene.server.paths == ["/articles"],
      "The token is good for another \(secondsLeft) seconds: the request goes out at once, and nothing else does.")
  }

  @Test("expired credentials are refreshed first, with the refresh token")
  func refreshesFirst() async throws {
    let scene = Scene(credentials: .expired)

    _ = try await scene.load()

    #expect(scene.server.paths == ["/token", "/articles"], "Refresh first, once; then send the request, once.")
    let refresh = try #require(scene.server.requests.first, "Nothing was sent at all.")
    let expected = TokenEndpoint.refreshRequest(to: scene.server.url("/token"), refreshToken: "refresh-1")
    #expect(refresh.httpMethod == "POST", "`TokenEndpoint.refreshRequest` makes the request that the back end wants.")
    #expect(refresh.httpBody == expected.httpBody, "The refresh pays with the refresh token of the stored credentials.")
  }

  @Test("credentials expire at the very moment that they name")
  func refreshesAtExpiry() async throws {
    let scene = Scene(credentials: .valid)
    scene.clock.advance(by: 3600)

    _ = try await scene.load()

    #expect(
      scene.server.paths == ["/token", "/articles"],
      "`expiresAt` is the first moment at which the token is no longer taken: at `now() == expiresAt` it has expired.")
  }

  @Test("after the refresh the request carries the new token, and its answer comes back")
  func sendsWithNewToken() async throws {
    let scene = Scene(credentials: .expired)
    var request = scene.request()
    request.httpMethod = "POST"
    request.setValue("de-DE", forHTTPHeaderField: "Accept-Language")
    request.httpBody = Data("a new article".utf8)

    let (data, _) = try await scene.load(request).expectSuccess("The refresh went well and the server answered.")

    let sent = try #require(scene.server.requests.last, "Nothing was sent at all.")
    #expect(sent.authorization == "Bearer new-token", "The refresh brought a new token: the request has to carry it.")
    #expect(sent.httpMethod == "POST", "The request lost its method while it waited for the refresh.")
    #expect(sent.value(forHTTPHeaderField: "Accept-Language") == "de-DE", "The request lost a header while it waited.")
    #expect(sent.httpBody == request.httpBody, "The request lost its body while it waited for the refresh.")
    #expect(data == Data(#"["Around, not inside"]"#.utf8), "The caller wants the answer to its request, not to the refresh.")
  }

  @Test("the new credentials are in the store before the request goes out")
  func storesBeforeSending() async throws {
    let scene = Scene(credentials: .expired)
    let storedWhenSent = Inbox<Credentials?>()
    scene.server.answer("/articles") { [store = scene.store] _ in
      storedWhenSent.receive(store.credentials)
      return .articles
    }

    _ = try await scene.load()

    #expect(
      storedWhenSent.values == [.renewed],
      "Store the new credentials before you send, or a request that comes meanwhile refreshes again.")
  }

  @Test("new credentials are valid from the answer on, however long the refresh has taken")
  func countsFromTheAnswer() async throws {
    let scene = Scene(credentials: .expired)
    scene.server.answer("/token") { [clock = scene.clock] _ in
      clock.advance(by: 600)
      return .renewedCredentials
    }

    _ = try await scene.load()

    #expect(
      scene.store.credentials?.expiresAt == scene.clock.date.addingTimeInterval(900),
      "The server counts its 900 seconds from its answer: ask `now()` for the time when the answer is there, and not before.")
  }

  @Test("the request after that goes out without another refresh")
  func refreshesOnce() async throws {
    let scene = Scene(credentials: .expired)
    let sut = scene.makeSUT()

    try await scene.load(with: sut)
    try await scene.load(with: sut)

    #expect(
      scene.server.paths == ["/token", "/articles", "/articles"],
      "The first request has refreshed the credentials: the second finds valid ones in the store.")
    #expect(
      scene.server.requests.last?.authorization == "Bearer new-token",
      "The second request has to carry the token that the refresh brought.")
  }

  @Test(
    "a refresh that fails ends the session, and nothing is sent",
    arguments: [
      StubServer.Answer.failure(.notConnectedToInternet), .notHTTP,
      .response(400, body: Data(#"{"error": "invalid_grant"}"#.utf8)), .response(401), .response(500),
      .response(200, body: Data("?".utf8)),
      .permanentBlock,
    ])
  func failsWithoutRefresh(tokenAnswer: StubServer.Answer) async throws {
    let scene = Scene(credentials: .expired)
    scene.server.answer("/token", with: tokenAnswer)

    try await scene.load().expectFailure(
      HTTPClientError.sessionExpired, "There are no new credentials: deliver `HTTPClientError.sessionExpired`.")

    #expect(scene.server.paths == ["/token"], "Without new credentials the request must not be sent, nor the refresh repeated.")
    #expect(scene.store.credentials == .expired, "The refresh may work next time: leave the stored credentials as they are.")
    #expect(scene.blockList.blocks == 0, "Only the answer to a request can block the account, not the answer to a refresh.")
  }

  @Test("after a refresh that failed, the next request tries again")
  func triesAgainNextTime() async throws {
    let scene = Scene(credentials: .expired)
    let sut = scene.makeSUT()

    scene.server.answer("/token", with: .failure(.notConnectedToInternet))
    try await scene.load(with: sut)
    scene.server.answer("/token", with: .renewedCredentials)
    _ = try await scene.load(with: sut).expectSuccess("The network is back: this request refreshes again, and is sent.")

    #expect(scene.server.paths == ["/token", "/token", "/articles"], "Each request that finds expired credentials refreshes.")
  }

  @Test("after a refresh, what the request brings is delivered as it is", arguments: [404, 500, nil])
  func deliversWhatComesAfterRefresh(status: Int?) async throws {
    let scene = Scene(credentials: .expired)
    scene.server.answer("/articles", with: status.map { .response($0) } ?? .failure(.timedOut))

    let answer = try await scene.load()

    if let status {
      let (_, response) = try answer.expectSuccess("The server answered with \(status): that is an answer, refresh or not.")
      #expect(response.statusCode == status, "The status has to come back as the server sent it.")
    } else {
      #expect(
        (answer.failure as? URLError)?.code == .timedOut, "The refresh went well, and then the network failed: deliver its error."
      )
    }
  }

  @Test("two requests that find the same expired credentials both get their answer", arguments: RefreshOutcome.allCases)
  func answersBoth(refresh: RefreshOutcome) async throws {
    let scene = Scene(credentials: .expired)
    let sut = scene.makeSUT()
    let answers = Inbox<HTTPResult>()
    if refresh == .fails { scene.server.answer("/token", with: .response(400)) }

    for _ in 1...2 { sut.load(scene.request(), completion: answers.receive) }

    let bothCame = await answers.receives(2)
    try #require(bothCame, "Two requests found expired credentials, and only \(answers.values.count) got an answer.")
    for answer in answers.values {
      #expect((answer.failure == nil) == (refresh == .succeeds), "Both requests share the fate of the refresh.")
    }
  }

  @Test("when nobody is signed in, nothing is sent")
  func needsCredentials() async throws {
    let scene = Scene(credentials: nil)

    try await scene.load().expectFailure(
      HTTPClientError.signedOut, "The store has no credentials: deliver `HTTPClientError.signedOut`.")

    #expect(scene.server.paths.isEmpty, "Without credentials there is nothing to send, and nothing to refresh.")
  }
}

/// How a refresh ends.
enum RefreshOutcome: CaseIterable {
  case succeeds
  case fails
}
