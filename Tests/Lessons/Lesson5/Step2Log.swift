import Given
import TestSupport
import Testing

@Suite("Step 2: log", .oneAtATime)
struct Step2Log {
  @Test("a response leaves one record with method, path and status")
  func recordsTheResponse() async throws {
    try await each("status", in: [200, 204, 401, 403, 500]) { status in
      let scene = Scene()
      var request = URLRequest.elaborate
      request.url = URL(string: "https://example.com/articles/42/title?page=2")

      _ = try await scene.load(request, with: scene.makeLogging(), completing: .status(status, "body"))

      let record = try await scene.onlyRecord()
      #expect(record.method == "PATCH", "The record should contain the request's method. Read it from the request.")
      #expect(
        record.path == "/articles/42/title",
        "The record should contain the whole path of the request's URL, and no other part of the URL.")
      #expect(record.outcome == .status(status), "The record should contain the response's status. Record every status alike.")
    }
  }

  @Test("an error leaves one record with its domain and code")
  func recordsTheError() async throws {
    try await each("error", in: Trouble.allCases) { trouble in
      let scene = Scene()

      _ = try await scene.load(with: scene.makeLogging(), completing: .failure(trouble.error))

      let record = try await scene.onlyRecord()
      let expected = trouble.error as NSError
      #expect(
        record.outcome == .error(domain: expected.domain, code: expected.code),
        "The record should contain the delivered error's domain and code. Read both from `error as NSError`.")
    }
  }

  @Test("there is no record before the result")
  func waitsForTheResult() async throws {
    let scene = Scene()
    let sut = scene.makeLogging()

    sut.load(.named("articles")) { _ in }
    await scene.client.calls.receives(1)

    #expect(
      scene.log.values.isEmpty, "The request is still in flight and has no outcome yet. Add the record when the result arrives.")
    scene.client.calls.complete(with: .status(200))
    _ = try await scene.onlyRecord()
  }

  @Test("the duration runs from the request to its result")
  func measures() async throws {
    try await each("seconds", in: [0.0004, 0.25, 7200]) { (seconds: TimeInterval) in
      let scene = Scene()
      let sut = scene.makeLogging()
      scene.clock.advance(by: 100)

      sut.load(.named("articles")) { _ in }
      await scene.client.calls.receives(1)
      scene.clock.advance(by: seconds)
      scene.client.calls.complete(with: .failure(URLError(.timedOut)))

      let record = try await scene.onlyRecord()
      #expect(
        record.duration == .seconds(seconds),
        "\(seconds) seconds passed on the stopwatch. Read `now` before the request and when its result arrives, and do not round."
      )
    }
  }

  @Test("an immediate result is timed")
  func measuresImmediateResults() async throws {
    let scene = Scene()
    let slow = ClosureClient { [clock = scene.clock] _, completion in
      clock.advance(by: 3)
      completion(.status(200))
    }

    scene.makeLogging(around: slow).load(.named("articles")) { _ in }

    let record = try await scene.onlyRecord()
    #expect(
      record.duration == .seconds(3),
      "On the stopwatch, the decoratee took 3 seconds. Read `now` before you forward the request.")
  }

  @Test("the duration includes the call to the decoratee")
  func measuresTheCall() async throws {
    let scene = Scene()
    let slow = ClosureClient { [client = scene.client, clock = scene.clock] request, completion in
      client.load(request, completion: completion)
      clock.advance(by: 3)
    }

    scene.makeLogging(around: slow).load(.named("articles")) { _ in }
    await scene.client.calls.receives(1)
    scene.clock.advance(by: 1)
    scene.client.calls.complete(with: .status(200))

    let record = try await scene.onlyRecord()
    #expect(
      record.duration == .seconds(4),
      "On the stopwatch, the call took 3 seconds, and the result took 1 more. Read `now` before you forward the request.")
  }

  @Test("the caller's completion is not timed")
  func stopsAtTheResult() async throws {
    let scene = Scene()
    let sut = scene.makeLogging()

    sut.load(.named("articles")) { [clock = scene.clock] _ in clock.advance(by: 30) }
    await scene.client.calls.receives(1)
    scene.clock.advance(by: 1)
    scene.client.calls.complete(with: .status(200))

    let record = try await scene.onlyRecord()
    #expect(
      record.duration == .seconds(1),
      "On the stopwatch, the result took 1 second and the caller's completion 30 more. Read `now` before you call the completion."
    )
  }

  @Test("overlapping requests have separate start times")
  func measuresOverlappingRequests() async {
    let scene = Scene()
    let sut = scene.makeLogging()

    sut.load(.named("articles")) { _ in }
    await scene.client.calls.receives(1)
    scene.clock.advance(by: 1)
    sut.load(.named("articles")) { _ in }
    await scene.client.calls.receives(2)
    scene.clock.advance(by: 2)
    scene.client.calls.complete(1, with: .status(202))
    await scene.log.receives(1)
    scene.clock.advance(by: 4)
    scene.client.calls.complete(0, with: .status(201))

    await scene.log.receives(2)
    #expect(
      scene.log.values.map(\.outcome) == [.status(202), .status(201)],
      "Each result should leave its own record when it arrives. Here, the second request's record should come first.")
    #expect(
      scene.log.values.map(\.duration) == [.seconds(2), .seconds(7)],
      "On the stopwatch, the second request took 2 seconds and the first one 7. Store each start time in its own closure.")
  }

  @Test("simultaneous requests each leave one record")
  func isSafeForManyThreads() async {
    let scene = Scene()
    let sut = Unchecked(scene.makeLogging(around: makeImmediateClient()))
    let results = Inbox<Void>()

    await finished(on: .background) {
      DispatchQueue.concurrentPerform(iterations: 50) { number in
        sut.value.load(.named("\(number)")) { _ in results.receive(()) }
      }
    }

    await results.receives(50)
    await scene.log.receives(50)
    #expect(scene.log.values.count == 50, "Fifty requests from many threads should leave fifty records. Check shared state.")
    #expect(
      Set(scene.log.values.map(\.path)).count == 50,
      "Fifty requests for different paths should leave fifty different paths in the log. Check shared state.")
  }

  @Test("no secret reaches the log")
  func logsNoSecrets() async throws {
    try await each(
      "path", in: ["/articles", ""], "rest",
      in: ["?key=query-secret", "#part-secret", "?key=query-secret#part-secret", "?#part-secret?key=query-secret"]
    ) { path, rest in
      let scene = Scene()
      let sut = scene.makeLogging()
      var request = URLRequest(url: URL(string: "https://user-secret:word-secret@example.com\(path)\(rest)")!)
      request.httpMethod = "POST"
      request.httpBody = Data("body-secret".utf8)
      request.setValue("Bearer token-secret", forHTTPHeaderField: "Authorization")
      let talkative = NSError(
        domain: "Network", code: 7,
        userInfo: [NSLocalizedDescriptionKey: "https://example.com/articles?key=query-secret", "token": "token-secret"])

      _ = try await scene.load(request, with: sut, completing: .status(200, "response-secret"))
      _ = try await scene.load(request, with: sut, completing: .failure(talkative))
      _ = try await scene.load(request, with: sut, completing: .failure(TalkativeError()))

      await scene.log.receives(3)
      #expect(scene.log.values.count == 3, "Three results should leave three records. Add a record for every result.")
      for record in scene.log.values {
        #expect(
          !String(reflecting: record).contains("secret"),
          "A record contains a secret. Log only the path of the URL, and only the domain and code of an error.")
      }
    }
  }

  @Test("the decorator works both outside and inside an unknown decorator")
  func composes() async throws {
    let scene = Scene()
    let sut = ShoutingDecorator(decoratee: scene.makeLogging(around: ShoutingDecorator(decoratee: scene.client)))

    let result = try await scene.load(with: sut, completing: .status(200, "body"))

    #expect(
      result.text == "200 body!!",
      "The response should pass through both of the other decorators. Forward to the decoratee, and pass on its result.")
    _ = try await scene.onlyRecord()
  }

  @Test("a result still leaves a record after the decorator is released")
  func recordsAfterTheRelease() async throws {
    try await each("result", in: [HTTPResult.status(200), .failure(URLError(.timedOut))]) { result in
      let scene = Scene()
      let results = Inbox<HTTPResult>()

      scene.makeLogging().load(.named("articles"), completion: results.receive)
      await scene.client.calls.receives(1)
      scene.client.calls.complete(with: result)

      let delivered = try await results.only(
        "The completion was never called. Do not make it depend on a weakly captured `self`.")
      #expect(delivered.text == result.text, "The result should be the decoratee's, even after the decorator is released.")
      _ = try await scene.onlyRecord()
    }
  }

  @Test("a completion may send the next request")
  func sendsFromACompletion() async {
    let scene = Scene()
    let sut = scene.makeLogging(around: makeImmediateClient())
    let results = Inbox<HTTPResult>()

    await finished(on: .background) {
      sut.load(.named("first")) { _ in sut.load(.named("second"), completion: results.receive) }
    }

    await results.receives(1)
    await scene.log.receives(2)
    #expect(
      results.values.count == 1,
      "The second request should complete once. Hold no lock while you call the decoratee, the log or the completion.")
    #expect(scene.log.values.count == 2, "Two requests should leave two records. Add a record for every result.")
  }

  @Test("unchanged: the request is forwarded")
  func forwardsTheRequest() async throws {
    let scene = Scene()

    _ = try await scene.load(.elaborate, with: scene.makeLogging())

    let sent = try #require(scene.client.requests.first, "The request should be forwarded. Call the decoratee in `load`.")
    expectUnchanged(sent, from: .elaborate)
    #expect(
      sent.allHTTPHeaderFields == URLRequest.elaborate.allHTTPHeaderFields,
      "The request should have the caller's headers only. A logger adds nothing to a request.")
    #expect(scene.client.requests.count == 1, "One call should forward one request. Call the decoratee once.")
  }

  @Test("unchanged: the response is delivered")
  func deliversTheResponse() async throws {
    let scene = Scene()

    let (data, response) = try await scene.load(with: scene.makeLogging(), completing: .status(404, "body"))
      .expectSuccess("The decoratee's response should be delivered. Pass the result on.")

    #expect(response.statusCode == 404, "The status should be the decoratee's. Deliver the response unchanged.")
    #expect(
      response.value(forHTTPHeaderField: "ETag") == "42", "The headers should be the decoratee's. Deliver the response unchanged."
    )
    #expect(data == Data("body".utf8), "The body should be the decoratee's. Deliver the data unchanged.")
  }

  @Test("unchanged: the error is delivered")
  func deliversTheError() async throws {
    try await each("error", in: Trouble.allCases) { trouble in
      let scene = Scene()

      try await scene.load(with: scene.makeLogging(), completing: .failure(trouble.error)).expectSameError(as: trouble.error)
    }
  }

  @Test("unchanged: the decoratee is released together with the decorator")
  func releasesItsDecoratee() async {
    await expectReleased(
      "The decoratee is still retained after the last result. Look for a stored closure that captures `self` strongly."
    ) { leaks in
      Scene().makeLogging(around: makeImmediateClient(retaining: leaks.track(Token()))).load(.named("articles")) { _ in }
    }
  }
}

extension Scene {
  /// Waits for the first record, and reports if there is none or more than one.
  fileprivate func onlyRecord(sourceLocation: SourceLocation = #_sourceLocation) async throws -> HTTPLogRecord {
    await log.receives(1)
    let records = log.values
    let record = try #require(
      records.first, "The request completed, but the log is empty. Add a record for every result.",
      sourceLocation: sourceLocation)
    #expect(
      records.count == 1, "There are \(records.count) records in the log. One request should leave one record.",
      sourceLocation: sourceLocation)
    return record
  }
}

/// An error whose description quotes a secret.
private struct TalkativeError: LocalizedError {
  var errorDescription: String? { "The token token-secret was refused." }
}

/// Carries a client to many threads. Whether the client is safe to use there is what the test checks.
private struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
