import Given

/// An HTTP client that sends requests over a `URLSession`, with a task behind the completion closure.
package struct URLSessionHTTPClient: HTTPClient {
  let session: URLSession

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
