import Given
import TestSupport
import Testing

// Later lessons make the same promises: they compile this file again, with a `Scene` and a suite of their own.
extension Refreshing {
  @Test("expired credentials are refreshed before the request is sent")
  func refreshesFirst() async throws {
    let scene = Scene(credentials: .expired)

    _ = try await scene.load()

    #expect(
      scene.server.paths == ["/token", "/articles"],
      "The server should receive one refresh, and then the request. Send the request when the refresh has succeeded.")
    let refresh = try #require(scene.server.requests.first, "No request reached the server. Check that the refresh is sent.")
    let expected = TokenEndpoint.refreshRequest(to: scene.server.url("/token"), refreshToken: "refresh-1")
    #expect(refresh.httpMethod == "POST", "The refresh should be a POST. Build it with `TokenEndpoint.refreshRequest`.")
    #expect(
      refresh.httpBody == expected.httpBody,
      "The refresh should contain the stored refresh token. Build it with `TokenEndpoint.refreshRequest`.")
  }

  @Test("the refresh carries no access token")
  func refreshesWithoutAccessToken() async throws {
    let scene = Scene(credentials: .expired)

    _ = try await scene.load()

    let refresh = try #require(scene.server.requests.first, "No request reached the server. Check that the refresh is sent.")
    #expect(
      refresh.authorization == nil,
      "The refresh should have no `Authorization` header. Send it as `TokenEndpoint.refreshRequest` returns it.")
  }

  @Test("credentials count as expired at `expiresAt` and later")
  func refreshesAtExpiry() async throws {
    try await each("lifetime", in: [3600, 3600.5]) { (lifetime: TimeInterval) in
      let scene = Scene()
      scene.store.credentials = .valid(for: lifetime, on: scene.clock)
      scene.clock.advance(by: lifetime)

      _ = try await scene.load()

      #expect(
        scene.server.paths == ["/token", "/articles"],
        "The credentials have expired when `now() == expiresAt`. Refresh them, and compare dates without rounding.")
    }
  }

  @Test("after a refresh, the request is unchanged except for its token")
  func sendsWithNewToken() async throws {
    let scene = Scene(credentials: .expired)
    var request = scene.request("/articles?page=2")
    request.httpMethod = "POST"
    request.cachePolicy = .returnCacheDataElseLoad
    request.timeoutInterval = 7
    request.setValue("de-DE", forHTTPHeaderField: "Accept-Language")
    request.httpBodyStream = InputStream(data: Data("a new article".utf8))
    scene.server.respond(to: "/token") { [clock = scene.clock] _ in
      clock.advance(by: 5)
      return .renewedCredentials
    }

    let (data, _) = try await scene.load(request).expectSuccess(
      "After a successful refresh, the request should be sent, and its response delivered.")

    let sent = try #require(scene.server.requests.last, "No request reached the server. Check that the request is sent.")
    #expect(
      sent.authorization == "Bearer new-token",
      "The request should carry the new access token. Check which credentials it is sent with.")
    #expect(sent.url == request.url, "The request should have the caller's URL, with its query. Send it unchanged.")
    #expect(
      sent.httpMethod == "POST", "The request should keep the caller's method after a refresh. Change a copy of the request.")
    #expect(
      sent.value(forHTTPHeaderField: "Accept-Language") == "de-DE",
      "The request should keep the caller's headers after a refresh. Change a copy of the request.")
    #expect(
      sent.httpBody == Data("a new article".utf8),
      "The request should keep the caller's `httpBodyStream` after a refresh. Change a copy of the request.")
    #expect(
      sent.cachePolicy == request.cachePolicy && sent.timeoutInterval == request.timeoutInterval,
      "The request should keep the caller's cache policy and timeout after a refresh. Change a copy of the request.")
    #expect(
      data == Data(#"["Around, not inside"]"#.utf8),
      "The completion should receive the response to the request. Do not deliver the refresh's own response.")
  }

  @Test("the new credentials are stored before the request is sent")
  func storesBeforeSending() async throws {
    let scene = Scene(credentials: .expired)
    let storedWhenSent = Inbox<Credentials?>()
    scene.server.respond(to: "/articles") { [store = scene.store] _ in
      storedWhenSent.receive(store.credentials)
      return .articles
    }

    _ = try await scene.load()

    #expect(
      storedWhenSent.values == [.renewed],
      "The store should hold the new credentials when the request is sent. Store them before you send it.")
  }

  @Test("a new token's lifetime may start with the refresh or its response")
  func countsFromTheRefresh() async throws {
    let scene = Scene(credentials: .expired)
    let asked = scene.clock.date
    scene.server.respond(to: "/token") { [clock = scene.clock] _ in
      clock.advance(by: 600)
      return .renewedCredentials
    }
    scene.server.respond(to: "/articles") { [clock = scene.clock] _ in
      clock.advance(by: 3600)
      return .articles
    }

    _ = try await scene.load()

    let lifetime = try #require(
      scene.store.credentials?.expiresAt.timeIntervalSince(asked), "The store should hold credentials. Store the new ones.")
    #expect(
      900...1500 ~= lifetime,
      "The new lifetime of 900 seconds should start with the refresh or with its response. Pass the date of either one as `now`.")
  }

  @Test("when refreshes overlap, each new token keeps its own lifetime")
  func countsEachLifetime() async throws {
    let scene = Scene(credentials: .expired, respondingOn: BackgroundQueue.serial.queue)
    let (sut, request, asked) = (Locked(scene.makeSUT()), scene.request(), scene.clock.date)
    let (refreshes, results) = (Inbox<Void>(), Inbox<HTTPResult>())
    // The second request arrives during the refresh for the first one. It may share that refresh or start another.
    scene.server.respond(to: "/token") { [clock = scene.clock] _ in
      refreshes.receive(())
      guard refreshes.values.count == 1 else { return .otherCredentials }
      clock.advance(by: 100)
      sut.withLock { $0 }.load(request, completion: results.receive)
      clock.advance(by: 100)
      return .renewedCredentials
    }

    sut.withLock { $0 }.load(request, completion: results.receive)
    await results.receives(1)
    try #require(
      !refreshes.values.isEmpty, "The stored credentials have expired, and no refresh was sent. Refresh them before the request.")
    await results.receives(2)

    let first = scene.store.writes.values.first { $0?.accessToken == "new-token" }?.map(\.expiresAt)
    let lifetime = try #require(
      first?.timeIntervalSince(asked),
      "The new credentials should be stored, even if another request is loaded during the refresh.")
    #expect(
      lifetime == 900 || lifetime == 1100,
      """
      A second request was loaded 100 seconds after the first refresh was sent, and 100 seconds before its response arrived. The \
      lifetime should start at one of these two moments of the same refresh. Keep no date in a property that refreshes share.
      """)
  }

  @Test("after a refresh, the next request finds the new credentials")
  func refreshesOnce() async throws {
    let scene = Scene(credentials: .expired)
    let sut = scene.makeSUT()

    try await scene.load(with: sut)
    try await scene.load(with: sut)

    #expect(
      scene.server.paths == ["/token", "/articles", "/articles"],
      "The second request should find valid credentials. Store the new ones, and do not refresh them again.")
    #expect(
      scene.server.requests.last?.authorization == "Bearer new-token",
      "The second request should carry the new access token. Read the store on every request.")
  }

  @Test("one request causes at most one refresh")
  func refreshesAtMostOnce() async throws {
    let scene = Scene(credentials: .expired)
    let refreshes = Inbox<Void>()
    scene.server.respond(to: "/token") { _ in
      refreshes.receive(())
      return refreshes.values.count == 1 ? .expiredCredentials : .renewedCredentials
    }

    _ = try await scene.load()

    #expect(
      scene.server.paths == ["/token", "/articles"],
      "The request should be sent with the new credentials, even if they have already expired. Otherwise, it may refresh forever."
    )
  }

  @Test("a refused refresh ends the session")
  func endsTheSession() async throws {
    try await each("refusal", in: [StubServer.Response.refusedRefresh, .refusedWithDescription]) { refusal in
      let scene = Scene(credentials: .expired)
      scene.server.respond(to: "/token", with: refusal)

      try await scene.load().expectFailure(
        HTTPClientError.sessionExpired, "If the token endpoint refuses the refresh, deliver `HTTPClientError.sessionExpired`.")

      expectNothingHappened(in: scene)
    }
  }

  @Test("a refresh failure other than a refusal is delivered unchanged")
  func deliversOtherFailures() async throws {
    try await each(
      "failure",
      in: [
        StubServer.Response.failure(.notConnectedToInternet), .failure(.networkConnectionLost), .failure(.timedOut),
        .failure(.cannotFindHost), .failure(.secureConnectionFailed), .failure(.userAuthenticationRequired), .failure(.cancelled),
        .error(domain: "com.example.vpn", code: 7), .notHTTP,
        .response(200, body: Data("?".utf8)), .response(200, body: Data("{}".utf8)), .response(204), .response(400),
        .response(400, body: Data(#"{"error": "invalid_request"}"#.utf8)),
        .response(401, body: Data(#"{"error": "invalid_client"}"#.utf8)), .permanentBlock, .response(429), .response(500),
        .response(503, body: Data(#"{"error": "invalid_grant"}"#.utf8)),
      ]
    ) { failure in
      let scene = Scene(credentials: .expired)
      scene.server.respond(to: "/token", with: failure)

      let result = try await scene.load()

      try #require(
        result.failure.map(failure.causes) == true,
        """
        If the refresh fails for any reason other than a refusal, its error should be delivered unchanged. \
        Delivered instead: \(result.failure.map { "\($0)" } ?? "a response")
        """)
      expectNothingHappened(in: scene)
    }
  }

  @Test("after a failed refresh, the next request refreshes again")
  func refreshesAgainNextTime() async throws {
    try await each(
      "failure",
      in: [
        StubServer.Response.failure(.notConnectedToInternet), .failure(.cancelled), .error(domain: "com.example.vpn", code: 7),
        .notHTTP, .response(200, body: Data("?".utf8)), .response(204), .response(400), .permanentBlock, .response(500),
        .refusedRefresh,
      ]
    ) { failure in
      let scene = Scene(credentials: .expired)
      let sut = scene.makeSUT()

      scene.server.respond(to: "/token", with: failure)
      try await scene.load(with: sut)
      scene.server.respond(to: "/token", with: .renewedCredentials)
      _ = try await scene.load(with: sut).expectSuccess(
        "After a failed refresh, the next request should refresh again and be sent. Check what a failed refresh changes.")

      #expect(
        scene.server.paths == ["/token", "/token", "/articles"],
        "Each request should refresh expired credentials, even if the last refresh failed. Check what a failed refresh changes.")
    }
  }

  @Test("after a refresh, the request's result is delivered unchanged")
  func deliversResultAfterRefresh() async throws {
    try await each("status", in: [404, 500, nil]) { (status: Int?) in
      let scene = Scene(credentials: .expired)
      scene.server.respond(to: "/articles", with: status.map { .response($0) } ?? .failure(.timedOut))

      let result = try await scene.load()

      if let status {
        let (_, response) = try result.expectSuccess(
          "A response with status \(status) should be delivered unchanged, even after a refresh. Do not judge the status.")
        #expect(response.statusCode == status, "The response should have the status that the server sent. Deliver it unchanged.")
      } else {
        #expect(
          (result.failure as? URLError)?.code == .timedOut,
          "If the request fails after a successful refresh, the session's error should be delivered. Pass it on unchanged.")
      }
    }
  }

  @Test("two requests with the same expired credentials both complete")
  func completesBoth() async throws {
    try await each(
      "refresh and result",
      in: [
        (StubServer.Response.renewedCredentials, "200"), (.refusedRefresh, "sessionExpired"),
        (.failure(.notConnectedToInternet), "URLError -1009"),
      ]
    ) { refresh, result in
      let scene = Scene(credentials: .expired)
      let sut = scene.makeSUT()
      let results = Inbox<HTTPResult>()
      scene.server.respond(to: "/token", with: refresh)

      for _ in 1...2 { sut.load(scene.request(), completion: results.receive) }

      let isComplete = await results.receives(2)
      try #require(
        scene.server.paths.contains("/token"),
        "The stored credentials have expired, and no refresh was sent. Refresh them before the request.")
      try #require(
        isComplete, "Two requests were loaded, but only \(results.values.count) completed. Check that every call completes.")
      #expect(
        results.values.map(\.inWords) == [result, result],
        "Each request should get \(result), whether or not the two share a refresh. Check what happens to the second request.")
    }
  }

  /// Checks that a failed refresh has had no effect.
  private func expectNothingHappened(in scene: Scene, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      scene.server.paths == ["/token"],
      "The server should receive one refresh and nothing else. After a failed refresh, send no request and no second refresh.",
      sourceLocation: sourceLocation)
    #expect(
      scene.store.credentials == .expired,
      "The store should be unchanged. The next refresh may succeed, so leave the store alone.",
      sourceLocation: sourceLocation)
    #expect(
      scene.blockList.blocks == 0,
      "The account should not be blocked. Only the response to a request can announce a block, not the response to a refresh.",
      sourceLocation: sourceLocation)
  }
}

extension StubServer.Response {
  /// A refusal that contains more than the error's name.
  fileprivate static let refusedWithDescription = Self.response(
    400, body: Data(#"{"error_description": "revoked", "error": "invalid_grant"}"#.utf8))

  /// The response to a second refresh.
  fileprivate static let otherCredentials = Self.response(
    200, body: Data(#"{"access_token": "other-token", "refresh_token": "refresh-3", "expires_in": 900}"#.utf8))

  /// Credentials that have expired when they arrive.
  fileprivate static let expiredCredentials = Self.response(
    200, body: Data(#"{"access_token": "new-token", "refresh_token": "refresh-2", "expires_in": 0}"#.utf8))
}
