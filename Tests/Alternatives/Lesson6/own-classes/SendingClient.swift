import Given

/// Sends requests, and does nothing else.
final class SendingClient: HTTPClient {
  private let session: URLSession

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
