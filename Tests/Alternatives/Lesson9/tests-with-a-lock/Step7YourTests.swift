// Tests whose spy is a class with a lock, and whose clock is a list of instants.

import Given
import TestSupport
import Testing

@Suite("Step 7: test a middleware (extra)", .oneAtATime)
struct Step7YourTests {
  static let all: [YourTest] = [reportsOnceWithTheResult, doesNotMixRequests, leavesTheRequestAlone]

  @Test func reportsOnceWithTheResult() async throws {
    for (result, cancels) in [
      (Result<Response, any Error>.success(response(404)), false), (.failure(HTTPClientError.notHTTP), false),
      (.success(response(200)), true),
    ] {
      let (spy, timings, start) = (HTTPClientSpy(), Inbox<Timing>(), ContinuousClock.now)
      let instants = Locked([start, start + .seconds(5)])
      let sut = timing(now: { instants.withLock { $0.isEmpty ? start : $0.removeFirst() } }, report: timings.receive)

      let call = Running { try await sut(.named("feed"), spy.send) }
      await spy.arrivals.receives(1)
      #expect(timings.values.isEmpty)
      if cancels { call.cancel() }
      spy.complete(0, with: result)
      let outcome = try await call.outcome()

      #expect(spy.arrivals.values.count == 1)
      #expect(timings.values.map(\.duration) == [.seconds(5)])
      let reported = try #require(timings.values.first)
      if cancels {
        #expect(outcome.failure is CancellationError && reported.error is CancellationError)
      } else {
        #expect((try? outcome.get().head.statusCode) == (try? result.get().head.statusCode))
        #expect(outcome.failure as? HTTPClientError == result.failure as? HTTPClientError)
        #expect(reported.error as? HTTPClientError == result.failure as? HTTPClientError)
      }
    }
  }

  @Test func doesNotMixRequests() async throws {
    let (spy, timings, clock) = (HTTPClientSpy(), Inbox<Timing>(), ManualClock())
    let sut = timing(now: { clock.now }, report: timings.receive)
    let first = Running { try await sut(.named("feed"), spy.send) }
    await spy.arrivals.receives(1)
    clock.advance(by: 7)
    let second = Running { try await sut(.named("feed"), spy.send) }
    await spy.arrivals.receives(2)
    spy.complete(1, with: .success(response(200)))
    _ = try await second.outcome()
    spy.complete(0, with: .success(response(200)))
    _ = try await first.outcome()
    #expect(timings.values.map(\.duration) == [.zero, .seconds(7)])
  }

  @Test func leavesTheRequestAlone() async throws {
    let spy = HTTPClientSpy()
    let call = Running { try await timing(now: { .now }, report: { _ in })(.elaborate, spy.send) }
    await spy.arrivals.receives(1)
    let sent = try #require(spy.arrivals.values.first)
    #expect(sent.allHTTPHeaderFields == URLRequest.elaborate.allHTTPHeaderFields)
    #expect(sent.timeoutInterval == URLRequest.elaborate.timeoutInterval)
    spy.complete(0, with: .success(response(200)))
    _ = try await call.outcome()
  }
}

private final class HTTPClientSpy: Sendable {
  let arrivals = Inbox<URLRequest>()
  private let calls = Locked<[CheckedContinuation<Response, any Error>]>([])

  @Sendable func send(_ request: URLRequest) async throws -> Response {
    let response = try await withCheckedThrowingContinuation { continuation in
      calls.withLock { $0.append(continuation) }
      arrivals.receive(request)
    }
    if Task.isCancelled { throw CancellationError() }
    return response
  }

  func complete(_ index: Int, with result: Result<Response, any Error>) {
    calls.withLock { $0[index] }.resume(with: result)
  }
}
