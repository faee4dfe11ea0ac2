import Given
import TestSupport
import Testing

import typealias Given.Response
import class TestSupport.ManualClock
import struct TestSupport.Running
import enum TestSupport.SampleError

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
      let result = try await request.outcome().expectSuccess("Deliver the result of the second attempt.")

      #expect(result.head.statusCode == 200, "Deliver the result of the second attempt.")
    }
  }

  @Test("unchanged: only a 503, a 429, or a timeout leads to a retry")
  func deliversTheRest() async {
    let rule = "Only a 503, a 429, and a timeout are worth a retry. Deliver anything else."
    await each("status", in: [100, 200, 204, 400, 401, 403, 404, 408, 500, 502, 504, 507, 599]) { status in
      await story(RetryWorld(attempts: 3, delay: 1), rule) {
        await $0.send(leadsToAllOf: ["GET /articles is sent"])
        await $0.respond(
          to: "/articles", status: status, retryAfter: "1", leadsToAllOf: ["/articles receives the \(status) of attempt 1"])
      }
    }
    await each("error", in: SampleError.allCases.filter { $0 != .timedOut }) { trouble in
      await story(RetryWorld(attempts: 3, delay: 1), rule) {
        await $0.send(leadsToAllOf: ["GET /articles is sent"])
        await $0.fail("/articles", with: trouble, leadsToAllOf: ["/articles receives \(trouble.inWords)"])
      }
    }
  }

  @Test("requests with any idempotent method are retried after a 503")
  func retriesIdempotentMethods() async {
    await each("method", in: ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]) { method in
      await story(
        RetryWorld(attempts: 2, delay: 1), "\(method) is idempotent: sending it twice has the same effect as sending it once."
      ) {
        await $0.send(method, leadsToAllOf: ["\(method) /articles is sent"])
        await $0.respond(to: "/articles", status: 503, leadsToAllOf: ["a wait of 1.0 seconds begins"])
        await $0.advance(by: 1, leadsToAllOf: ["\(method) /articles is sent"])
        await $0.respond(to: "/articles", status: 200, leadsToAllOf: ["/articles receives the 200 of attempt 2"])
      }
    }
  }

  @Test("unchanged: non-idempotent requests and those with body streams are sent once")
  func sendsOtherMethodsOnce() async {
    await each("method", in: ["POST", "PATCH", "CONNECT", "UNHEARD-OF"]) { method in
      await story(RetryWorld(attempts: 3, delay: 1), "\(method) may take effect twice if it's sent twice. Send it once.") {
        await $0.send(method, leadsToAllOf: ["\(method) /articles is sent"])
        await $0.respond(to: "/articles", status: 503, leadsToAllOf: ["/articles receives the 503 of attempt 1"])
      }
    }
    await story(RetryWorld(attempts: 3, delay: 1), "A body that is a stream can be read only once. Send such a request once.") {
      await $0.send("PUT", isStreaming: true, leadsToAllOf: ["PUT /articles, body: a stream is sent"])
      await $0.fail("/articles", with: .timedOut, leadsToAllOf: ["/articles receives URLError -1001"])
    }
  }

  @Test("the result of the last attempt is delivered without another wait")
  func givesUp() async {
    await each("attempts", in: 1...3) { attempts in
      await story(
        RetryWorld(attempts: attempts, delay: 1), "Make at most `attempts` attempts, and deliver the result of the last one."
      ) {
        await $0.send(leadsToAllOf: ["GET /articles is sent"])
        for attempt in 1..<attempts {
          await $0.respond(to: "/articles", status: 503, leadsToAllOf: ["a wait of \(Double(attempt)) seconds begins"])
          await $0.advance(by: Double(attempt), leadsToAllOf: ["GET /articles is sent"])
        }
        await $0.respond(to: "/articles", status: 429, leadsToAllOf: ["/articles receives the 429 of attempt \(attempts)"])
      }
    }
  }

  @Test("the wait doubles with each retry, up to the cap")
  func doublesTheWait() async {
    await story(
      RetryWorld(attempts: 100, delay: 0.5, cap: 3),
      "Each wait is twice as long as the one before, but no longer than the cap. Apply the cap after each doubling, or the delay overflows."
    ) {
      await $0.send(leadsToAllOf: ["GET /articles is sent"])
      for wait in [0.5, 1, 2] + Array(repeating: 3, count: 96) {
        await $0.respond(to: "/articles", status: 503, leadsToAllOf: ["a wait of \(wait) seconds begins"])
        await $0.advance(by: wait, leadsToAllOf: ["GET /articles is sent"])
      }
      await $0.respond(to: "/articles", status: 200, leadsToAllOf: ["/articles receives the 200 of attempt 100"])
    }
  }

  @Test("no wait is longer than the cap, and each passes through `jitter`")
  func changesTheWait() async {
    await story(RetryWorld(attempts: 3, delay: 10, cap: 3), "The cap limits the first wait, too.") {
      await $0.send(leadsToAllOf: ["GET /articles is sent"])
      await $0.fail("/articles", with: .timedOut, leadsToAllOf: ["a wait of 3.0 seconds begins"])
    }
    await story(
      RetryWorld(attempts: 5, delay: 1, cap: 3, jitter: 0.5),
      "Wait for `jitter(delay)`, and double the delay, not what `jitter` returned. It must not make a wait shorter than the server requests."
    ) {
      await $0.send(leadsToAllOf: ["GET /articles is sent"])
      for wait in [0.5, 1, 1.5] {
        await $0.respond(to: "/articles", status: 503, leadsToAllOf: ["a wait of \(wait) seconds begins"])
        await $0.advance(by: wait, leadsToAllOf: ["GET /articles is sent"])
      }
      await $0.respond(to: "/articles", status: 503, retryAfter: "2", leadsToAllOf: ["a wait of 2.0 to 3.0 seconds begins"])
    }
  }

  @Test("a `Retry-After` in seconds is the shortest next wait")
  func obeysRetryAfter() async {
    await each("seconds", in: ["5", "60"], "status", in: [503, 429]) { seconds, status in
      await story(
        RetryWorld(attempts: 3, delay: 1, cap: 60),
        "After a `Retry-After` in seconds, wait for at least that time instead of `jitter(delay)`, and for no longer than the cap."
      ) {
        await $0.send(leadsToAllOf: ["GET /articles is sent"])
        for _ in 1...2 {
          await $0.respond(
            to: "/articles", status: status, retryAfter: seconds,
            leadsToAllOf: ["a wait of \(seconds == "5" ? "5.0 to 60.0" : "60.0") seconds begins"])
          await $0.advance(by: 60, leadsToAllOf: ["GET /articles is sent"])
        }
        await $0.respond(
          to: "/articles", status: status, retryAfter: seconds, leadsToAllOf: ["/articles receives the \(status) of attempt 3"])
      }
    }
  }

  @Test("a `Retry-After` changes no wait but the next")
  func doublesItsOwnDelay() async throws {
    let (client, clock) = (AsyncCalls<URLRequest, Response>(to: "the client"), ManualClock())
    let sut = retrying(upTo: 3, after: .seconds(1), waitingAtMost: .seconds(60), jitter: { $0 }, clock: clock)

    let request = Running { try await sut(.named("articles")) { try await client.receive($0) } }
    await client.receives(1)
    client.complete(0, with: .success(response(503, retryAfter: "10")))
    await clock.sleeps.receives(1)
    clock.advance(by: 60)
    await client.receives(2)
    client.complete(1, with: .success(response(503)))
    await clock.sleeps.receives(2)
    let wait = clock.sleeps.values.last

    #expect(wait == .seconds(1) || wait == .seconds(2), "The delay was 1 second. Double that, and not what the server requested.")
    request.cancel()
  }

  @Test("a `Retry-After` that is not a number of seconds is ignored")
  func ignoresOtherValues() async {
    await each("value", in: ["-5", "1.5", "soon", "", "Wed, 21 Oct 2026 07:28:00 GMT"]) { value in
      await story(RetryWorld(attempts: 2, delay: 1), "Only a whole number of seconds replaces the wait. Ignore `\(value)`.") {
        await $0.send(leadsToAllOf: ["GET /articles is sent"])
        await $0.respond(to: "/articles", status: 503, retryAfter: value, leadsToAllOf: ["a wait of 1.0 seconds begins"])
      }
    }
  }

  @Test("there is no further attempt if a `Retry-After` exceeds the cap")
  func givesUpBeyondTheCap() async {
    await each("seconds", in: ["61", "86400", "4294967296", "99999999999", "\(Int.max)"]) { seconds in
      await story(
        RetryWorld(attempts: 3, delay: 1, cap: 60), "If the server requests a wait longer than the cap, deliver its response."
      ) {
        await $0.send(leadsToAllOf: ["GET /articles is sent"])
        await $0.respond(to: "/articles", status: 503, leadsToAllOf: ["a wait of 1.0 seconds begins"])
        await $0.advance(by: 1, leadsToAllOf: ["GET /articles is sent"])
        await $0.respond(
          to: "/articles", status: 429, retryAfter: seconds, leadsToAllOf: ["/articles receives the 429 of attempt 2"])
      }
    }
  }

  @Test("a canceled request is not sent again")
  func endsWhenCanceled() async {
    await story(
      RetryWorld(attempts: 3, delay: 60), "Don't send a canceled request again. Its wait should end with a `CancellationError`."
    ) {
      await $0.send(leadsToAllOf: ["GET /articles is sent"])
      await $0.respond(to: "/articles", status: 503, leadsToAllOf: ["a wait of 60.0 seconds begins"])
      await $0.cancel("/articles", leadsToAllOf: ["/articles receives CancellationError"])
      await $0.send(leadsToAllOf: ["GET /comments is sent"])
      await $0.cancel("/comments", leadsToAllOf: ["the cancellation of /comments reaches the client"])
      await $0.respond(to: "/comments", status: 503, retryAfter: "0", leadsToAllOf: ["/comments ends"])
      await $0.advance(by: 60)
    }
  }

  @Test("the retry middleware obeys all the rules in random sequences of events")
  func tellsStories() async {
    await expectNoStoryGoesWrong(count: 900, of: RetryWorld.randomEvents) { RetryWorld(using: &$0) }
  }
}
