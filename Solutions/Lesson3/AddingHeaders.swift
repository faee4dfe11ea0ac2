import Given

/// Returns a client that adds headers to the requests of another client, for example the version of the app.
///
/// - Parameters:
///   - headers: The values of the headers to add, by name. No two names may differ in case only. A header that a request
///     already has is not changed.
///   - client: The client to forward the requests to.
/// - Returns: The client to use in place of `client`.
func addingHeaders(_ headers: [String: String], to client: any HTTPClient) -> any HTTPClient {
  HeadersHTTPClientDecorator(decoratee: client, headers: headers)
}

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
    var request = request
    for (field, value) in headers where request.value(forHTTPHeaderField: field) == nil {
      request.setValue(value, forHTTPHeaderField: field)
    }
    decoratee.load(request, completion: completion)
  }
}
