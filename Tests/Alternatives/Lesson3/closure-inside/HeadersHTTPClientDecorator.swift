import Given

/// Adds header fields to every request, for example the version of the app.
///
/// This decorator handles headers only. It forwards the rest of the request, and the result, unchanged.
package final class HeadersHTTPClientDecorator: HTTPClient {
  private let forward: (URLRequest, @escaping HTTPClient.Completion) -> Void

  /// - Parameters:
  ///   - decoratee: The client to forward requests to.
  ///   - headers: The values of the fields to add, by name. A field that a request already has is not changed.
  package init(decoratee: any HTTPClient, headers: [String: String]) {
    forward = { request, completion in
      let decorated = headers.reduce(into: request) { request, header in
        if request.value(forHTTPHeaderField: header.key) == nil { request.addValue(header.value, forHTTPHeaderField: header.key) }
      }
      decoratee.load(decorated, completion: completion)
    }
  }

  package func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    forward(request, completion)
  }
}
