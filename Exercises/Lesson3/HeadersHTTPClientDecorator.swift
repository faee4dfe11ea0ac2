import Given

/// Adds header fields to every request, for example the version of the app.
///
/// Knows about headers and nothing else: it forwards every other part of the request and of the answer untouched.
final class HeadersHTTPClientDecorator: HTTPClient {
  private let decoratee: any HTTPClient
  private let headers: [String: String]

  /// - Parameters:
  ///   - decoratee: Whom to forward the requests to.
  ///   - headers: The fields to add, by name. A field that a request already has stays as it is.
  init(decoratee: any HTTPClient, headers: [String: String]) {
    self.decoratee = decoratee
    self.headers = headers
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    // Step 3: add the headers that the request does not have yet.
    decoratee.load(request, completion: completion)
  }
}
