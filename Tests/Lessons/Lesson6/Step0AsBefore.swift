import Given
import TestSupport
import Testing

import typealias TestSupport.HTTPResult

@testable import Exercise6

@Suite("unchanged: what Lesson 1's manager does", .oneAtATime)
struct Step0AsBefore {
  @Test("one call sends one request")
  func sendsOnce() async {
    let (app, results) = (App(), Inbox<HTTPResult>())

    app.client(.debug).load(app.request("/articles"), completion: results.receive)

    #expect(await results.receives(1), "The completion was never called. Does a closure capture `self` weakly?")
    #expect(
      app.server.paths == ["/articles"],
      "The credentials are valid by the clock `now`, so the server should receive one request for each call to `load`.")
  }

  @Test("the server receives the request that the caller made")
  func sendsUnchanged() async throws {
    try await each("body stream", in: [false, true]) { isStream in
      let (app, body) = (App(), Data("a long article".utf8))
      var request = app.request("/articles?page=2&order=new")
      request.httpMethod = "POST"
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      if isStream { request.httpBodyStream = InputStream(data: body) } else { request.httpBody = body }

      try await app.load(request)

      let sent = try #require(app.server.requests.first, "No request reached the server. Check that the request is sent.")
      request.httpBody = body
      expectUnchanged(sent, from: request, except: "Authorization")
    }
  }

  @Test("a response or an error is delivered, unless a block is announced")
  func deliversEveryResult() async throws {
    try await each(
      "response",
      in: [
        StubServer.Response.response(204), .response(404, body: Data("why".utf8)), .response(500), .response(403),
        .response(403, body: Data(#"{"error": "not_your_article"}"#.utf8)), .failure(.timedOut),
        .failure(.networkConnectionLost, afterHead: 200), .notHTTP,
      ]
    ) { response in
      let app = App()
      app.server.respond(to: "/articles", with: response)

      let result = try await app.load()

      #expect(
        result.told == response.result,
        "Only the announcement of a block has a meaning of its own. Deliver anything else as it is.")
      #expect(app.server.paths == ["/articles"], "The request should be sent once. Leave retries to the caller.")
    }
  }

  @Test("nothing is sent while no one is signed in")
  func needsCredentials() async throws {
    let app = App(nil)

    let result = try await app.load()

    #expect(app.server.paths.isEmpty, "If the store has no credentials, send nothing.")
    result.expectFailure(HTTPClientError.signedOut, "If the store has no credentials, deliver `signedOut`.")
  }

  @Test("the token in the store replaces the caller's `Authorization` header")
  func replacesToken() async throws {
    let app = App()
    let client = app.client(.debug)
    var request = app.request()
    request.setValue("Basic callers-password", forHTTPHeaderField: "Authorization")

    try await app.load(request, with: client)
    app.store.stored = .renewed
    try await app.load(request, with: client)

    #expect(
      app.server.requests.map(\.authorization) == ["Bearer valid-token", "Bearer new-token"],
      "Read the store on every request, and set `Authorization: Bearer <token>` on a copy of it.")
  }

  @Test("expired credentials are refreshed before the request is sent")
  func refreshesFirst() async throws {
    let app = App(.valid(for: 60))
    let client = app.client(.debug)

    app.clock.advance(by: 59.75)
    try await app.load(with: client)
    app.clock.advance(by: 0.25)
    try await app.load(with: client)

    #expect(
      app.server.paths == ["/articles", "/token", "/articles"],
      "Refresh at `expiresAt` or later, but not before. Each request compares `expiresAt` with `now()`.")
    #expect(
      app.server.requests.last?.sentToken == "new-token" && app.store.writes.values.map { $0?.accessToken } == ["new-token"],
      "Store the new credentials, and send the request with the new token.")
  }

  @Test("if the refresh fails, its error is delivered")
  func deliversTheFailureOfTheRefresh() async throws {
    try await each("response", in: [StubServer.Response.refusedRefresh, .failure(.notConnectedToInternet)]) { response in
      let app = App(.expired)
      let client = app.client(.debug)

      app.server.respond(to: "/token", with: response)
      let result = try await app.load(with: client)
      #expect(result.inWords == response.refreshResult, "If the refresh fails, deliver its error.")
      #expect(app.server.paths == ["/token"], "If the refresh fails, don't send the request.")

      app.server.respond(to: "/token", with: .renewedCredentials)
      try await app.load(with: client)
      #expect(
        app.server.paths == ["/token", "/token", "/articles"], "After a failed refresh, the next request should start another.")
    }
  }

  @Test("the response to a refresh request never changes the block list")
  func ignoresBlocksInRefreshes() async throws {
    let app = App(.expired)
    app.server.respond(to: "/token", with: .permanentBlock)

    try await app.load()

    #expect(!app.blockList.isBlocked, "The response to a refresh must not block the account.")
  }

  @Test("for a blocked account, nothing is sent, not even a refresh request")
  func sendsNothing() async throws {
    let app = App(.expired)
    app.blockList.isBlocked = true

    let result = try await app.load()

    #expect(app.server.paths.isEmpty, "If the account is on the block list, send nothing at all.")
    result.expectFailure(HTTPClientError.permanentlyBlocked, "If the account is on the block list, deliver `permanentlyBlocked`.")
  }

  @Test("an announced block puts the account on the block list")
  func recordsBlock() async throws {
    try await each("expired", in: [false, true]) { isExpired in
      let (app, results, wasListed) = (App(isExpired ? .expired : .valid), Inbox<HTTPResult>(), Inbox<Bool>())
      app.server.respond(to: "/articles", with: .permanentBlock)

      app.client(.debug).load(app.request()) { result in
        wasListed.receive(app.blockList.isBlocked)
        results.receive(result)
      }

      let rule = "If a response announces a block, first add the account to the list, then deliver `permanentlyBlocked`."
      let result = try await results.only("\(rule) Nothing was delivered.")
      #expect(wasListed.values == [true] && app.blockList.blocks == 1, "\(rule)")
      result.expectFailure(HTTPClientError.permanentlyBlocked, "\(rule)")
    }
  }

  @Test("a block takes effect even if the app has released the client")
  func blocksAfterTheRelease() async throws {
    let (app, results) = (App(respondingOn: .newBackgroundQueue), Inbox<HTTPResult>())
    let isReleased = DispatchSemaphore(value: 0)
    app.server.respond(to: "/articles") { _ in
      isReleased.wait(atMost: 10)
      return .permanentBlock
    }

    app.client(.debug).load(app.request(), completion: results.receive)
    isReleased.signal()

    let remark = "The app has released the client, with a request in flight. Don't capture `self` weakly."
    let result = try await results.only("The result was lost. \(remark)")
    #expect(app.blockList.isBlocked, "The response has announced a block, but the account is not on the list. \(remark)")
    result.expectFailure(HTTPClientError.permanentlyBlocked, "The response has announced a block.")
  }

  @Test("the block list is checked for every request")
  func checksEachTime() async throws {
    let app = App()
    let client = app.client(.debug)

    app.blockList.isBlocked = true
    let blocked = try await app.load(with: client)
    app.blockList.isBlocked = false
    let unblocked = try await app.load(with: client)

    #expect(
      [blocked, unblocked].map(\.inWords) == ["permanentlyBlocked", "200"],
      "The account may be removed from the block list later. Check the list on every request.")
  }

  @Test("requests that overlap have their own results, and may load again")
  func mixesNothing() async throws {
    let (app, results) = (App(respondingOn: .newBackgroundQueue), Inbox<String>())
    let bothAreInFlight = DispatchSemaphore(value: 0)
    for path in ["/1", "/2", "/3", "/4"] { app.server.respond(to: path, with: .response(200, body: Data(path.utf8))) }
    app.server.respond(to: "/1") { _ in
      bothAreInFlight.wait(atMost: 10)
      return .response(200, body: Data("/1".utf8))
    }
    let client = app.client(.debug)
    let load = { (path: String, end: @escaping () -> Void) in
      client.load(app.request(path)) { result in
        results.receive("\(path): \(result.text ?? result.inWords)")
        end()
      }
    }

    load("/1") { onAnotherThread(for: 10) { load("/3") {} } }
    load("/2") { load("/4") {} }
    bothAreInFlight.signal()

    await results.receives(4)
    #expect(
      results.values.sorted() == ["/1: 200 /1", "/2: 200 /2", "/3: 200 /3", "/4: 200 /4"],
      "Two requests were in flight, and each completion has loaded another. Each has its own result. Hold no lock while you call a completion."
    )
  }

  @Test("when the app has released a client, nothing of it stays alive")
  func retainsNothing() async throws {
    try await each(
      "environment", in: [HTTPClientFactory.Environment.debug, .production, .guest],
      "response to a refresh", in: [StubServer.Response.renewedCredentials, .refusedRefresh]
    ) { environment, response in
      let app = App(.expired)
      app.server.respond(to: "/token", with: response)

      try await expectReleased(
        """
        The app has released the client and its factory, and the result has been delivered. Look for a static property, and for a \
        closure that is stored after it has been called.
        """
      ) { leaks in
        try await app.load(with: app.client(environment, from: app.makeFactory(tracking: leaks)))
      }
    }
  }
}
