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
    // Step 1: send the request over the session, and deliver the response or the error.
    completion(.failure(Unfinished("Lesson 3, step 1: send the request")))
  }
}
