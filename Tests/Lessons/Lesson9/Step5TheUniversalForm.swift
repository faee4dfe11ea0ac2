import Given
import TestSupport
import Testing

@testable import Exercise9

@Suite("Step 5: the universal form", .oneAtATime)
struct Step5TheUniversalForm {
  @Test("the first middleware gets the request first and the response last")
  func keepsTheOrder() async throws {
    try await each("count", in: 1...4) { count in
      let journal = Locked<[String]>([])
      let names = (1...count).map { "\($0)" }
      let sut = composed(names.map { writing($0, into: journal) }) { request in
        journal.withLock { $0.append("client") }
        return response()
      }

      _ = try await sut(.named("articles"))

      let expected: [String] = names.map { "in \($0)" } + ["client"] + names.reversed().map { "out \($0)" }
      #expect(
        journal.withLock { $0 } == expected,
        "The request should pass through the list in order and reach the client once. The response returns in the opposite order."
      )
    }
  }

  @Test("composing a list is equivalent to nesting by hand")
  func equalsNesting() async throws {
    let (list, nest) = (Locked<[String]>([]), Locked<[String]>([]))
    let client: Next = { request in response(request.value(forHTTPHeaderField: "trace") ?? "") }
    func layers(_ journal: Locked<[String]>) -> [Middleware] {
      ["a", "b", "c"].map { name in
        { request, next in
          var request = request
          request.setValue((request.value(forHTTPHeaderField: "trace") ?? "") + name, forHTTPHeaderField: "trace")
          journal.withLock { $0.append(name) }
          let (data, head) = try await next(request)
          return (data + Data(name.utf8), head)
        }
      }
    }

    let composedResponse = try await composed(layers(list), around: client)(.named("articles"))
    let (a, b, c) = (layers(nest)[0], layers(nest)[1], layers(nest)[2])
    let nestedResponse = try await a(.named("articles")) { try await b($0) { try await c($0, client) } }

    #expect(
      String(decoding: composedResponse.data, as: UTF8.self) == String(decoding: nestedResponse.data, as: UTF8.self),
      "Each middleware should change the request and the response in the same order as when nested by hand.")
    #expect(
      list.withLock { $0 } == nest.withLock { $0 },
      "Each middleware should be called once, in the same order as when nested by hand.")
  }

  @Test("unchanged: an empty list of middleware yields the client")
  func yieldsTheClient() async throws {
    let client = AsyncCalls<URLRequest, Response>(to: "the client")
    let sut = composed([]) { try await client.receive($0) }

    let call = Running { try await sut(.elaborate).data }
    await client.receives(1)
    client.complete(with: .success(response("body")))
    let data = try await call.outcome().expectSuccess("Without middleware, the client's response should be returned.")

    #expect(data == Data("body".utf8), "Without middleware, the client's response should be returned unchanged.")
    expectUnchanged(client.arguments[0], from: .elaborate)
    #expect(client.count == 1, "Without middleware, each request should reach the client once.")
  }

  @Test("a middleware that does not call `next` stops the request")
  func obeysShortCircuits() async throws {
    let journal = Locked<[String]>([])
    let stop: Middleware = { _, _ in response("stopped") }
    let sut = composed([writing("outer", into: journal), stop, writing("inner", into: journal)]) { _ in
      journal.withLock { $0.append("client") }
      return response()
    }

    let (data, _) = try await sut(.named("articles"))

    #expect(data == Data("stopped".utf8), "The response of the middleware that doesn't call `next` should be returned.")
    #expect(
      journal.withLock { $0 } == ["in outer", "out outer"],
      "After a middleware that doesn't call `next`, no other middleware should be called, and neither should the client.")
  }

  @Test("a changed request is passed to the next middleware")
  func passesChangesOn() async throws {
    let sent = Locked<[URLRequest]>([])
    let adding: Middleware = { request, next in
      var request = request
      request.setValue("7.1", forHTTPHeaderField: "X-App-Version")
      return try await next(request)
    }
    let sut = composed([adding, writing("inner", into: Locked([]))]) { request in
      sent.withLock { $0.append(request) }
      return response()
    }

    _ = try await sut(.elaborate)

    let request = try #require(sent.withLock { $0 }.first, "The client should be called. Check what the last middleware calls.")
    #expect(
      request.value(forHTTPHeaderField: "X-App-Version") == "7.1",
      "The client should get the changed request. Pass on the request that `next` receives, not the caller's.")
    expectUnchanged(request, from: .elaborate)
  }

  @Test("a middleware may call `next` twice")
  func canCallNextTwice() async throws {
    let journal = Locked<[String]>([])
    let twice: Middleware = { request, next in
      _ = try await next(request)
      return try await next(request)
    }
    let sut = composed([twice, writing("inner", into: journal)]) { _ in response() }

    _ = try await sut(.named("articles"))

    #expect(
      journal.withLock { $0 } == ["in inner", "out inner", "in inner", "out inner"],
      "Each call to `next` should run the entire remaining chain.")
  }

  @Test("every request passes through the whole list")
  func servesManyRequests() async throws {
    let client = AsyncCalls<URLRequest, Response>(to: "the client")
    let journal = Locked<[String]>([])
    let sut = composed([writing("a", into: journal), writing("b", into: journal)]) { try await client.receive($0) }

    let first = Running { try await sut(.named("first")).data }
    await client.receives(1)
    let second = Running { try await sut(.named("second")).data }
    await client.receives(2)
    client.complete(1, with: .success(response("second")))
    client.complete(0, with: .success(response("first")))
    let bodies = [
      try await first.outcome().expectSuccess("The first request should get its response."),
      try await second.outcome().expectSuccess("The second request should get its response."),
    ]

    #expect(bodies == [Data("first".utf8), Data("second".utf8)], "Each of two overlapping requests should get its own response.")
    #expect(
      journal.withLock { $0.prefix(4) } == ["in a", "in b", "in a", "in b"],
      "Every request should pass through the whole list. Store nothing between requests.")
  }

  @Test("an error passes outward until a middleware catches it")
  func passesErrorsOut() async throws {
    let seen = Locked<[String]>([])
    func watching(_ name: String) -> Middleware {
      { request, next in
        do {
          return try await next(request)
        } catch {
          seen.withLock { $0.append(name) }
          throw error
        }
      }
    }
    let rescuing: Middleware = { request, next in (try? await next(request)) ?? response("rescued") }
    let sut = composed([watching("outer"), rescuing, watching("b"), watching("a")]) { _ in throw URLError(.timedOut) }

    let data = try await Running { try await sut(.named("articles")).data }.outcome().expectSuccess(
      "One middleware replaces the error with a response, which should be returned.")

    #expect(data == Data("rescued".utf8), "The response of the middleware that catches the error should be returned.")
    #expect(
      seen.withLock { $0 } == ["a", "b"],
      "The error should pass through each middleware, from the inside out, until one catches it.")
  }

  @Test("a response that arrives despite a cancellation is returned")
  func deliversDespiteACancellation() async throws {
    let journal = Locked<[String]>([])
    let sut = composed([writing("a", into: journal)]) { _ in response("body") }

    let call = Running {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await sut(.named("articles")).data
    }

    let data = try await call.outcome().expectSuccess(
      "The client returned a response although the task was canceled, so the chain should return it.")
    #expect(data == Data("body".utf8), "The chain should return the client's response unchanged.")
    #expect(
      journal.withLock { $0 } == ["in a", "out a"], "The middleware should see the request and the response of a canceled task.")
  }

  @Test("a cancellation reaches the client")
  func passesCancellationOn() async throws {
    let client = AsyncCalls<URLRequest, Response>(to: "the client")
    let journal = Locked<[String]>([])
    let sut = composed([writing("a", into: journal), writing("b", into: journal)]) { try await client.receive($0) }

    let call = Running { try await sut(.named("articles")).data }
    await client.receives(1)
    call.cancel()

    let error = try await call.outcome(
      "The task was canceled, but the client didn't notice. Run the chain in its caller's task."
    ).failure
    #expect(error is CancellationError, "The client threw a `CancellationError`, so the chain should throw it.")
    #expect(client.cancelled == [0], "The cancellation should reach the client. Run the chain in its caller's task.")
    #expect(
      journal.withLock { $0 } == ["in a", "in b"],
      "The request should pass through every middleware in the list before it reaches the client.")
  }

  /// A middleware that adds an entry to the journal on the way in and on the way out.
  private func writing(_ name: String, into journal: Locked<[String]>) -> Middleware {
    { request, next in
      journal.withLock { $0.append("in \(name)") }
      let response = try await next(request)
      journal.withLock { $0.append("out \(name)") }
      return response
    }
  }
}

/// A response with status 200 and a body.
private func response(_ body: String = "") -> Response {
  (
    Data(body.utf8),
    HTTPURLResponse(url: URL(string: "https://example.com")!, statusCode: 200, httpVersion: nil, headerFields: nil)!
  )
}
