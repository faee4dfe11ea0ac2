import Given

/// Sends every request of our app: one class that knows how to send, how to sign a request in, and who is blocked.
///
/// Lesson 1 writes it the way it grows at work, one requirement after the other, all in here.
final class HTTPManager {
  typealias Completion = (Result<(Data, HTTPURLResponse), any Error>) -> Void

  private let session: URLSession
  private let store: any CredentialsStore
  private let blockList: any BlockList
  private let refreshURL: URL
  private let now: () -> Date

  /// - Parameters:
  ///   - session: What the requests go out through.
  ///   - store: Holds the credentials of the user who is signed in.
  ///   - blockList: Knows whether the account is permanently blocked.
  ///   - refreshURL: Where the token endpoint is.
  ///   - now: Tells the time. The tests bring a clock of their own.
  init(
    session: URLSession, store: any CredentialsStore, blockList: any BlockList, refreshURL: URL, now: @escaping () -> Date
  ) {
    self.session = session
    self.store = store
    self.blockList = blockList
    self.refreshURL = refreshURL
    self.now = now
  }

  /// Sends a request and delivers its answer.
  ///
  /// - Parameters:
  ///   - request: What to send.
  ///   - completion: Called exactly once, on any queue: with the body and the response, whatever its status; with the
  ///     network's own error; or with an `HTTPClientError`.
  func load(_ request: URLRequest, completion: @escaping Completion) {
    // Step 1: send the request through the session, and deliver what comes back.
    // Step 2: put the access token on the request. Refresh the credentials first when they have expired.
    // Step 3: send nothing for an account that is blocked, and put the account on the list when an answer blocks it.
    completion(.failure(Unfinished("Lesson 1, step 1: send the request")))
  }
}
