import Given
import TestSupport
import Testing

extension SampleError {
  /// The troubles after which a cache falls back, if the task is not canceled. What it does after the others is left open.
  static let reasonsToFallBack = allCases.filter { !$0.error.isCancellation && !($0.error is HTTPClientError) }
}

extension Error {
  /// Whether the error is one that canceled tasks throw.
  var isCancellation: Bool {
    self is CancellationError || (self as? URLError)?.code == .cancelled
  }
}

/// Loads a request through a middleware.
///
/// - Parameters:
///   - request: The request.
///   - middleware: The middleware.
///   - results: What the client ends its calls with, one after the other.
/// - Returns: The requests that reached the client, and how the request ended.
func load(
  _ request: URLRequest, through middleware: @escaping Middleware, endingWith results: [Result<Response, any Error>]
) async throws -> (sent: [URLRequest], outcome: Result<Response, any Error>) {
  let sent = Inbox<URLRequest>()
  let running = Running {
    try await middleware(request) {
      sent.receive($0)
      // A middleware that sends requests without end gets an error in the end.
      guard sent.values.count <= results.count else { throw URLError(.httpTooManyRedirects) }
      return try results[sent.values.count - 1].get()
    }
  }
  let outcome = try await running.outcome()
  return (sent.values, outcome)
}
