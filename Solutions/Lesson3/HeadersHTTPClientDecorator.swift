import Given

/// Adds header fields to every request, for example the version of the app.
///
/// Knows about headers and nothing else: it forwards every other part of the request and of the answer untouched.
package final class HeadersHTTPClientDecorator: HTTPClient {
  private let decoratee: any HTTPClient
  private let headers: [String: String]

  /// - Parameters:
  ///   - decoratee: Whom to forward the requests to.
  ///   - headers: The fields to add, by name. A field that a request already has stays as it is.
  package init(decoratee: any HTTPClient, headers: [String: String]) {
    self.decoratee = decoratee
    self.headers = headers
  }

  package func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    var request = request
    for (field, value) in headers where request.value(forHTTPHeaderField: field) == nil {
      request.setValue(value, forHTTPHeaderField: field)
    }
    decoratee.load(request, completion: completion)
  }
}
