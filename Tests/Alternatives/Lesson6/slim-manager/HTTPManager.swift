import Given

/// What is left of the manager: it adds a bearer token to every request and refreshes expired credentials.
///
/// This decorator handles credentials only. It forwards the rest of the request, and the result, unchanged. It is safe to use
/// from many threads simultaneously.
///
/// While it holds a lock, it uses the store, which never calls back into its caller, and calls `now`, which must not do so.
final class HTTPManager: HTTPClient {
  private typealias Waiter = (Result<Credentials, any Error>) -> Void

  /// What happens to a caller that needs credentials: decided with the lock held, and carried out after its release.
  private enum Turn {
    case signedOut
    case wait
    case send(Credentials)
    case refresh(Credentials)
  }

  private let decoratee: any HTTPClient
  private let store: any CredentialsStore
  private let refresher: any CredentialsRefresher
  private let now: () -> Date

  private let lock = NSLock()
  /// The callers that wait for a refresh that is under way, by the refresh token that it uses. There is one entry, unless
  /// another user signs in during a refresh.
  private var waiters: [String: [Waiter]] = [:]

  /// Creates a decorator around a client.
  ///
  /// - Parameters:
  ///   - decoratee: The client to forward requests to.
  ///   - store: The store that holds the current user's credentials.
  ///   - refresher: The service that obtains new credentials.
  ///   - now: A closure that returns the current date.
  init(
    decoratee: any HTTPClient, store: any CredentialsStore, refresher: any CredentialsRefresher, now: @escaping () -> Date
  ) {
    self.decoratee = decoratee
    self.store = store
    self.refresher = refresher
    self.now = now
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    withCredentials(replacing: nil) { credentials in
      switch credentials {
      case .success(let credentials): self.send(request, with: credentials, completion: completion)
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  private func send(_ request: URLRequest, with credentials: Credentials, completion: @escaping HTTPClient.Completion) {
    // A body stream can be read only once, so a request that has one cannot be sent a second time.
    guard request.httpBodyStream == nil else {
      return decoratee.load(request.authorized(with: credentials), completion: completion)
    }

    decoratee.load(request.authorized(with: credentials)) { result in
      guard case .success((_, let response)) = result, response.statusCode == 401 else { return completion(result) }

      self.withCredentials(replacing: credentials) { credentials in
        switch credentials {
        case .success(let credentials):
          self.decoratee.load(request.authorized(with: credentials), completion: completion)
        case .failure(let error):
          completion(.failure(error))
        }
      }
    }
  }

  /// Provides credentials to send: those in the store, or new ones.
  ///
  /// - Parameters:
  ///   - rejected: Credentials that the server has rejected. If they are still in the store, they are refreshed even if they
  ///     have not expired.
  ///   - waiter: A closure that receives the credentials. Called without the lock held, synchronously or after the refresh.
  private func withCredentials(replacing rejected: Credentials?, _ waiter: @escaping Waiter) {
    switch lock.withLock({ turn(of: waiter, replacing: rejected) }) {
    case .signedOut:
      waiter(.failure(HTTPClientError.signedOut))
    case .wait:
      break
    case .send(let credentials):
      waiter(.success(credentials))
    case .refresh(let credentials):
      // The refresher may complete before it returns, so the lock must be free by now.
      refresher.refresh(with: credentials.refreshToken) { self.finish($0, replacing: credentials) }
    }
  }

  /// Call this with the lock held: no other thread may start a refresh between the check and the new entry in `waiters`.
  private func turn(of waiter: @escaping Waiter, replacing rejected: Credentials?) -> Turn {
    guard let credentials = store.credentials else {
      return .signedOut
    }
    if waiters[credentials.refreshToken] != nil {
      waiters[credentials.refreshToken]?.append(waiter)
      return .wait
    }
    guard credentials.accessToken == rejected?.accessToken || now() >= credentials.expiresAt else {
      return .send(credentials)
    }
    waiters[credentials.refreshToken] = [waiter]
    return .refresh(credentials)
  }

  private func finish(_ renewed: Result<Credentials, any Error>, replacing old: Credentials) {
    let (waiters, result) = lock.withLock { endRefresh(with: renewed, replacing: old) }

    for waiter in waiters { waiter(result) }
  }

  /// Call this with the lock held: the new credentials are stored and the list of callers is removed in one step.
  private func endRefresh(
    with renewed: Result<Credentials, any Error>, replacing old: Credentials
  ) -> ([Waiter], Result<Credentials, any Error>) {
    let result: Result<Credentials, any Error>
    switch renewed {
    case .success(let credentials) where store.replace(old, with: credentials): result = renewed
    case .failure(let error) where store.credentials == old: result = .failure(error.asFailureOfRefresh)
    // The user has signed out, or another user has signed in. The waiting requests belong to the previous user.
    default: result = .failure(HTTPClientError.signedOut)
    }
    let waiters = self.waiters.removeValue(forKey: old.refreshToken) ?? []
    return (waiters, result)
  }
}

extension Error {
  /// A refusal ends the session. After any other error, the next refresh may succeed.
  fileprivate var asFailureOfRefresh: any Error {
    self is TokenEndpoint.Refused ? HTTPClientError.sessionExpired : self
  }
}

extension URLRequest {
  fileprivate func authorized(with credentials: Credentials) -> URLRequest {
    var request = self
    request.setValue("Bearer \(credentials.accessToken)", forHTTPHeaderField: "Authorization")
    return request
  }
}
