import Given
import TestSupport
import Testing

@testable import Exercise9

/// A retrying client, its network and its clock.
struct RetryScene {
  let client = AsyncCalls<URLRequest, Response>(to: "the client")
  let clock = ManualClock()
  private let sut: Next

  /// - Parameters:
  ///   - attempts: The maximum number of attempts.
  ///   - delay: The wait before the second attempt, in seconds.
  ///   - cap: The longest wait, in seconds.
  init(attempts: Int, delay: Double, cap: Double = 3600) {
    let middleware = retrying(upTo: attempts, after: .seconds(delay), waitingAtMost: .seconds(cap), clock: clock)
    sut = { [client] request in
      try await middleware(request) { try await client.receive($0) }
    }
  }

  /// Sends a request in a task beside the test. The outcome is the response's status and body.
  func send(_ request: URLRequest) -> Running<String> {
    Running { [sut] in
      let response = try await sut(request)
      return "\(response.head.statusCode) \(String(decoding: response.data, as: UTF8.self))"
    }
  }

  /// Sends a request without a body.
  func send(method: String = "GET") -> Running<String> {
    var request = URLRequest.named("articles")
    request.httpMethod = method
    return send(request)
  }

  /// Completes an attempt: 0 is the first. Waits for it first.
  func complete(
    _ index: Int, _ result: Result<Response, any Error>, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let isSent = await client.receives(index + 1)
    try #require(
      isSent,
      "Attempt \(index + 1) was never sent. A 503, a 429 or a timeout should be retried after a wait measured by `clock`.",
      sourceLocation: sourceLocation)
    client.complete(index, with: result, sourceLocation: sourceLocation)
  }

  /// Waits for a sleep on the clock, then advances the clock.
  func wait(_ count: Int, seconds: Double, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let isWaiting = await clock.sleeps.receives(count)
    try #require(
      isWaiting, "Wait number \(count) never began. Call `clock.sleep(for:)` between two attempts.",
      sourceLocation: sourceLocation)
    clock.advance(by: seconds)
  }
}

/// How an attempt ends that is worth another.
enum FailedAttempt: CaseIterable {
  case isUnavailable
  case isOneOfTooMany
  case timesOut

  /// The end of the attempt.
  ///
  /// - Parameter body: The body of the response, if there is one.
  func result(_ body: String = "") -> Result<Response, any Error> {
    switch self {
    case .isUnavailable: .status(503, body)
    case .isOneOfTooMany: .status(429, body)
    case .timesOut: .failure(URLError(.timedOut))
    }
  }
}

extension Result where Success == Response, Failure == any Error {
  static func status(_ status: Int, _ body: String = "", retryAfter: String? = nil) -> Self {
    .success(
      (
        Data(body.utf8),
        HTTPURLResponse(
          url: URL(string: "https://example.com")!, statusCode: status, httpVersion: nil,
          headerFields: retryAfter.map { ["Retry-After": $0] })!
      ))
  }
}
