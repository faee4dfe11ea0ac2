import Given

/// Sends requests over a `URLSession`.
///
/// Knows about sending and nothing else: no credentials, no block list, no screens.
package final class URLSessionHTTPClient: HTTPClient {
  private let session: URLSession

  /// - Parameter session: What the requests go out through.
  package init(session: URLSession) {
    self.session = session
  }

  package func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    session.dataTask(with: request) { data, response, error in
      if let error {
        completion(.failure(error))
      } else if let response = response as? HTTPURLResponse {
        completion(.success((data ?? Data(), response)))
      } else {
        completion(.failure(HTTPClientError.notHTTP))
      }
    }.resume()
  }
}
