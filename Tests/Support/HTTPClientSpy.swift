import Given

/// An `HTTPClient` that stores the completions, so that a test decides when and how each request ends.
public final class HTTPClientSpy: HTTPClient, Sendable {
  /// The calls with their requests, to be completed by the test.
  public let calls: Calls<URLRequest, HTTPResult>

  /// Creates a client without requests.
  ///
  /// - Parameter response: What a request gets before `load` returns; `nil` if the test completes it.
  public init(responding response: ((URLRequest) -> HTTPResult?)? = nil) {
    calls = Calls(to: "the client", responding: response)
  }

  /// The requests so far, oldest first.
  public var requests: [URLRequest] {
    calls.arguments
  }

  public func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    calls.receive(request, completion)
  }
}
