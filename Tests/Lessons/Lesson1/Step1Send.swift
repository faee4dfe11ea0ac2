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
      """
      The server should receive one request for each call to `load`. Check that the request is sent, and sent only once.\
      \(scene.remark)
      """)
  }

  @Test("the server receives the request that the caller made")
  func sendsUnchanged() async throws {
    for isStream in [false, true] {
      let scene = Scene()
      let body = Data("a long article".utf8)
      var request = scene.request("/articles?page=2&order=new")
      request.httpMethod = "POST"
      request.cachePolicy = .returnCacheDataElseLoad
      request.timeoutInterval = 7
      request.setValue("de-DE", forHTTPHeaderField: "Accept-Language")
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      if isStream { request.httpBodyStream = InputStream(data: body) } else { request.httpBody = body }

      _ = try await scene.load(request)

      let sent = try #require(scene.server.requests.first, "No request reached the server. Check that the request is sent.")
      request.httpBody = body
      expectUnchanged(sent, from: request)
    }
  }

  @Test("a response is delivered, whatever its status")
  func deliversEveryStatus() async throws {
    try await each("status and body", in: [(200, "news"), (200, ""), (204, ""), (404, "why"), (500, "why")]) { status, text in
      let scene = Scene()
      scene.server.respond(to: "/articles", with: .response(status, headers: ["ETag": "42"], body: Data(text.utf8)))

      let result = try await scene.load()

      #expect(
        result.inDetail == (text.isEmpty ? "\(status)" : #"\#(status) "\#(text)""#),
        "Any response should be delivered, with its headers and its data. Let the caller decide what it means."
      )
    }
  }

  @Test("a transport error is delivered")
  func deliversTransportError() async throws {
    try await each(
      "failure",
      in: [
        StubServer.Response.failure(.timedOut), .failure(.cancelled), .failure(.networkConnectionLost),
        .error(domain: NSPOSIXErrorDomain, code: 54),
      ]
    ) { failure in
      let scene = Scene()
      scene.server.respond(to: "/articles", with: failure)

      let result = try await scene.load()

      #expect(
        result.failure.map(failure.causes) == true,
        "The session's own error should be delivered. Delivered instead: \(result.inDetail)")
      #expect(scene.server.paths.count == 1, "The request should be sent once. Leave retries to the caller.")
    }
  }

  @Test("a request fails with `notHTTP` if the response is not HTTP")
  func rejectsOtherProtocols() async throws {
    let scene = Scene()
    scene.server.respond(to: "/articles", with: .notHTTP)

    try await scene.load().expectFailure(
      HTTPClientError.notHTTP, "If the response is not an `HTTPURLResponse`, deliver `HTTPClientError.notHTTP`.")
  }

  @Test("overlapping requests each receive their own response")
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
      !scene.server.paths.isEmpty,
      "`load` was called for five requests, but none of them reached the server. Check that each request is sent.")
    #expect(
      isComplete,
      "`load` was called for five requests, but only \(results.values.count) completed. Check that every call completes.")
    for (number, body) in results.values {
      #expect(
        body == Data("article \(number)".utf8),
        "The completion of request \(number) should receive the response to that request. Check what the calls share."
      )
    }
  }
}

// These copies have to be equal: Lesson1/Step1Send.swift, Lesson3/Step1Send.swift, Lesson6/Step3Promises1Send.swift.
