// Tests whose spy ends a call as soon as it is canceled, as a real client does. It has room for several calls.

import Given
import TestSupport
import Testing

@Suite("Your tests", .oneAtATime)
struct YourTests {
  static let all: [YourTest] = [endsWithTheResponse, endsWithTheError, endsWithTheCancellation, twoAtATime]

  @Test func endsWithTheResponse() async throws {
    let sut = Sut()
    var request = URLRequest.named("feed")
    request.setValue("1", forHTTPHeaderField: "A")
    let call = sut.start(request)
    let id = try await sut.client.nextCall(0)
    #expect(id.request.allHTTPHeaderFields?.count == 1)
    sut.clock.advance(by: 1)
    #expect(sut.timings.values.isEmpty)
    await sut.client.end(0, .success(response(200, "a")))
    let response = try await call.outcome().get()
    #expect(response.data == Data("a".utf8))
    #expect(sut.timings.values.map(\.duration) == [.seconds(1)])
  }

  @Test func endsWithTheError() async throws {
    let sut = Sut()
    let call = sut.start(.named("feed"))
    _ = try await sut.client.nextCall(0)
    sut.clock.advance(by: 1)
    await sut.client.end(0, .failure(URLError(.badURL)))
    let outcome = try await call.outcome()
    #expect(outcome.failure is URLError)
    #expect(sut.timings.values.map { $0.error is URLError } == [true])
  }

  @Test func endsWithTheCancellation() async throws {
    let sut = Sut()
    let call = sut.start(.named("feed"))
    _ = try await sut.client.nextCall(0)
    call.cancel()
    let outcome = try await call.outcome("The client should notice the cancellation.")
    #expect(outcome.failure is CancellationError)
    #expect(sut.timings.values.map { $0.error is CancellationError } == [true])
  }

  @Test func twoAtATime() async throws {
    let sut = Sut()
    let old = sut.start(.named("feed"))
    _ = try await sut.client.nextCall(0)
    sut.clock.advance(by: 1)
    let new = sut.start(.named("feed"))
    _ = try await sut.client.nextCall(1)
    await sut.client.end(0, .success(response(200)))
    _ = try await old.outcome()
    await sut.client.end(1, .success(response(200)))
    _ = try await new.outcome()
    #expect(sut.timings.values.map(\.duration) == [.seconds(1), .zero])
  }
}

private struct Sut {
  let client = Client()
  let clock = ManualClock()
  let timings = Inbox<Timing>()
  let send: Next

  init() {
    let middleware = timing(now: { [clock] in clock.now }, report: timings.receive)
    send = { [client] request in try await middleware(request) { try await client.send($0) } }
  }

  func start(_ request: URLRequest) -> Running<Response> {
    Running { try await send(request) }
  }
}

private actor Client {
  private let calls = Inbox<(id: Int, request: URLRequest)>()
  private var count = 0
  private var waiting: [Int: CheckedContinuation<Response, any Error>] = [:]

  func send(_ request: URLRequest) async throws -> Response {
    let id = count
    count += 1
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiting[id] = continuation
        calls.receive((id, request))
      }
    } onCancel: {
      Task { await end(id, .failure(CancellationError())) }
    }
  }

  nonisolated func nextCall(_ index: Int) async throws -> (id: Int, request: URLRequest) {
    await calls.receives(index + 1)
    return try #require(calls.values.indices.contains(index) ? calls.values[index] : nil)
  }

  func end(_ id: Int, _ result: Result<Response, any Error>) {
    waiting.removeValue(forKey: id)?.resume(with: result)
  }
}
