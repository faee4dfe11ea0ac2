import Given
import TestSupport
import Testing

@testable import Exercise9

@Suite("Step 6: when to retry", .oneAtATime)
struct Step6Attempts {
  @Test("a 503, a 429 or a timeout is retried after a wait")
  func retriesAfterAWait() async throws {
    try await each("failed attempt", in: FailedAttempt.allCases) { failed in
      let scene = RetryScene(attempts: 3, delay: 2)
      let call = scene.send()

      try await scene.complete(0, failed.result())
      await scene.clock.sleeps.receives(1)
      #expect(
        scene.clock.sleeps.values == [.seconds(2)], "The wait before the second attempt should be the delay, measured by `clock`."
      )
      scene.clock.advance(by: 1.875)
      #expect(scene.client.count == 1, "The second attempt was sent before the delay had passed.")
      scene.clock.advance(by: 0.125)
      try await scene.complete(1, .status(200, "body"))

      let text = try await call.outcome().expectSuccess("The second attempt succeeded, so its response should be returned.")
      #expect(text == "200 body", "The second attempt's response should be returned unchanged.")
      #expect(scene.client.count == 2, "The second attempt succeeded, so there should be no third.")
    }
  }

  @Test("the last attempt ends without another wait")
  func givesUp() async throws {
    try await each("attempts", in: 1...3, "failed attempt", in: FailedAttempt.allCases) { attempts, failed in
      let scene = RetryScene(attempts: attempts, delay: 1)
      let call = scene.send()

      for index in 0..<attempts {
        try await scene.complete(index, failed.result("attempt \(index + 1)"))
        if index < attempts - 1 { try await scene.wait(index + 1, seconds: 60) }
      }
      let outcome = try await call.outcome(
        "The last attempt has ended, but the call hasn't. Deliver the last attempt's response or error without another wait.")

      switch failed {
      case .isUnavailable, .isOneOfTooMany:
        let text = try outcome.expectSuccess("The last attempt's response should be returned, even a 503 or a 429.")
        #expect(text.hasSuffix(" attempt \(attempts)"), "The last attempt's response should be returned, not an earlier one.")
      case .timesOut:
        #expect((outcome.failure as? URLError)?.code == .timedOut, "The last attempt's error should be thrown unchanged.")
      }
      #expect(scene.client.count == attempts, "There should be at most \(attempts) attempts, including the first.")
      #expect(scene.clock.sleeps.values.count == attempts - 1, "There should be no wait after the last attempt.")
    }
  }

  @Test("each attempt sends the same request")
  func sendsTheSameRequest() async throws {
    let scene = RetryScene(attempts: 2, delay: 1)
    var request = URLRequest.elaborate
    request.httpMethod = "PUT"
    let call = scene.send(request)

    try await scene.complete(0, .status(503))
    try await scene.wait(1, seconds: 1)
    try await scene.complete(1, .status(200))
    _ = try await call.outcome()

    for sent in scene.client.arguments { expectUnchanged(sent, from: request) }
    #expect(scene.client.count == 2, "PUT is idempotent, so the request should be sent twice.")
  }

  @Test("idempotent methods are retried")
  func retriesIdempotentMethods() async throws {
    try await each("method", in: ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]) { method in
      let scene = RetryScene(attempts: 2, delay: 1)
      let call = scene.send(method: method)

      try await scene.complete(0, .status(503))
      try await scene.wait(1, seconds: 1)
      try await scene.complete(1, .status(200))

      _ = try await call.outcome().expectSuccess("The second attempt succeeded, so its response should be returned.")
      #expect(scene.client.count == 2, "\(method) is idempotent (RFC 9110, section 9.2.2), so the request should be sent twice.")
    }
  }

  @Test("unchanged: a request that isn't idempotent is sent once")
  func sendsOtherMethodsOnce() async throws {
    try await each("method", in: ["POST", "PATCH", "CONNECT", "UNHEARD-OF"], "failed attempt", in: FailedAttempt.allCases) {
      method, failed in
      let scene = RetryScene(attempts: 3, delay: 1)
      let call = scene.send(method: method)

      try await scene.complete(0, failed.result("body"))
      let outcome = try await call.outcome(
        "A \(method) may take effect twice if it's sent twice. Deliver its response or error without waiting.")

      switch failed {
      case .isUnavailable, .isOneOfTooMany:
        let text = try outcome.expectSuccess("The response to a \(method) should be returned, even a 503 or a 429.")
        #expect(text.hasSuffix(" body"), "The response to a \(method) should be returned unchanged.")
      case .timesOut:
        #expect((outcome.failure as? URLError)?.code == .timedOut, "The error from a \(method) should be thrown unchanged.")
      }
      #expect(scene.client.count == 1, "A \(method) may take effect twice if it's sent twice. Send it once.")
    }
  }

  @Test("unchanged: a response other than 503 or 429 is not retried")
  func returnsOtherResponses() async throws {
    try await each("status", in: [200, 204, 400, 401, 403, 404, 408, 500, 502, 504, 507]) { status in
      let scene = RetryScene(attempts: 3, delay: 1)
      let call = scene.send()

      try await scene.complete(0, .status(status, "body"))

      let text = try await call.outcome("A \(status) isn't worth a retry. Return it without waiting.").expectSuccess(
        "A \(status) isn't worth a retry, so it should be returned.")
      #expect(text == "\(status) body", "The response should be returned unchanged.")
      #expect(scene.client.count == 1, "Only a 503 and a 429 are worth a retry. A \(status) should end the attempts.")
    }
  }

  @Test("unchanged: an error other than a timeout is not retried")
  func throwsOtherErrors() async throws {
    try await each("error code", in: [URLError.Code.notConnectedToInternet, .networkConnectionLost, .cannotFindHost, .cancelled])
    {
      code in
      let scene = RetryScene(attempts: 3, delay: 1)
      let call = scene.send()

      try await scene.complete(0, .failure(URLError(code)))

      let error = try await call.outcome("Only a timeout is worth a retry. Throw other errors without waiting.").failure
      #expect((error as? URLError)?.code == code, "The error should be thrown unchanged.")
      #expect(scene.client.count == 1, "Only a timeout is worth a retry. Any other error should end the attempts.")
    }
  }

  @Test("unchanged: a request canceled during an attempt is not retried")
  func endsDuringAnAttempt() async throws {
    try await each("canceled attempt", in: CanceledAttempt.allCases) { canceled in
      let client = AsyncCalls<URLRequest, Response>(to: "the client")
      let clock = ManualClock()
      let middleware = retrying(upTo: 3, after: .seconds(1), waitingAtMost: .seconds(60), clock: clock)

      let call = Running {
        try await middleware(.named("articles")) { request in
          do {
            return try await client.receive(request)
          } catch {
            return try canceled.result(of: error).get()
          }
        }.head.statusCode
      }
      await client.receives(1)
      call.cancel()
      let outcome = try await call.outcome(
        "The task was canceled during an attempt, but the call didn't end. Send and wait in the caller's task.")

      #expect(client.cancelled == [0], "The cancellation should reach the client.")
      #expect(
        outcome.failure is CancellationError || canceled.isEnd(outcome),
        "A canceled request should end with a `CancellationError`, or with the result of its attempt.")
      #expect(client.count == 1, "The request was canceled, so it should not be sent again.")
    }
  }

  @Test("each request has its own attempts and its own waits")
  func keepsRequestsApart() async throws {
    let scene = RetryScene(attempts: 2, delay: 1)

    let first = scene.send()
    try await scene.complete(0, .status(503))
    await scene.clock.sleeps.receives(1)
    let second = scene.send()
    try await scene.complete(1, .status(503))
    try await scene.wait(2, seconds: 1)
    try await scene.complete(2, .status(200))
    try await scene.complete(3, .status(200))
    _ = try await first.outcome().expectSuccess("The first of two overlapping requests should be sent twice.")
    _ = try await second.outcome().expectSuccess("The second of two overlapping requests should be sent twice.")
    let third = scene.send()
    try await scene.complete(4, .status(503))
    await scene.clock.sleeps.receives(3)
    #expect(
      scene.clock.sleeps.values == [.seconds(1), .seconds(1), .seconds(1)],
      "Each request should start with its first attempt and the first delay. Store nothing between requests.")
    scene.clock.advance(by: 1)
    try await scene.complete(5, .status(200))

    _ = try await third.outcome().expectSuccess("A request sent after retried requests should also be retried.")
  }
}

/// How an attempt ends whose task is canceled.
enum CanceledAttempt: CaseIterable {
  case withACancellationError
  case withATimeout
  case withA503
  case withA503AndNoWait

  /// How the attempt ends.
  ///
  /// - Parameter error: The cancellation.
  func result(of error: any Error) -> Result<Response, any Error> {
    switch self {
    case .withACancellationError: .failure(error)
    case .withATimeout: .failure(URLError(.timedOut))
    case .withA503: .status(503)
    case .withA503AndNoWait: .status(503, retryAfter: "0")
    }
  }

  /// Whether the whole request ended in this way.
  func isEnd(_ outcome: Result<Int, any Error>) -> Bool {
    switch self {
    case .withACancellationError: outcome.failure is CancellationError
    case .withATimeout: (outcome.failure as? URLError)?.code == .timedOut
    case .withA503, .withA503AndNoWait: (try? outcome.get()) == 503
    }
  }
}
