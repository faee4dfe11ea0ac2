import Given
import TestSupport
import Testing

@testable import Exercise9

@Suite("Step 6: how long to wait", .oneAtATime)
struct Step6Waits {
  @Test("each wait is twice as long as the one before")
  func doublesTheWait() async throws {
    let scene = RetryScene(attempts: 5, delay: 0.5)
    let call = scene.send()

    for (index, seconds) in [0.5, 1, 2, 4].enumerated() {
      try await scene.complete(index, index.isMultiple(of: 2) ? .status(503) : .failure(URLError(.timedOut)))
      try await scene.wait(index + 1, seconds: seconds)
    }
    try await scene.complete(4, .status(200))

    _ = try await call.outcome().expectSuccess("The fifth attempt succeeded, so its response should be returned.")
    #expect(
      scene.clock.sleeps.values == [.seconds(0.5), .seconds(1), .seconds(2), .seconds(4)],
      "The first wait should be the delay, and each later wait twice as long as the one before.")
  }

  @Test("no wait is longer than the cap")
  func obeysTheCap() async throws {
    try await each("delay", in: [1, 10]) { delay in
      let scene = RetryScene(attempts: 5, delay: Double(delay), cap: 3)
      let call = scene.send()

      for index in 0..<4 {
        try await scene.complete(index, .failure(URLError(.timedOut)))
        try await scene.wait(index + 1, seconds: 60)
      }
      try await scene.complete(4, .status(200))

      _ = try await call.outcome().expectSuccess("The fifth attempt succeeded, so its response should be returned.")
      let expected: [Duration] =
        delay == 1 ? [.seconds(1), .seconds(2), .seconds(3), .seconds(3)] : Array(repeating: .seconds(3), count: 4)
      #expect(
        scene.clock.sleeps.values == expected,
        "No wait should be longer than the cap. If the delay is longer, wait as long as the cap.")
    }
  }

  @Test("after many attempts, the wait is still the cap")
  func keepsTheCap() async throws {
    let scene = RetryScene(attempts: 100, delay: 1, cap: 60)
    let call = scene.send()

    for index in 0..<99 {
      try await scene.complete(index, .status(503))
      try await scene.wait(index + 1, seconds: 60)
    }
    try await scene.complete(99, .status(200))

    _ = try await call.outcome().expectSuccess("The last attempt succeeded, so its response should be returned.")
    #expect(
      scene.clock.sleeps.values.dropFirst(6).allSatisfy { $0 == .seconds(60) },
      "From the seventh wait on, each should last as long as the cap. A delay doubled 64 times overflows: stop at the cap.")
  }

  @Test("a `Retry-After` in seconds replaces the wait")
  func obeysRetryAfter() async throws {
    try await each("seconds", in: [2, 120], "status", in: [503, 429]) { seconds, status in
      let scene = RetryScene(attempts: 2, delay: 10, cap: 120)
      let call = scene.send()

      try await scene.complete(0, .status(status, retryAfter: "\(seconds)"))
      await scene.clock.sleeps.receives(1)
      #expect(
        scene.clock.sleeps.values == [.seconds(seconds)],
        "The server requests a wait of \(seconds) seconds (RFC 9110, section 10.2.3), which should replace the delay.")
      scene.clock.advance(by: Double(seconds) - 0.125)
      #expect(scene.client.count == 1, "The second attempt was sent before the \(seconds) seconds had passed.")
      scene.clock.advance(by: 0.125)
      try await scene.complete(1, .status(200))

      _ = try await call.outcome().expectSuccess("The second attempt succeeded, so its response should be returned.")
    }
  }

  @Test("a `Retry-After` affects only the next wait")
  func forgetsRetryAfter() async throws {
    let scene = RetryScene(attempts: 4, delay: 1)
    let call = scene.send()

    for (index, retryAfter) in ["120", nil, "5"].enumerated() {
      try await scene.complete(index, .status(503, retryAfter: retryAfter))
      try await scene.wait(index + 1, seconds: 120)
    }
    try await scene.complete(3, .status(200))
    _ = try await call.outcome().expectSuccess("The fourth attempt succeeded, so its response should be returned.")

    let waits = scene.clock.sleeps.values
    #expect(waits.first == .seconds(120), "The first response requests a wait of 120 seconds, so the wait should be that long.")
    #expect(
      [.seconds(1), .seconds(2)].contains(waits[1]),
      "The second response requests no wait, so wait as long as the delay, doubled or not. The 120 seconds no longer apply."
    )
    #expect(waits[2] == .seconds(5), "The third response requests a wait of 5 seconds, so the wait should be that long.")
  }

  @Test("a `Retry-After` that isn't a number of seconds is ignored")
  func ignoresOddRetryAfter() async throws {
    try await each("value", in: ["soon", "", "-5", "Wed, 21 Oct 2026 07:28:00 GMT"]) { value in
      let scene = RetryScene(attempts: 2, delay: 3)
      let call = scene.send()

      try await scene.complete(0, .status(503, retryAfter: value))
      await scene.clock.sleeps.receives(1)
      #expect(
        scene.clock.sleeps.values == [.seconds(3)], "\"\(value)\" isn't a number of seconds, so the wait should be the delay.")
      scene.clock.advance(by: 3)
      try await scene.complete(1, .status(200))

      _ = try await call.outcome().expectSuccess("The second attempt succeeded, so its response should be returned.")
    }
  }

  @Test("a `Retry-After` beyond the cap ends the attempts")
  func givesUpBeyondTheCap() async throws {
    try await each("value", in: ["61", "86400", "4294967296"], "attempts before", in: [0, 1]) { value, attemptsBefore in
      let scene = RetryScene(attempts: 3, delay: 1, cap: 60)
      let call = scene.send()

      for index in 0..<attemptsBefore {
        try await scene.complete(index, .status(503))
        try await scene.wait(index + 1, seconds: 1)
      }
      try await scene.complete(attemptsBefore, .status(429, "later", retryAfter: value))

      let text = try await call.outcome(
        "The server requests a wait of \(value) seconds, and the cap is 60. Return the response without waiting."
      ).expectSuccess("The server requests a wait beyond the cap, so its response should be returned.")
      #expect(text == "429 later", "The response that requests a wait beyond the cap should be returned unchanged.")
      #expect(
        scene.client.count == attemptsBefore + 1,
        "The request was sent earlier than the server permits. If the requested wait exceeds the cap, give up.")
    }
  }

  @Test("a request canceled during a wait ends with a `CancellationError`")
  func endsDuringAWait() async throws {
    let scene = RetryScene(attempts: 3, delay: 60)
    let call = scene.send()

    try await scene.complete(0, .status(503))
    await scene.clock.sleeps.receives(1)
    call.cancel()

    let error = try await call.outcome("The task was canceled during a wait, but the call didn't end. Wait in the caller's task.")
      .failure
    #expect(
      error is CancellationError, "A request canceled during a wait should end with a `CancellationError`, not with the 503.")
    scene.clock.advance(by: 60)
    #expect(scene.client.count == 1, "The request was canceled during the wait, so it should not be sent again.")
  }
}
