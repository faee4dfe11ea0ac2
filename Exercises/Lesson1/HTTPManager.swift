import Given

/// Sends every request that our app makes, authorizes it, and stops it if the account is blocked.
///
/// This class grows as it would in a real project: one requirement after another, all in the same place.
final class HTTPManager {
  /// A closure that receives the result of one request.
  typealias Completion = (Result<(Data, HTTPURLResponse), any Error>) -> Void

  private let session: URLSession
  private let store: any CredentialsStore
  private let blockList: any BlockList
  private let refreshURL: URL
  private let now: () -> Date

  /// Creates a manager.
  ///
  /// - Parameters:
  ///   - session: The session that sends the requests.
  ///   - store: The store that holds the current user's credentials.
  ///   - blockList: The list of permanently blocked accounts.
  ///   - refreshURL: The URL of the token endpoint.
  ///   - now: A closure that returns the current date.
  init(
    session: URLSession, store: any CredentialsStore, blockList: any BlockList, refreshURL: URL, now: @escaping () -> Date
  ) {
    self.session = session
    self.store = store
    self.blockList = blockList
    self.refreshURL = refreshURL
    self.now = now
  }

  /// Sends a request and delivers the result.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - completion: A closure that receives the body and the response, with any status, or an error. Called exactly
  ///     once, on any queue.
  func load(_ request: URLRequest, completion: @escaping Completion) {
    // Step 2: add the access token to the request. If the credentials have expired, refresh them first.
    // Step 3: if the account is blocked, send nothing. If a response blocks the account, add it to the block list.
    send(request, completion: completion)
  }

  /// Sends a request unchanged, and delivers the result.
  private func send(_ request: URLRequest, completion: @escaping Completion) {
    // Step 1: send the request through the session, and deliver the result.
    completion(.failure(Unfinished("Lesson 1, step 1: send the request")))
  }

  /// Obtains new credentials from the token endpoint, and stores them.
  ///
  /// - Parameters:
  ///   - credentials: The expired credentials.
  ///   - completion: A closure that receives the new credentials, or the reason why there are none:
  ///     `HTTPClientError.sessionExpired` if the server has refused the refresh token, or any other error.
  private func refresh(
    _ credentials: Credentials, completion: @escaping (Result<Credentials, any Error>) -> Void
  ) {
    let request = TokenEndpoint.refreshRequest(to: refreshURL, refreshToken: credentials.refreshToken)
    // The lifetime counts from here, so that the credentials never seem valid after they have expired.
    let sent = now()

    send(request) { result in
      do {
        let (data, response) = try result.get()
        let renewed = try TokenEndpoint.credentials(
          from: data, response, refreshToken: credentials.refreshToken, now: sent)
        self.store.credentials = renewed
        completion(.success(renewed))
      } catch is TokenEndpoint.Refused {
        completion(.failure(HTTPClientError.sessionExpired))
      } catch {
        completion(.failure(error))
      }
    }
  }
}
