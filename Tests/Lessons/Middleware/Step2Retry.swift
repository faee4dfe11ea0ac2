import Given
import TestSupport
import Testing

import class Given.Locked
import typealias Given.Response

@testable import ExerciseMiddleware

@Suite("Step 2: retry", .oneAtATime)
struct Step2Retry {
  @Test("idempotent requests are retried after a 503, a 429, or a timeout")
  func retriesAfterAWait() async throws {
    try await each("first status, or nil for a timeout", in: [503, 429, nil]) { (status: Int?) in
      let (client, clock) = (AsyncCalls<URLRequest, Response>(to: "the client"), ManualClock())
      let sut = retrying(upTo: 2, after: .seconds(2), waitingAtMost: .seconds(60), jitter: { $0 }, clock: clock)

      let request = Running { try await sut(.named("articles")) { try await client.receive($0) } }
      await client.receives(1)
      client.complete(0, with: status.map { .success(response($0)) } ?? .failure(URLError(.timedOut)))
      await clock.sleeps.receives(1)
      #expect(clock.sleeps.values == [.seconds(2)], "After a 503, a 429, or a timeout, wait for the delay, using `clock`.")
      clock.advance(by: 2)
      await client.receives(2)
      #expect(client.count == 2, "After the wait, send the request again.")
      client.complete(1, with: .success(response(200)))
      let result = try await request.outcome().expectSuccess("Return the result of the second attempt.")

      #expect(result.head.statusCode == 200, "Return the result of the second attempt.")
    }
  }

  @Test("unchanged: only a 503, a 429, or a timeout leads to a retry")
  func passesTheRestOn() async throws {
    let rule: Comment = "Only a 503, a 429, and a timeout are worth a retry. Return or throw anything else."
    try await each("status", in: [100, 200, 204, 400, 401, 403, 404, 408, 500, 502, 504, 507, 599]) { status in
      let run = try await send(endingWith: [.success(response(status, retryAfter: "1")), .success(response(200))])

      #expect(run.sent.count == 1 && run.waits.isEmpty, rule)
      #expect((try? run.outcome.get().head.statusCode) == status, rule)
    }
    try await each("error", in: SampleError.allCases.filter { $0 != .timedOut }) { trouble in
      let run = try await send(endingWith: [.failure(trouble.error), .success(response(200))])

      #expect(run.sent.count == 1 && run.waits.isEmpty && run.outcome.failure?.isSame(as: trouble.error) == true, rule)
    }
  }

