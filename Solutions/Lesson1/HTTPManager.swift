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
    guard !blockList.isCurrentAccountBlocked else {
      return completion(.failure(HTTPClientError.permanentlyBlocked))
    }
    guard let credentials = store.credentials else {
      return completion(.failure(HTTPClientError.signedOut))
    }

    if now() >= credentials.expiresAt {
      refresh(credentials) { renewed in
        switch renewed {
        case .success(let renewed):
          self.store.credentials = renewed
          self.send(request, with: renewed, completion: completion)
        case .failure(is TokenEndpoint.Refused):
          completion(.failure(HTTPClientError.sessionExpired))
        case .failure(let error):
          completion(.failure(error))
        }
      }
    } else {
      send(request, with: credentials, completion: completion)
    }
  }

  private func send(_ request: URLRequest, with credentials: Credentials, completion: @escaping Completion) {
    var request = request
    request.setValue("Bearer \(credentials.accessToken)", forHTTPHeaderField: "Authorization")

    send(request) { result in
      if case .success(let (data, response)) = result, PermanentBlock.isAnnounced(by: data, response) {
        self.blockList.blockCurrentAccount()
        completion(.failure(HTTPClientError.permanentlyBlocked))
      } else {
        completion(result)
      }
    }
  }

  private func refresh(
    _ credentials: Credentials, completion: @escaping (Result<Credentials, any Error>) -> Void
  ) {
    let request = TokenEndpoint.refreshRequest(to: refreshURL, refreshToken: credentials.refreshToken)
    let sent = now()

    send(request) { result in
      completion(
        Result {
          let (data, response) = try result.get()
          return try TokenEndpoint.credentials(
            from: data, response, refreshToken: credentials.refreshToken, now: sent)
        })
    }
  }

  private func send(_ request: URLRequest, completion: @escaping Completion) {
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
