import Given

/// An HTTP client that sends requests over a `URLSession`.
///
/// This client only sends. It does not handle credentials, the block list, or screens.
final class URLSessionHTTPClient: HTTPClient {
  private let session: URLSession

  /// Creates a client that sends over a session.
  ///
  /// - Parameter session: The session that sends the requests.
  init(session: URLSession) {
    self.session = session
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
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
