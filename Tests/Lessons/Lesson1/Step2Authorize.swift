import Given
import TestSupport
import Testing

@Suite("Step 2: authorize", .oneAtATime)
struct Step2Authorize {
  @Test("nothing is sent while no one is signed in")
  func needsCredentials() async throws {
    let app = App(nil)

    let result = try await app.load()

    #expect(app.server.paths.isEmpty, "If the store has no credentials, send nothing.")
    result.expectFailure(HTTPClientError.signedOut, "If the store has no credentials, deliver `HTTPClientError.signedOut`.")
  }

  @Test("a request carries the access token")
  func addsBearerToken() async throws {
    let app = App(.valid)

    try await app.load()

    #expect(
      app.server.requests.map(\.authorization) == ["Bearer valid-token"],
      """
      Set `Authorization: Bearer <token>` on a copy of the request, and send the copy. Valid credentials need no refresh: compare \
      `expiresAt` with `now()`, since a clock of the system, such as `Date()`, shows another time.
      """)
  }

  @Test("the access token replaces the caller's `Authorization` header")
  func replacesToken() async throws {
    try await each("header", in: ["Bearer callers-token", "Basic callers-password"]) { header in
      let app = App(.valid)
      var request = app.request()
      request.setValue(header, forHTTPHeaderField: "Authorization")

      try await app.load(request)

      #expect(
        app.server.requests.map(\.authorization) == ["Bearer valid-token"],
        "The request should carry no token other than the stored one: set the header instead of adding to it.")
    }
  }

  @Test("the store is read for every request")
  func readsTheStoreEachTime() async throws {
    try await each("first credentials", in: [Credentials.valid, .expired]) { first in
      let app = App(first)
      let sut = app.makeManager()

      try await app.load(with: sut)
      app.store.stored = Credentials(
        accessToken: "graces-token", refreshToken: "graces-refresh", expiresAt: app.clock.date.addingTimeInterval(60))
      try await app.load(with: sut)

      #expect(
        app.server.requests.last?.sentToken == "graces-token",
        "Another user has signed in since the last request. Read the store on every request, and keep nothing of it.")
    }
  }

  @Test("expired credentials are refreshed before the request is sent")
  func refreshesFirst() async throws {
    let app = App(.expired)
    let sut = app.makeManager()
    var request = app.request()
    (request.httpMethod, request.httpBody) = ("POST", Data("a long article".utf8))
    request.setValue("Bearer callers-token", forHTTPHeaderField: "Authorization")

    try await app.load(request, with: sut)
    #expect(
      app.server.paths == ["/token", "/articles"], "If the credentials have expired, refresh them, and then send the request.")
    let sent = try #require(app.server.requests.last, "After the refresh, send the request.")
    #expect(sent.sentToken == "new-token", "After the refresh, send the request with the new token.")
    expectUnchanged(sent, from: request, except: "Authorization")
    #expect(app.store.writes.values == [.renewed], "The store should hold the new credentials, with the lifetime that they have.")

    try await app.load(with: sut)
    #expect(
      app.server.requests.dropFirst(2).map(\.sentToken) == ["new-token"],
      "The next request finds the new credentials in the store, so it needs no refresh.")
  }

  @Test("a new token is sent even if it has already expired")
  func refreshesOnce() async {
    let (app, results) = (App(.expired), Inbox<HTTPResult>())
    app.server.respond(to: "/token", with: .response(200, body: Data(#"{"access_token": "short-lived", "expires_in": 0}"#.utf8)))

    app.makeManager().load(app.request(), completion: results.receive)
    await results.receives(1)

    let refreshes = app.server.paths.count { $0 == "/token" }
    #expect(refreshes == 1, "Refresh once for each request, and send it with what the refresh has obtained.")
    #expect(
      app.server.requests.last?.sentToken == "short-lived" && results.values.map(\.inWords) == ["200"],
      "Send the request with the new token, even if it has already expired.")
  }

  @Test("a refresh without a new refresh token leaves the old one stored")
  func keepsTheRefreshToken() async throws {
    let app = App(.expired)
    app.server.respond(to: "/token", with: .response(200, body: Data(#"{"access_token": "new-token", "expires_in": 900}"#.utf8)))

    try await app.load()

    let (date, old) = (app.clock.date.addingTimeInterval(900), Credentials.expired.refreshToken)
    #expect(
      app.store.stored == Credentials(accessToken: "new-token", refreshToken: old, expiresAt: date),
      "If the response to a refresh contains no new refresh token, the old one stays valid. Store it with the new access token.")
  }

  @Test("credentials have expired if `now() >= expiresAt`")
  func refreshesAtExpiry() async throws {
    try await each(
      "lifetime and age in seconds", in: [(3600.5, 3600.25), (3600.5, 3600.5), (0.00048828125, 0.000244140625), (1e11, 3600)]
    ) { (lifetime: TimeInterval, age: TimeInterval) in
      let app = App(.valid(for: lifetime))
      let manager = app.makeManager()
      app.clock.advance(by: age)

      try await app.load(with: manager)

      #expect(
        app.server.paths == (age < lifetime ? ["/articles"] : ["/token", "/articles"]),
        "Refresh at `expiresAt` or later, but not before. For each request, compare `now()` with `expiresAt`.")
    }
  }

  @Test("if the refresh fails, its error is delivered")
  func deliversTheFailureOfTheRefresh() async throws {
    try await each(
      "failure", in: [StubServer.Response.refusedRefresh, .failure(.notConnectedToInternet), .response(500), .notHTTP]
    ) {
      failure in
      let app = App(.expired)
      let sut = app.makeManager()

      app.server.respond(to: "/token", with: failure)
      let result = try await app.load(with: sut)
      #expect(result.inWords == failure.refreshResult, "If the refresh fails, deliver its error.")
      #expect(app.server.paths == ["/token"], "If the refresh fails, send nothing else.")

      app.server.respond(to: "/token", with: .renewedCredentials)
      try await app.load(with: sut)
      #expect(
        app.server.paths == ["/token", "/token", "/articles"], "After a failed refresh, the next request should start another.")
    }
  }

  @Test("`load` does not wait for a refresh")
  func doesNotWait() async {
    let (app, results) = (App(.expired, respondingOn: .newBackgroundQueue), Inbox<HTTPResult>())
    let isReleased = DispatchSemaphore(value: 0)
    app.server.respond(to: "/token") { _ in
      isReleased.wait(atMost: 10)
      return .renewedCredentials
    }

    let hasReturned = await returns { app.makeManager().load(app.request(), completion: results.receive) }
    isReleased.signal()
    await results.receives(1)

    #expect(
      hasReturned,
      "A refresh is in flight, and `load` does not return. It should return at once: use the completion of the refresh.")
    #expect(results.values.map(\.inWords) == ["200"], "When the refresh ends, the request that needs it should be sent.")
  }

  @Test("each request that waits for a refresh gets its own response")
  func sendsEachThatWaits() async {
    let (app, areLoaded) = (App(.expired, respondingOn: .newBackgroundQueue), DispatchSemaphore(value: 0))
    let results = Inbox<(number: Int, body: String?)>()
    app.server.respond(to: "/token") { _ in
      areLoaded.wait(atMost: 10)
      areLoaded.signal()
      return .renewedCredentials
    }
    for number in 1...3 { app.server.respond(to: "/\(number)", with: .response(200, body: Data("\(number)".utf8))) }

    let sut = app.makeManager()
    for number in 1...3 { sut.load(app.request("/\(number)")) { results.receive((number, $0.text)) } }
    areLoaded.signal()
    await results.receives(3)

    #expect(
      results.values.map(\.number).sorted() == [1, 2, 3] && results.values.allSatisfy { $0.body == "200 \($0.number)" },
      "Three requests were loaded before a refresh had ended. Each should be sent, and get its own response: what do they share?")
  }

  @Test("a 401 is delivered and starts no refresh")
  func deliversA401() async throws {
    let app = App(.valid)
    app.server.respond(to: "/articles", with: .response(401))

    let result = try await app.load()

    #expect(
      result.inWords == "401" && app.server.paths == ["/articles"],
      "A 401 is a response like any other. Deliver it, and let the caller decide what it means.")
  }

  @Test("when the last result has been delivered, the manager is released")
  func isReleased() async throws {
    try await each("refresh", in: [StubServer.Response.renewedCredentials, .refusedRefresh, .failure(.timedOut)]) { response in
      let app = App(.expired)
      app.server.respond(to: "/token", with: response)
      let retained: Comment = "The app has released the manager, and nothing is in flight. Which closure still retains it?"

      try await expectReleased(retained) { leaks in
        let result = try await app.load(with: app.makeManager(tracking: leaks))
        #expect(
          !(result.failure is Unfinished), "Nothing has been sent. What this test is about comes after that: send the request.")
      }
    }
  }
}
