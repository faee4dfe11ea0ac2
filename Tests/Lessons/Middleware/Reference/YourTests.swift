import Given
import TestSupport
import Testing

@Suite("Your tests", .oneAtATime)
struct YourTests {
  static let all: [YourTest] = [measuresARequest, reportsAFailure, keepsRequestsApart, passesACancellationOn]

  @Test func measuresARequest() async throws {
    let (client, clock, timings) = (ClientSpy(), ManualClock(), Inbox<Timing>())
    let sut = timing(now: { clock.now }, report: timings.receive)
    var request = URLRequest.articles
    request.httpMethod = "PUT"
    request.setValue("de-DE", forHTTPHeaderField: "Accept-Language")

    let call = Running { [request] in try await sut(request, client.send) }
    await client.requests.receives(1)
    clock.advance(by: 2)
    #expect(timings.values.isEmpty)

    await client.end(with: .success(response(201)))
    let status = try await call.outcome().get().head.statusCode
    #expect(status == 201)
    #expect(timings.values.map(\.duration) == [.seconds(2)])
    #expect(timings.values.first?.error == nil)
    let sent = try #require(client.requests.values.first)
    #expect(sent.url == request.url)
    #expect(sent.httpMethod == "PUT")
    #expect(sent.allHTTPHeaderFields == ["Accept-Language": "de-DE"])
  }

  @Test func reportsAFailure() async throws {
    let (client, clock, timings) = (ClientSpy(), ManualClock(), Inbox<Timing>())
    let sut = timing(now: { clock.now }, report: timings.receive)

    let call = Running { try await sut(.articles, client.send) }
    await client.requests.receives(1)
    clock.advance(by: 3)
    await client.end(with: .failure(URLError(.timedOut)))

    let error = try await call.outcome().failure
    #expect(error as? URLError == URLError(.timedOut))
    #expect(timings.values.map(\.duration) == [.seconds(3)])
    #expect(timings.values.first?.error as? URLError == URLError(.timedOut))
    #expect(client.requests.values.count == 1)
  }

  @Test func keepsRequestsApart() async throws {
    let (client, clock, timings) = (ClientSpy(), ManualClock(), Inbox<Timing>())
    let sut = timing(now: { clock.now }, report: timings.receive)

    let first = Running { try await sut(.articles, client.send) }
    await client.requests.receives(1)
    clock.advance(by: 1)
    let second = Running { try await sut(.articles, client.send) }
    await client.requests.receives(2)
    clock.advance(by: 1)
    await client.end(0, with: .success(response(200)))
    _ = try await first.outcome()
    clock.advance(by: 1)
    await client.end(1, with: .success(response(200)))
    _ = try await second.outcome()

    #expect(timings.values.map(\.duration) == [.seconds(2), .seconds(2)])
  }

  @Test func passesACancellationOn() async throws {
    let (client, timings) = (ClientSpy(), Inbox<Timing>())
    let sut = timing(now: { .now }, report: timings.receive)

    let call = Running { try await sut(.articles, client.send) }
    await client.requests.receives(1)
    call.cancel()
    await client.end(with: .success(response(200)))

    let error = try await call.outcome().failure
    #expect(error is CancellationError)
    #expect(timings.values.first?.error is CancellationError)
  }
}

extension URLRequest {
  fileprivate static let articles = URLRequest(url: URL(string: "https://example.com/articles")!)
}

/// A client that sends nothing. Each call stays suspended until the test ends it.
private actor ClientSpy {
  let requests = Inbox<URLRequest>()
  private var calls: [CheckedContinuation<Response, any Error>?] = []

  func send(_ request: URLRequest) async throws -> Response {
    let response = try await withCheckedThrowingContinuation { continuation in
      calls.append(continuation)
      requests.receive(request)
    }
    // A client whose task has been canceled does not respond.
    try Task.checkCancellation()
    return response
  }

  /// Ends a call: its continuation must be resumed exactly once.
  func end(_ index: Int = 0, with result: Result<Response, any Error>) {
    guard calls.indices.contains(index) else { return }
    calls[index].take()?.resume(with: result)
  }
}
