// Tests whose calls are plain tasks. Those that a wrong middleware never ends are ended by the suite.

import Given
import TestSupport
import Testing

@MainActor
@Suite("Step 7: test a middleware (extra)", .oneAtATime)
struct Step7YourTests {
  static let all: [YourTest] = [success, failure, overlap, cancellation]

  @Test func success() async throws {
    let (client, clock, timings) = (Client(), ManualClock(), Inbox<Timing>())
    let sut = timing(now: { clock.now }, report: { timings.receive($0) })
    let task = Task { try await sut(.named("articles"), { try await client.send($0) }) }
    await client.arrivals.receives(1)
    #expect(timings.values.isEmpty)
    #expect(await client.requests.allSatisfy { ($0.allHTTPHeaderFields ?? [:]).isEmpty && $0 == .named("articles") })
    clock.advance(by: 60)
    await client.continuations[0].resume(returning: response(200, "news"))
    let data = try await task.value.data
    #expect(String(decoding: data, as: UTF8.self) == "news")
    #expect(timings.values.map(\.duration) == [.seconds(60)] && timings.values[0].error == nil)
  }

  @Test func failure() async throws {
    struct Mine: Error {}
    let (client, timings) = (Client(), Inbox<Timing>())
    let sut = timing(now: { .now }, report: { timings.receive($0) })
    let task = Task { try await sut(.named("articles"), { try await client.send($0) }) }
    await client.arrivals.receives(1)
    await client.continuations[0].resume(throwing: Mine())
    await #expect(throws: Mine.self) { try await task.value }
    #expect(timings.values.count == 1)
    #expect(timings.values.allSatisfy { $0.error is Mine })
  }

  @Test func overlap() async throws {
    let (client, clock, timings) = (Client(), ManualClock(), Inbox<Timing>())
    let sut = timing(now: { clock.now }, report: { timings.receive($0) })
    var tasks: [Task<Response, any Error>] = []
    for count in 1...3 {
      tasks.append(Task { try await sut(.named("articles"), { try await client.send($0) }) })
      await client.arrivals.receives(count)
      clock.advance(by: 10)
    }
    for (index, task) in tasks.enumerated() {
      await client.continuations[index].resume(returning: response(200))
      _ = try await task.value
    }
    #expect(timings.values.map(\.duration) == [.seconds(30), .seconds(20), .seconds(10)])
  }

  @Test func cancellation() async throws {
    let (client, timings) = (Client(), Inbox<Timing>())
    let sut = timing(now: { .now }, report: { timings.receive($0) })
    let task = Task { try await sut(.named("articles"), { try await client.send($0) }) }
    await client.arrivals.receives(1)
    task.cancel()
    await client.continuations[0].resume(throwing: URLError(.cancelled))
    _ = await task.result
    #expect(await client.wasCanceled)
    #expect((timings.values.first?.error as? URLError)?.code == .cancelled)
  }
}

private actor Client {
  nonisolated let arrivals = Inbox<Void>()
  var requests: [URLRequest] = []
  var continuations: [CheckedContinuation<Response, any Error>] = []
  var wasCanceled = false

  func send(_ request: URLRequest) async throws -> Response {
    requests.append(request)
    defer { wasCanceled = Task.isCancelled }
    return try await withCheckedThrowingContinuation {
      continuations.append($0)
      arrivals.receive(())
    }
  }
}
