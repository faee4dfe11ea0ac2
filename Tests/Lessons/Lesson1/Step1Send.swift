import Given
import TestSupport
import Testing

// Later lessons make the same promises: they compile this file again, with a `Scene` and a suite of their own.
extension Sending {
  @Test("one call sends one request")
  func sendsOnce() async throws {
    let scene = Scene()

    _ = try await scene.load()

    #expect(
      scene.server.paths == ["/articles"],
      "The server should receive one request for each call to `load`. Check that the request is sent, and sent only once.")
    #expect(
      scene.server.requests.first?.value(forHTTPHeaderField: "Content-Type") == nil,
      "The request should have no `Content-Type`, since the caller set none. Send the caller's headers unchanged.")
  }

  @Test("the request reaches the server unchanged")
  func sendsUnchanged() async throws {
    try await each("method", in: ["GET", "POST", "PUT", "DELETE"]) { method in
      let scene = Scene()
      var request = scene.request("/articles?page=2&order=new")
      request.httpMethod = method
      request.cachePolicy = .returnCacheDataElseLoad
      request.timeoutInterval = 7
      request.setValue("de-DE", forHTTPHeaderField: "Accept-Language")
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = method == "GET" ? nil : Data(#"{"title": "Around"}"#.utf8)

      _ = try await scene.load(request)

      let sent = try #require(scene.server.requests.first, "No request reached the server. Check that the request is sent.")
      #expect(sent.httpMethod == method, "The request should have the caller's method. Send the request that was passed in.")
      #expect(sent.url == request.url, "The request should have the caller's URL, with its query. Send it unchanged.")
      for (field, value) in request.allHTTPHeaderFields ?? [:] {
        #expect(
          sent.value(forHTTPHeaderField: field) == value,
          "The request should have the caller's header \(field). Send the caller's headers unchanged.")
      }
      #expect(sent.httpBody == request.httpBody, "The request should have the caller's body. Send it unchanged.")
      #expect(
        sent.cachePolicy == request.cachePolicy,
        "The request should have the caller's cache policy. Change a copy of the request instead of building a new one.")
      #expect(
        sent.timeoutInterval == request.timeoutInterval,
        "The request should have the caller's timeout. Change a copy of the request instead of building a new one.")
    }
  }

  @Test("a body stream reaches the server")
  func sendsBodyStream() async throws {
    let scene = Scene()
    var request = scene.request()
    request.httpMethod = "POST"
    request.httpBodyStream = InputStream(data: Data("a long article".utf8))

    _ = try await scene.load(request)

    let sent = try #require(scene.server.requests.first, "No request reached the server. Check that the request is sent.")
    #expect(
      sent.httpBody == Data("a long article".utf8),
      "The server should receive the contents of `httpBodyStream`. Change a copy of the request instead of building a new one.")
  }

  @Test("the server's data and response are delivered")
  func deliversResponse() async throws {
    let scene = Scene()

    let (data, response) = try await scene.load().expectSuccess(
      "The server's response should be delivered. Call the completion with its data.")

    #expect(
      data == Data(#"["Around, not inside"]"#.utf8),
      "The body should be the one that the server sent. Deliver the data unchanged.")
    #expect(
      response.url == scene.request().url,
      "The response should be the one from the server. Deliver it instead of making your own.")
    #expect(response.statusCode == 200, "The response should have the status that the server sent. Deliver it unchanged.")
    #expect(
      response.value(forHTTPHeaderField: "ETag") == "42",
      "The response should have the headers that the server sent. Deliver it unchanged.")
  }

  @Test("a response with any status is delivered, with or without a body")
  func deliversEveryStatus() async throws {
    try await each("status", in: [200, 204, 404, 500], "text", in: ["why", ""]) { status, text in
      let scene = Scene()
      let body = status == 204 ? Data() : Data(text.utf8)
      scene.server.respond(to: "/articles", with: .response(status, body: body))

      let (data, response) = try await scene.load().expectSuccess(
        "A response with status \(status) should be delivered. Let the caller decide what the status means.")

      #expect(response.statusCode == status, "The response should have the status that the server sent. Deliver it unchanged.")
      #expect(data == body, "The body should be the one that the server sent, for every status. Deliver the data unchanged.")
      #expect(
        scene.server.paths.count == 1,
        "The server should receive exactly one request. Send it once, and leave retries to the caller.")
    }
  }

  @Test("a transport error is delivered unchanged")
  func deliversTransportError() async throws {
    try await each(
      "failure",
      in: [
        StubServer.Response.failure(.notConnectedToInternet), .failure(.timedOut), .failure(.cancelled),
        .failure(.networkConnectionLost), .failure(.cannotConnectToHost), .failure(.dnsLookupFailed),
        .failure(.secureConnectionFailed), .failure(.userAuthenticationRequired),
        .error(domain: NSPOSIXErrorDomain, code: 54), .error(domain: "com.example.vpn", code: 7),
      ]
    ) { failure in
      let scene = Scene()
      scene.server.respond(to: "/articles", with: failure)

      let result = try await scene.load()

      guard let error = result.failure else {
        Issue.record("A transport error should be delivered, but a response was delivered. Deliver the session's error.")
        return
      }
      #expect(
        failure.causes(error), "The session's own error should be delivered. Pass it on unchanged. Delivered instead: \(error)")
      #expect(
        scene.server.paths.count == 1,
        "The server should receive exactly one request. Send it once, and leave retries to the caller.")
    }
  }

  @Test("a request fails with `notHTTP` if the response is not HTTP")
  func rejectsOtherProtocols() async throws {
    let scene = Scene()
    scene.server.respond(to: "/articles", with: .notHTTP)

    try await scene.load().expectFailure(
      HTTPClientError.notHTTP, "If the response is not an `HTTPURLResponse`, deliver `HTTPClientError.notHTTP`.")
  }

  @Test("simultaneous requests each receive their own response")
  func keepsResponsesApart() async throws {
    let scene = Scene()
    let sut = scene.makeSUT()
    let results = Inbox<(number: Int, body: Data?)>()
    for number in 1...5 {
      scene.server.respond(to: "/articles/\(number)", with: .response(200, body: Data("article \(number)".utf8)))
    }

    for number in 1...5 {
      sut.load(scene.request("/articles/\(number)")) { results.receive((number, try? $0.get().0)) }
    }

    let isComplete = await results.receives(5)
    try #require(
      !scene.server.paths.isEmpty, "Five requests were loaded, and none reached the server. Check that each request is sent.")
    #expect(
      isComplete, "Five requests were loaded, but only \(results.values.count) completed. Check that every call completes.")
    for (number, body) in results.values {
      #expect(
        body == Data("article \(number)".utf8),
        "The completion of request \(number) should receive the response to that request. Check what the calls share."
      )
    }
  }
}