  @Test("requests with any idempotent method are retried after a 503")
  func retriesIdempotentMethods() async throws {
    try await each("method", in: ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]) { method in
      var request = URLRequest.elaborate
      request.httpMethod = method

      let run = try await send(request, endingWith: [.success(response(503)), .success(response(200))])

      #expect(run.sent.count == 2, "\(method) is idempotent: sending it twice has the same effect as sending it once.")
      for sent in run.sent { expectUnchanged(sent, from: request) }
    }
  }

  @Test("unchanged: non-idempotent requests and those with body streams are sent once")
  func sendsOtherMethodsOnce() async throws {
    try await each("method", in: ["POST", "PATCH", "CONNECT", "UNHEARD-OF"]) { method in
      var request = URLRequest.named("articles")
      request.httpMethod = method

      let run = try await send(request, endingWith: [.success(response(503)), .success(response(200))])

      let rule: Comment = "\(method) may take effect twice if it's sent twice. Send it once, and return the 503."
      #expect(run.sent.count == 1 && (try? run.outcome.get().head.statusCode) == 503, rule)
    }
    var request = URLRequest.named("articles")
    request.httpMethod = "PUT"
    request.httpBodyStream = InputStream(data: Data("a long article".utf8))

    let run = try await send(request, endingWith: [.failure(URLError(.timedOut)), .success(response(200))])

    #expect(run.sent.count == 1, "A body that is a stream can be read only once. Send such a request once.")
    #expect(run.outcome.failure as? URLError == URLError(.timedOut), "A request that is not retried ends with its own error.")
  }

  @Test("the result of the last attempt is passed on without another wait")
  func givesUp() async throws {
    try await each("attempts", in: 1...3) { attempts in
      let ends = (1..<attempts).map { _ in Result<Response, any Error>.success(response(503)) }

      let run = try await send(upTo: attempts, endingWith: ends + [.success(response(429)), .success(response(200))])

      let rule: Comment = "Make at most `attempts` attempts, and return the result of the last one, without a wait."
      #expect(run.sent.count == attempts && run.waits.count == attempts - 1, rule)
      #expect((try? run.outcome.get().head.statusCode) == 429, rule)
    }
  }

  @Test("unchanged: fewer attempts than one count as one")
  func makesOneAttempt() async {
    // A range such as `1..<0` traps. Here, it does so in a process of its own, so that there is a sentence about it.
    await #expect(
      processExitsWith: .success, "If `attempts` is 0, or less, make one attempt. A range that ends before it begins traps."
    ) {
      for attempts in [0, -1] {
        let sent = Inbox<URLRequest>()
        let sut = retrying(upTo: attempts, after: .zero, waitingAtMost: .zero, jitter: { $0 }, clock: ContinuousClock())
        _ = try await sut(.named("articles")) {
          sent.receive($0)
          return response(503)
        }
        precondition(sent.values.count == 1)
      }
    }
  }

  @Test("the wait doubles with each retry, up to the cap")
  func doublesTheWait() async throws {
    let ends = (1...99).map { _ in Result<Response, any Error>.success(response(503)) }

    let run = try await send(upTo: 100, after: 0.5, cap: 3, endingWith: ends + [.success(response(200))])

    let rule: Comment =
      "Each delay is twice as long as the one before, but no longer than the cap. Apply the cap after each doubling, or the delay overflows."
    #expect(run.waits == [0.5, 1, 2] + Array(repeating: 3, count: 96), rule)
    #expect((try? run.outcome.get().head.statusCode) == 200, "The hundredth attempt brings a 200. Return it.")
  }

  @Test("no delay is longer than the cap, and each passes through `jitter`")
  func changesTheWait() async throws {
    let capped = try await send(after: 10, cap: 3, endingWith: [.failure(URLError(.timedOut)), .success(response(200))])
    #expect(capped.waits == [3], "The cap limits the first delay, too.")

    let busy = Result<Response, any Error>.success(response(503))
    let run = try await send(
      upTo: 5, cap: 3, jitter: { $0 * 0.5 },
      endingWith: [busy, busy, busy, .success(response(503, retryAfter: "2")), .success(response(200))])
    #expect(
      run.waits.prefix(3) == [0.5, 1, 1.5],
      "Wait for `jitter(delay)`, and double the delay, not what `jitter` returned. Here, `jitter` halves a delay.")
    #expect(
      run.waits.count == 4 && (2...3).contains(run.waits[3]),
      "`jitter` must not make a wait shorter than the server requests, and such a wait is not longer than the cap either.")
  }

  @Test("a `Retry-After` in seconds is the shortest next wait")
  func obeysRetryAfter() async throws {
    try await each("seconds", in: [5.0, 60], "delay", in: [1.0, 60]) { seconds, delay in
      let ends = [503, 429, 503].map { Result<Response, any Error>.success(response($0, retryAfter: "\(Int(seconds))")) }

      let run = try await send(after: delay, jitter: { $0 * 1.5 }, endingWith: ends)

      #expect(
        run.waits.count == 2 && run.waits.allSatisfy { (seconds...60).contains($0) },
        """
        After a `Retry-After` in seconds, wait for at least that time instead of `jitter(delay)`, and for no longer than the cap. \
        Here, the cap is 60 seconds, `jitter` makes a delay half as long again, and the waits are \(run.waits).
        """)
    }
  }

  @Test("a `Retry-After` changes no wait but the next")
  func doublesItsOwnDelay() async throws {
    let run = try await send(
      endingWith: [.success(response(503, retryAfter: "10")), .success(response(503)), .success(response(200))])

    #expect(
      run.waits.count == 2 && [1, 2].contains(run.waits[1]),
      "The delay was 1 second. Double that, and not what the server requested.")
  }

  @Test("a `Retry-After` that is not a number of seconds is ignored")
  func ignoresOtherValues() async throws {
    try await each("value", in: ["-5", "1.5", "soon", "", "Wed, 21 Oct 2026 07:28:00 GMT"]) { value in
      let run = try await send(endingWith: [.success(response(503, retryAfter: value)), .success(response(200))])

      #expect(run.waits == [1], "Only a whole number of seconds replaces the delay. Ignore any other `Retry-After`.")
    }
  }

  @Test("unchanged: a `Retry-After` of centuries is a number like any other")
  func survivesCenturies() async {
    // What crashes here does so in a process of its own, so that there is a sentence about it.
    await #expect(
      processExitsWith: .success,
      "A server may request any number of seconds. Compare them with the cap as a `Duration`: a number of nanoseconds overflows."
    ) {
      for seconds in ["4294967296", "99999999999", "\(Int.max)"] {
        let sut = retrying(upTo: 2, after: .zero, waitingAtMost: .zero, jitter: { $0 }, clock: ContinuousClock())
        _ = try await sut(.named("articles")) { _ in response(503, retryAfter: seconds) }
      }
    }
  }

  @Test("there is no further attempt if a `Retry-After` exceeds the cap")
  func givesUpBeyondTheCap() async throws {
    try await each("seconds", in: ["61", "86400", "4294967296", "99999999999", "\(Int.max)"]) { seconds in
      let run = try await send(
        endingWith: [.success(response(503)), .success(response(429, retryAfter: seconds)), .success(response(200))])

      let rule: Comment = "If the server requests a wait longer than the cap, return its response, and wait no more."
      #expect(run.sent.count == 2 && run.waits == [1] && (try? run.outcome.get().head.statusCode) == 429, rule)
    }
  }

  @Test("a canceled request is not sent again")
  func endsWhenCanceled() async throws {
    let (client, clock) = (AsyncCalls<URLRequest, Response>(to: "the client", endsWhenCanceled: false), ManualClock())
    let sut = retrying(upTo: 3, after: .seconds(60), waitingAtMost: .seconds(60), jitter: { $0 }, clock: clock)

    let waiting = Running { try await sut(.named("articles")) { try await client.receive($0) } }
    await client.receives(1)
    client.complete(0, with: .success(response(503)))
    await clock.sleeps.receives(1)
    waiting.cancel()
    let error = try await waiting.outcome("A canceled request's wait should end immediately, and nothing more is sent.").failure
    #expect(error is CancellationError, "A wait that is canceled ends with a `CancellationError`.")

    let sending = Running { try await sut(.named("comments")) { try await client.receive($0) } }
    await client.receives(2)
    sending.cancel()
    await eventually { client.canceled == [1] }
    #expect(client.canceled == [1], "Call `next` in the caller's task, so that a cancellation reaches the client.")
    client.complete(1, with: .success(response(503, retryAfter: "0")))
    _ = try await sending.outcome("A canceled request ends when its attempt does, and is not sent again.")
    clock.advance(by: 60)

    #expect(client.count == 2, "Don't send a canceled request again.")
  }

  @Test("each request has its own delays")
  func keepsRequestsApart() async throws {
    let (client, clock) = (AsyncCalls<URLRequest, Response>(to: "the client"), ManualClock())
    let sut = retrying(upTo: 3, after: .seconds(1), waitingAtMost: .seconds(60), jitter: { $0 }, clock: clock)

    let send = { Running { try await sut(.named("articles")) { try await client.receive($0) } } }

    let first = send()
    await client.receives(1)
    client.complete(0, with: .success(response(503)))
    await clock.sleeps.receives(1)
    clock.advance(by: 1)
    await client.receives(2)
    let second = send()
    await client.receives(3)
    client.complete(2, with: .success(response(503)))
    await clock.sleeps.receives(2)
    client.complete(1, with: .success(response(503)))
    await clock.sleeps.receives(3)

    #expect(
      clock.sleeps.values == [.seconds(1), .seconds(1), .seconds(2)],
      "A request waits for 1 second. During its second attempt, another one begins: it waits for 1 second, and the first one then for 2. What does your middleware keep between two calls?"
    )
    for request in [first, second] { request.cancel() }
  }

  @Test("hundreds of requests obey these rules, whatever they get")
  func weathersAStorm() async {
    await expectEachRequestIsRetriedRightly()
  }

  /// Sends a request through the middleware. Each wait ends as soon as it has begun.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - attempts: The maximum number of attempts.
  ///   - delay: The first delay, in seconds.
  ///   - cap: The longest delay, in seconds.
  ///   - jitter: What changes each delay.
  ///   - results: What the client ends its calls with, one after the other.
  /// - Returns: The requests that reached the client, how many seconds there were between them, and how the request ended.
  private func send(
    _ request: URLRequest = .named("articles"), upTo attempts: Int = 3, after delay: TimeInterval = 1, cap: TimeInterval = 60,
    jitter: @escaping @Sendable (Duration) -> Duration = { $0 }, endingWith results: [Result<Response, any Error>]
  ) async throws -> (sent: [URLRequest], waits: [TimeInterval], outcome: Result<Response, any Error>) {
    let clock = FastClock()
    let sut = retrying(
      upTo: attempts, after: .seconds(delay), waitingAtMost: .seconds(cap), jitter: jitter, clock: clock)
    let (sent, outcome) = try await load(request, through: sut, endingWith: results)
    return (sent, clock.waits.values.map { $0 / .seconds(1) }, outcome)
  }
}

/// A clock on which each wait ends as soon as it has begun.
private final class FastClock: Clock {
  typealias Instant = ContinuousClock.Instant

  let waits = Inbox<Duration>()
  let minimumResolution = Duration.zero
  private let instant = Locked(ContinuousClock.now)

  var now: Instant { instant.withLock { $0 } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    waits.receive(now.duration(to: deadline))
    instant.withLock { $0 = deadline }
  }
}
