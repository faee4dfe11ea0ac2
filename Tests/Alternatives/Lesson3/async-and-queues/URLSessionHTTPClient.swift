import Given

/// An HTTP client that sends requests over a `URLSession`.
///
/// This client only sends. It does not handle credentials, the block list, or screens.
package final class URLSessionHTTPClient: HTTPClient {
  private let session: URLSession

  /// Creates a client that sends over a session.
  ///
  /// - Parameter session: The session that sends the requests.
  package init(session: URLSession) {
    self.session = session
  }

  package func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    Task { [session] in
      do {
        let (data, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw HTTPClientError.notHTTP }
        completion(.success((data, response)))
      } catch {
        completion(.failure(error))
      }
    }
  }
}
