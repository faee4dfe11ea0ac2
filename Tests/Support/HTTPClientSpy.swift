import Given
import Testing

/// An `HTTPClient` that keeps the completions, so that a test decides when and with what each request is answered.
public final class HTTPClientSpy: HTTPClient, Sendable {
  private let calls = Calls<URLRequest, Result<(Data, HTTPURLResponse), any Error>>(to: "the client")

  public init() {}

  /// The requests so far, in the order in which they came.
  public var requests: [URLRequest] {
    calls.arguments
  }

  /// Waits for a number of requests: see ``Inbox/receives(_:)``.
  @discardableResult
  public func receives(_ count: Int) async -> Bool {
    await calls.receives(count)
  }

  public func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    calls.receive(request, completion)
  }

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - index: Which request: 0 is the first.
  ///   - result: What to answer.
  ///   - sourceLocation: Where to report that there was no such request.
  public func complete(
    _ index: Int = 0,
    with result: Result<(Data, HTTPURLResponse), any Error>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    calls.complete(index, with: result, sourceLocation: sourceLocation)
  }
}
