import Given

/// Sends requests over a `URLSession`.
///
/// Knows about sending and nothing else: no credentials, no block list, no screens.
final class URLSessionHTTPClient: HTTPClient {
  private let session: URLSession

  /// - Parameter session: What the requests go out through.
  init(session: URLSession) {
    self.session = session
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    // Step 1: send the request through the session, and deliver what comes back.
    completion(.failure(Unfinished("Lesson 3, step 1: send the request")))
  }
}
