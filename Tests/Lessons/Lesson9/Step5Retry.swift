import Given
import TestSupport
import Testing

@testable import Exercise9

@Suite("Step 5: retry", .patientOnce)
struct Step5Retry {
  @Test("a 503 is tried again after a while")
  func triesAgainAfter503() async throws {
    let scene = Scene(tries: 3, delay: 2)
    let call = scene.send()

    try await scene.answer(0, .status(503))
    await scene.clock.sleeps.receives(1)
    #expect(scene.clock.sleeps.values == [.seconds(2)], "Before the second try, wait for the delay, on the clock.")
    scene.clock.advance(by: 1.999)
    #expect(scene.client.count == 1, "The 2 seconds are not over yet.")
    scene.clock.advance(by: 0.001)
    try await scene.answer(1, .status(200, "answer"))

    let text = try await call.outcome().expectSuccess("The second try has worked.")
    #expect(text == "200 answer", "The caller gets the answer to the second try.")
  }

  @Test("a timeout is tried again as well")
  func triesAgainAfterTimeout() async throws {
    let scene = Scene(tries: 3, delay: 2)
    let call = scene.send()

    try await scene.answer(0, .failure(URLError(.timedOut)))
    try await scene.wait(1, seconds: 2)
    try await scene.answer(1, .status(200, "answer"))

    let text = try await call.outcome().expectSuccess("The second try has worked.")
    #expect(text == "200 answer", "The caller gets the answer to the second try.")
    #expect(scene.client.count == 2, "The second try has worked: there is no third.")
  }

