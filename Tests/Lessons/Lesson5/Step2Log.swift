import Given
import TestSupport
import Testing

@Suite("Step 2: log", .patientOnce)
struct Step2Log {
  @Test("an answer leaves one record, with method, path and status", arguments: [200, 204, 401, 403, 500])
  func recordsTheAnswer(status: Int) async throws {
    let scene = Scene()
    var request = URLRequest.elaborate
    request.url = URL(string: "https://example.com/articles/42/title?page=2")

    _ = try await scene.load(request, with: scene.makeLogging(), answering: .status(status, "body"))

    let record = try await scene.onlyRecord()
    #expect(record.method == "PATCH", "The record wants the request's method.")
    #expect(record.path == "/articles/42/title", "The record wants the path of the request's URL, all of it and nothing else.")
    #expect(record.outcome == .status(status), "The server answered: the record wants its status, whatever it is.")
  }

  @Test("a failure leaves one record, with the error's domain and code", arguments: [URLError.Code.timedOut, .cancelled])
  func recordsTheError(code: URLError.Code) async throws {
    let scene = Scene()

    _ = try await scene.load(with: scene.makeLogging(), answering: .failure(URLError(code)))

    let record = try await scene.onlyRecord()
    #expect(
      record.outcome == .error(domain: NSURLErrorDomain, code: code.rawValue),
      "There was no response: the record wants the domain and the code of the error, as an `NSError` has them.")
  }

  @Test("whatever kind of error it is, it leaves a record", arguments: OddError.all)
  func recordsOddErrors(error: any Error) async throws {
    let scene = Scene()

    _ = try await scene.load(with: scene.makeLogging(), answering: .failure(error))

    let record = try await scene.onlyRecord()
    #expect(
      record.outcome == .error(domain: (error as NSError).domain, code: (error as NSError).code),
      "The record wants the domain and the code of the very error that came.")
  }

  @Test("a caller that asks again in its completion is served, if the answers come at once")
  func servesCallersThatComeBack() async {
    let scene = Scene()
    let sut = scene.makeLogging(around: ClosureClient { _, completion in completion(.status(200)) })
    let answers = Inbox<HTTPResult>()

    await finished(on: .global()) {
      sut.load(.named("first")) { _ in sut.load(.named("second"), completion: answers.receive) }
    }

    await answers.receives(1)
    await scene.log.receives(2)
    #expect(answers.values.count == 1, "The second request was not answered: does the first still hold what the second needs?")
    #expect(scene.log.values.count == 2, "Two requests leave two records.")
  }

  @Test("there is no record before the answer")
  func waitsForTheAnswer() async throws {
    let scene = Scene()
    let sut = scene.makeLogging()

    sut.load(.named("articles")) { _ in }
    await scene.client.calls.receives(1)

    #expect(scene.log.values.isEmpty, "The request is still under way: nobody knows yet how it will end.")
    scene.client.calls.complete(with: .status(200))
    _ = try await scene.onlyRecord()
  }

  @Test("the duration is the time from the request to its answer", arguments: [0.25, 7200])
  func measures(seconds: TimeInterval) async throws {
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
      "Between the request and its answer \(seconds) seconds went by on the stopwatch that `now` reads.")
  }

  @Test("a decoratee that answers before its call returns is measured as well")
  func measuresImmediateAnswers() async throws {
    let scene = Scene()
    let slow = ClosureClient { [clock = scene.clock] _, completion in
      clock.advance(by: 3)
      completion(.status(200))
    }

    scene.makeLogging(around: slow).load(.named("articles")) { _ in }

    let record = try await scene.onlyRecord()
    #expect(
      record.duration == .seconds(3),
      "The decoratee took 3 seconds on the stopwatch that `now` reads: read it before you forward the request.")
  }

  @Test("the time that the decoratee's call takes counts, when the answer comes later")
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
      "On the stopwatch that `now` reads the call took 3 seconds and its answer 1 more: read it before you forward the request.")
  }

  @Test("what the caller does with the answer is not measured")
  func stopsAtTheAnswer() async throws {
    let scene = Scene()
    let sut = scene.makeLogging()

    sut.load(.named("articles")) { [clock = scene.clock] _ in clock.advance(by: 30) }
    await scene.client.calls.receives(1)
    scene.clock.advance(by: 1)
    scene.client.calls.complete(with: .status(200))

    let record = try await scene.onlyRecord()
    #expect(
      record.duration == .seconds(1),
      "On the stopwatch that `now` reads the answer took 1 second. The 30 seconds after that are the caller's.")
  }

  @Test("requests that overlap keep their own start, even for the same path")
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
      scene.log.values.map(\.outcome) == [.status(202), .status(201)], "Each answer leaves its record when it comes.")
    #expect(
      scene.log.values.map(\.duration) == [.seconds(2), .seconds(7)],
      "On the stopwatch that `now` reads the second request took 2 seconds and the first 7: each has a start of its own.")
  }

  @Test("requests from many threads each leave one record")
  func isSafeForManyThreads() async {
    let scene = Scene()
    let sut = Unchecked(scene.makeLogging(around: ClosureClient { _, completion in completion(.status(200)) }))
    let answers = Inbox<Void>()

    await finished(on: .global()) {
      DispatchQueue.concurrentPerform(iterations: 50) { number in
        sut.value.load(.named("\(number)")) { _ in answers.receive(()) }
      }
    }

    await answers.receives(50)
    await scene.log.receives(50)
    #expect(
      scene.log.values.count == 50, "Fifty requests went out, each for a path of its own: the log wants fifty records.")
    #expect(
      Set(scene.log.values.map(\.path)).count == 50,
      "Fifty requests went out, each for a path of its own: each path should be in the log once.")
  }

  @Test("no secret reaches the log")
  func keepsSecrets() async throws {
    let scene = Scene()
    let sut = scene.makeLogging()
    var request = URLRequest(
      url: URL(string: "https://user-secret:word-secret@example.com/articles?key=query-secret#part-secret")!)
    request.httpMethod = "POST"
    request.httpBody = Data("body-secret".utf8)
    request.setValue("Bearer token-secret", forHTTPHeaderField: "Authorization")
    let talkative = NSError(
      domain: "Network", code: 7,
      userInfo: [NSLocalizedDescriptionKey: "https://example.com/articles?key=query-secret", "token": "token-secret"])

    _ = try await scene.load(request, with: sut, answering: .status(200, "answer-secret"))
    _ = try await scene.load(request, with: sut, answering: .failure(talkative))
    _ = try await scene.load(request, with: sut, answering: .failure(TalkativeError()))

    await scene.log.receives(3)
    #expect(scene.log.values.count == 3, "Three requests were answered: the log wants three records.")
    for record in scene.log.values {
      #expect(
        !String(reflecting: record).contains("secret"),
        "There is a secret in the log. It wants the path of the URL, the domain and the code of an error, and no more.")
    }
  }

  @Test("it works around a decorator that it has never seen, and inside of one")
  func composes() async throws {
    let scene = Scene()
    let sut = ShoutingDecorator(decoratee: scene.makeLogging(around: ShoutingDecorator(decoratee: scene.client)))

    let answer = try await scene.load(with: sut, answering: .status(200, "answer"))

    #expect(answer.text == "200 answer!!", "The answer has to come back through both neighbours.")
    _ = try await scene.onlyRecord()
  }

  @Test("nobody has to keep the decorator: the answer arrives and leaves its record")
  func keepsWhatItNeeds() async throws {
    let scene = Scene()
    let answers = Inbox<HTTPResult>()

    scene.makeLogging().load(.named("articles"), completion: answers.receive)
    await scene.client.calls.receives(1)
    scene.client.calls.complete(with: .status(200, "answer"))

    let answer = try await answers.only("The completion was never called: a weak self loses the answer.")
    #expect(answer.text == "200 answer", "The caller wants the answer to its request.")
    _ = try await scene.onlyRecord()
  }

  @Test("unchanged: the request")
  func forwardsTheRequest() async throws {
    let scene = Scene()

    _ = try await scene.load(.elaborate, with: scene.makeLogging())

    let sent = try #require(scene.client.requests.first, "The request has to be forwarded to the decoratee.")
    expectUnchanged(sent, from: .elaborate)
    #expect(sent.allHTTPHeaderFields == URLRequest.elaborate.allHTTPHeaderFields, "A logger adds nothing to a request.")
    #expect(scene.client.requests.count == 1, "One call is one request to the decoratee.")
  }

  @Test("unchanged: the answer")
  func deliversTheAnswer() async throws {
    let scene = Scene()

    let (data, response) = try await scene.load(with: scene.makeLogging(), answering: .status(404, "body"))
      .expectSuccess("The decoratee answered with 404.")

    #expect(response.statusCode == 404, "The status has to come back as the decoratee delivered it.")
    #expect(response.value(forHTTPHeaderField: "ETag") == "42", "The response has to come back with its headers.")
    #expect(data == Data("body".utf8), "The body has to come back as the decoratee delivered it.")
  }

  @Test("unchanged: the error")
  func deliversTheError() async throws {
    let scene = Scene()

    try await scene.load(with: scene.makeLogging(), answering: .failure(HTTPClientError.sessionExpired)).expectFailure(
      HTTPClientError.sessionExpired, "The error has to come back as the decoratee delivered it.")
  }
}

extension Scene {
  /// The one record that is in the log. Waits for it a moment; reports when there is none, or more than one.
  fileprivate func onlyRecord(sourceLocation: SourceLocation = #_sourceLocation) async throws -> HTTPLogRecord {
    await log.receives(1)
    let records = log.values
    let record = try #require(
      records.first, "The request was answered, and there is no record in the log.", sourceLocation: sourceLocation)
    #expect(
      records.count == 1, "There are \(records.count) records in the log: one request leaves one.",
      sourceLocation: sourceLocation)
    return record
  }
}

/// Errors that are easily forgotten.
private enum OddError {
  static let all: [any Error] = [
    CancellationError(), HTTPClientError.sessionExpired,
    NSError(domain: "Outer", code: 1, userInfo: [NSUnderlyingErrorKey: NSError(domain: "Inner", code: 2)]),
  ]
}

/// An error that tells everything.
private struct TalkativeError: LocalizedError {
  var errorDescription: String? { "The token token-secret was refused." }
}

/// Carries a decorator over to many threads: whether it stands that is what the test wants to know.
private struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
