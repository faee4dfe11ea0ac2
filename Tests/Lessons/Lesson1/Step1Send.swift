import Given
import TestSupport
import Testing

@Suite("Step 1: send", .oneAtATime)
struct Step1Send {
  @Test("one call sends one request")
  func sendsOnce() async {
    let (app, results) = (App(), Inbox<HTTPResult>())

    app.makeManager().load(app.request("/articles"), completion: results.receive)

    #expect(await results.receives(1), "The completion was never called. Does a closure capture `self` weakly?")
    #expect(
      app.server.paths == ["/articles"],
      "The server should receive one request for each call to `load`. Check that the request is sent, and sent only once.")
  }

  @Test("the server receives the request that the caller made")
  func sendsUnchanged() async throws {
    try await each("body", in: ["none", "data", "a stream"]) { body in
      let (app, data) = (App(), Data("a long article".utf8))
      var request = app.request("/articles?page=2&order=new")
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      if body != "none" { request.httpMethod = "POST" }
      if body == "data" { request.httpBody = data }
      if body == "a stream" { request.httpBodyStream = InputStream(data: data) }

      try await app.load(request)

      let sent = try #require(app.server.requests.first, "No request reached the server. Check that the request is sent.")
      if body == "a stream" { request.httpBody = data }
      expectUnchanged(sent, from: request)
    }
  }

  @Test("a response is delivered, whatever its status")
  func deliversEveryStatus() async throws {
    // Without a body, Foundation on Linux passes empty data, never `nil`: there, no test can tell a solution that takes `nil` for an error.
    try await each("status and body", in: [(200, "news"), (200, ""), (204, ""), (404, "why"), (599, "why")]) { status, text in
      let app = App()
      app.server.respond(to: "/articles", with: .response(status, headers: ["ETag": "42"], body: Data(text.utf8)))

      let result = try await app.load()

      #expect(
        result.inWordsWithBody == (text.isEmpty ? "\(status)" : #"\#(status) "\#(text)""#),
        "Any response should be delivered, with its headers and its data. Let the caller decide what it means.")
    }
  }

  @Test("a transport error is delivered")
  func deliversTransportError() async throws {
    try await each(
      "failure",
      in: [
        StubServer.Response.failure(.timedOut), .failure(.cancelled), .failure(.networkConnectionLost),
        .failure(.networkConnectionLost, afterHead: 200), .error(domain: NSPOSIXErrorDomain, code: 54),
      ]
    ) { failure in
      let app = App()
      app.server.respond(to: "/articles", with: failure)

      let result = try await app.load()

      #expect(
        result.failure?.inWords == failure.result,
        "The session's own error should be delivered, even if it comes with a response. Delivered instead: \(result.inWordsWithBody)"
      )
      #expect(app.server.paths.count == 1, "The request should be sent once. Leave retries to the caller.")
    }
  }

  @Test("a request fails with `notHTTP` if the response is not HTTP")
  func rejectsOtherProtocols() async throws {
    let app = App()
    app.server.respond(to: "/articles", with: .notHTTP)

    try await app.load().expectFailure(
      HTTPClientError.notHTTP, "If the response is not an `HTTPURLResponse`, deliver `HTTPClientError.notHTTP`.")
  }

  @Test("overlapping requests each receive their own response")
  func keepsResponsesApart() async throws {
    let (app, areLoaded) = (App(respondingOn: .newBackgroundQueue), DispatchSemaphore(value: 0))
    let results = Inbox<(number: Int, body: Data?)>()
    for number in 1...20 {
      app.server.respond(to: "/articles/\(number)") { _ in
        areLoaded.wait(atMost: 10)
        areLoaded.signal()
        return .response(200, body: Data("article \(number)".utf8))
      }
    }

    let hasReturned = await returns {
      let sut = app.makeManager()
      for number in 1...20 {
        sut.load(app.request("/articles/\(number)")) { results.receive((number, try? $0.get().0)) }
      }
    }
    #expect(hasReturned, "While other requests are in flight, `load` does not return. Wait for nothing in it.")
    areLoaded.signal()

    let isComplete = await results.receives(20)
    try #require(
      !app.server.paths.isEmpty,
      "`load` was called for twenty requests, but none of them reached the server. Check that each request is sent.")
    #expect(
      isComplete,
      "`load` was called for twenty requests, but only \(results.values.count) completed. Check that every call completes.")
    for (number, body) in results.values {
      #expect(
        body == Data("article \(number)".utf8),
        "The completion of request \(number) should receive the response to that request. Check what the calls share.")
    }
  }

  @Test("two equal requests that overlap are both sent")
  func sendsEqualRequests() async {
    let (app, results) = (App(respondingOn: .newBackgroundQueue), Inbox<HTTPResult>())
    let areLoaded = DispatchSemaphore(value: 0)
    app.server.respond(to: "/articles") { _ in
      areLoaded.wait(atMost: 10)
      areLoaded.signal()
      return .response(200)
    }

    let sut = app.makeManager()
    for _ in 1...2 { sut.load(app.request(), completion: results.receive) }
    areLoaded.signal()
    await results.receives(2)

    #expect(
      app.server.paths.count == 2 && results.values.count == 2,
      "Two equal requests overlap. Each call should send one request, and receive the response to it.")
  }

  @Test("unchanged: when a request has ended, nothing of it is kept")
  func keepsNothing() async {
    let app = App()
    let sut = app.makeManager()
    app.server.respond(to: "/lost", with: .failure(.timedOut))

    await expectReleased("A request has ended, and its completion is still retained. What do you store of a request?") { leaks in
      for path in ["/articles", "/lost"] {
        let (ended, lifetime) = (Inbox<Void>(), leaks.lifetime(of: "the completion"))
        sut.load(app.request(path)) { _ in withExtendedLifetime(lifetime) { ended.receive(()) } }
        await ended.receives(1)
      }
    }
    withExtendedLifetime(sut) {}
  }
}