  @Test("the wait doubles from try to try")
  func backsOff() async throws {
    let scene = Scene(tries: 5, delay: 0.5)
    let call = scene.send()

    for (index, seconds) in [0.5, 1, 2, 4].enumerated() {
      try await scene.answer(index, index.isMultiple(of: 2) ? .status(503) : .failure(URLError(.timedOut)))
      try await scene.wait(index + 1, seconds: seconds)
    }
    try await scene.answer(4, .status(200))

    _ = try await call.outcome().expectSuccess("The fifth try has worked.")
    #expect(
      scene.clock.sleeps.values == [.seconds(0.5), .seconds(1), .seconds(2), .seconds(4)],
      "Back-off is exponential: each wait is twice as long as the one before.")
  }

  @Test("after the last try the caller gets what came, without another wait", arguments: 1...3)
  func givesUp(tries: Int) async throws {
    let (overloaded, slow) = (Scene(tries: tries, delay: 1), Scene(tries: tries, delay: 1))
    let calls = (overloaded.send(), slow.send())

    for index in 0..<tries {
      try await overloaded.answer(index, .status(503, "try \(index + 1)"))
      try await slow.answer(index, .failure(URLError(.timedOut)))
      if index < tries - 1 {
        try await overloaded.wait(index + 1, seconds: pow(2, Double(index)))
        try await slow.wait(index + 1, seconds: pow(2, Double(index)))
      }
    }

    let text = try await calls.0.outcome("That was the last try, and the call still waits: deliver what has come.").expectSuccess(
      "A 503 is an answer: after the last try the caller wants to see it.")
    let error = try await calls.1.outcome("That was the last try, and the call still waits: throw what has come.").failure
    #expect(text == "503 try \(tries)", "The caller gets the answer to the last try.")
    #expect((error as? URLError)?.code == .timedOut, "The caller gets the error of the last try.")
    #expect(overloaded.client.count == tries, "After a 503 there are at most \(tries) tries, including the first.")
    #expect(slow.client.count == tries, "After a timeout there are at most \(tries) tries, including the first.")
    #expect(overloaded.clock.sleeps.values.count == tries - 1, "After the last try there is nothing to wait for.")
  }

  @Test("each try sends the same request")
  func sendsTheSameRequest() async throws {
    let scene = Scene(tries: 2, delay: 1)
    var request = URLRequest.elaborate
    request.httpMethod = "PUT"
    let call = scene.send(request)

    try await scene.answer(0, .status(503))
    try await scene.wait(1, seconds: 1)
    try await scene.answer(1, .status(200))
    _ = try await call.outcome()

    for sent in scene.client.arguments { expectUnchanged(sent, from: request) }
    #expect(scene.client.count == 2, "PUT is idempotent: the request is tried again.")
  }

  @Test("idempotent methods are tried again", arguments: ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"])
  func retriesIdempotentMethods(method: String) async throws {
    let scene = Scene(tries: 2, delay: 1)
    let call = scene.send(method: method)

    try await scene.answer(0, .status(503))
    try await scene.wait(1, seconds: 1)
    try await scene.answer(1, .status(200))

    _ = try await call.outcome().expectSuccess("\(method) may be sent twice: it has the same effect as once.")
    #expect(scene.client.count == 2, "\(method) is idempotent (RFC 9110, section 9.2.2): try again.")
  }

  @Test("unchanged: others are not", arguments: ["POST", "PATCH", "CONNECT", "UNHEARD-OF"], FirstTry.allCases)
  func doesNotRetryOthers(method: String, firstTry: FirstTry) async throws {
    let scene = Scene(tries: 3, delay: 1)
    let call = scene.send(method: method)

    try await scene.answer(0, firstTry == .timesOut ? .failure(URLError(.timedOut)) : .status(503))
    _ = try await call.outcome(
      "Nobody says that \(method) may be sent twice, and twice may buy twice: deliver what came, at once.")

    #expect(scene.client.count == 1, "Nobody says that \(method) may be sent twice, and twice may buy twice: it is sent once.")
  }

  @Test(
    "unchanged: other answers are delivered at once", arguments: [200, 204, 400, 401, 403, 404, 408, 429, 500, 502, 504, 507])
  func deliversOtherAnswers(status: Int) async throws {
    let scene = Scene(tries: 3, delay: 1)
    let call = scene.send()

    try await scene.answer(0, .status(status, "body"))

    let text = try await call.outcome("Only a 503 says that it is worth waiting: deliver this answer at once.").expectSuccess(
      "Only a 503 says that it is worth waiting: deliver this answer.")
    #expect(text == "\(status) body", "Deliver the response unchanged.")
    #expect(scene.client.count == 1, "Only a 503 is worth another try: send the request once.")
  }

  @Test(
    "unchanged: other errors are thrown at once",
    arguments: [URLError.Code.notConnectedToInternet, .networkConnectionLost, .cannotFindHost, .cancelled])
  func throwsOtherErrors(code: URLError.Code) async throws {
    let scene = Scene(tries: 3, delay: 1)
    let call = scene.send()

    try await scene.answer(0, .failure(URLError(code)))

    let error = try await call.outcome("Only a timeout says that it is worth waiting: throw this error.").failure
    #expect((error as? URLError)?.code == code, "Throw the error unchanged.")
    #expect(scene.client.count == 1, "Only a timeout is worth another try: send the request once.")
  }

  @Test("the server's `Retry-After` takes the place of the delay")
  func obeysRetryAfter() async throws {
    let scene = Scene(tries: 3, delay: 1)
    let call = scene.send()

    try await scene.answer(0, .status(503, headers: ["Retry-After": "120"]))
    await scene.clock.sleeps.receives(1)
    #expect(scene.clock.sleeps.values == [.seconds(120)], "The server asks for 120 seconds (RFC 9110, section 10.2.3).")
    scene.clock.advance(by: 119)
    #expect(scene.client.count == 1, "The server asked for 120 seconds, and 119 have passed.")
    scene.clock.advance(by: 1)
    try await scene.answer(1, .status(200))

    _ = try await call.outcome().expectSuccess("The second try has worked.")
  }

  @Test("a `Retry-After` shorter than the delay takes its place as well")
  func obeysShortRetryAfter() async throws {
    let scene = Scene(tries: 2, delay: 10)
    let call = scene.send()

    try await scene.answer(0, .status(503, headers: ["Retry-After": "2"]))
    await scene.clock.sleeps.receives(1)
    #expect(scene.clock.sleeps.values == [.seconds(2)], "The server knows best: it asks for 2 seconds, not for 10.")
    scene.clock.advance(by: 2)
    try await scene.answer(1, .status(200))

    _ = try await call.outcome().expectSuccess("The second try has worked.")
  }

  @Test("each answer's `Retry-After` is about the next try only")
  func forgetsRetryAfter() async throws {
    let scene = Scene(tries: 4, delay: 1)
    let call = scene.send()

    for (index, retryAfter) in ["120", nil, "5"].enumerated() {
      try await scene.answer(index, .status(503, headers: retryAfter.map { ["Retry-After": $0] } ?? [:]))
      try await scene.wait(index + 1, seconds: 120)
    }
    try await scene.answer(3, .status(200))
    _ = try await call.outcome().expectSuccess("The fourth try has worked.")

    let waits = scene.clock.sleeps.values
    #expect(waits.first == .seconds(120), "The first answer asks for 120 seconds.")
    #expect(
      waits[1] <= .seconds(2), "The second answer asks for nothing: wait for the delay, and not for the 120 seconds of the first."
    )
    #expect(waits[2] == .seconds(5), "The third answer asks for 5 seconds.")
  }

  @Test(
    "a `Retry-After` that cannot be read as seconds is passed over",
    arguments: ["soon", "", "-5", "Wed, 21 Oct 2026 07:28:00 GMT"])
  func survivesOddRetryAfter(value: String) async throws {
    let scene = Scene(tries: 2, delay: 3)
    let call = scene.send()

    try await scene.answer(0, .status(503, headers: ["Retry-After": value]))
    await scene.clock.sleeps.receives(1)
    #expect(scene.clock.sleeps.values == [.seconds(3)], "\"\(value)\" is no number of seconds: wait for the delay.")
    scene.clock.advance(by: 3)
    try await scene.answer(1, .status(200))

    _ = try await call.outcome().expectSuccess("The second try has worked.")
  }

  @Test("cancelled while it waits, it ends at once and does not try again")
  func endsWhileItWaits() async throws {
    let scene = Scene(tries: 3, delay: 60)
    let call = scene.send()

    try await scene.answer(0, .status(503))
    await scene.clock.sleeps.receives(1)
    call.cancel()

    let error = try await call.outcome("The task was cancelled while it waited, and it still waits.").failure
    #expect(error is CancellationError, "Whoever cancels wants a `CancellationError`, not the 503.")
    scene.clock.advance(by: 60)
    #expect(scene.client.count == 1, "The task was cancelled: nobody wants another try.")
  }

  @Test("unchanged: cancelled while it sends, it does not try again")
  func endsWhileItSends() async throws {
    let scene = Scene(tries: 3, delay: 1)
    let call = scene.send()

    await scene.client.receives(1)
    call.cancel()

    let error = try await call.outcome("The task was cancelled while it sent, and still waits.").failure
    #expect(scene.client.cancelled == [0], "The cancellation has to reach the client.")
    #expect(error is CancellationError, "The cancellation has to come back to the caller as a `CancellationError`.")
    #expect(scene.client.count == 1, "The task was cancelled: nobody wants another try.")
  }

  @Test("each request counts its own tries")
  func keepsRequestsApart() async throws {
    let scene = Scene(tries: 2, delay: 1)

    for round in 0..<2 {
      let call = scene.send()
      try await scene.answer(round * 2, .status(503))
      try await scene.wait(round + 1, seconds: 1)
      try await scene.answer(round * 2 + 1, .status(200))
      _ = try await call.outcome().expectSuccess("The second try of this request has worked.")
    }

    #expect(
      scene.clock.sleeps.values == [.seconds(1), .seconds(1)], "Each request begins with its first try and its first delay.")
  }
}

/// A retrying client, its network and its clock.
private struct Scene {
  let client = AsyncCalls<URLRequest, Response>(to: "the client")
  let clock = ManualClock()
  private let sut: Next

  init(tries: Int, delay: Double) {
    sut = { [client, middleware = retrying(upTo: tries, after: .seconds(delay), clock: clock)] request in
      try await middleware(request) { try await client.receive($0) }
    }
  }

  /// Sends a request beside the test. The outcome is the answer's status and body.
  func send(_ request: URLRequest? = nil, method: String = "GET") -> Running<String> {
    var request = request ?? .named("articles")
    if request.url == URLRequest.named("articles").url { request.httpMethod = method }
    return Running { [sut, request] in
      let response = try await sut(request)
      return "\(response.head.statusCode) \(String(decoding: response.data, as: UTF8.self))"
    }
  }

  /// Answers a try: 0 is the first. Waits a moment for it.
  func answer(
    _ index: Int, _ answer: Result<Response, any Error>, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let hasCome = await client.receives(index + 1)
    try #require(
      hasCome, "Try \(index + 1) has not come: what the one before brought is worth another.", sourceLocation: sourceLocation)
    client.complete(index, with: answer, sourceLocation: sourceLocation)
  }

  /// Waits until somebody sleeps, and moves the clock on.
  func wait(_ count: Int, seconds: Double, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let sleeps = await clock.sleeps.receives(count)
    try #require(
      sleeps, "Nobody waits on the clock: after try \(count) there is a wait, and then another try.",
      sourceLocation: sourceLocation)
    clock.advance(by: seconds)
  }
}

extension Result where Success == Response, Failure == any Error {
  fileprivate static func status(_ status: Int, _ body: String = "", headers: [String: String] = [:]) -> Self {
    .success(
      (
        Data(body.utf8),
        HTTPURLResponse(
          url: URL(string: "https://example.com")!, statusCode: status, httpVersion: nil, headerFields: headers)!
      ))
  }
}

/// How the first try of a request fails.
enum FirstTry: CaseIterable {
  case timesOut
  case endsInA503
}
