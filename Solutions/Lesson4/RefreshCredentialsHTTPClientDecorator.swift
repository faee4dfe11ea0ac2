import Given

/// Puts the access token on every request, and sees to it that the credentials are fresh.
///
/// Knows about credentials and nothing else: it forwards every other part of the request and of the answer untouched. It may be
/// used from many threads at once.
package final class RefreshCredentialsHTTPClientDecorator: HTTPClient {
  private typealias Waiter = (Result<Credentials, any Error>) -> Void

  private let decoratee: any HTTPClient
  private let store: any CredentialsStore
  private let refresher: any CredentialsRefresher
  private let now: () -> Date

  private let lock = NSLock()
  /// Who waits for a refresh that is under way, by the refresh token that it spends: one entry, unless somebody else signs in
  /// meanwhile.
  private var waiters: [String: [Waiter]] = [:]

  /// - Parameters:
  ///   - decoratee: Whom to forward the requests to.
  ///   - store: Holds the credentials of the user who is signed in.
  ///   - refresher: Buys new credentials.
  ///   - now: Tells the time. The tests bring a clock of their own.
  package init(
    decoratee: any HTTPClient, store: any CredentialsStore, refresher: any CredentialsRefresher, now: @escaping () -> Date
  ) {
    self.decoratee = decoratee
    self.store = store
    self.refresher = refresher
    self.now = now
  }

  package func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    withCredentials(replacing: nil) { credentials in
      switch credentials {
      case .success(let credentials): self.send(request, with: credentials, completion: completion)
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  private func send(_ request: URLRequest, with credentials: Credentials, completion: @escaping HTTPClient.Completion) {
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

  /// Hands over credentials that can be sent: those in the store, or new ones.
  ///
  /// - Parameters:
  ///   - rejected: Credentials that the back end has refused. If they are still in the store, they are refreshed whatever the
  ///     clock says.
  ///   - waiter: Called without the lock held, at once or when the refresh has ended.
  private func withCredentials(replacing rejected: Credentials?, _ waiter: @escaping Waiter) {
    lock.lock()
    guard let credentials = store.credentials else {
      lock.unlock()
      return waiter(.failure(HTTPClientError.signedOut))
    }
    if waiters[credentials.refreshToken] != nil {
      waiters[credentials.refreshToken]?.append(waiter)
      return lock.unlock()
    }
    guard credentials.accessToken == rejected?.accessToken || now() >= credentials.expiresAt else {
      lock.unlock()
      return waiter(.success(credentials))
    }
    waiters[credentials.refreshToken] = [waiter]
    lock.unlock()

    // The refresher may answer before it returns, and so the lock must be free by now.
    refresher.refresh(with: credentials.refreshToken) { self.finish($0, replacing: credentials) }
  }

  private func finish(_ renewed: Result<Credentials, any Error>, replacing old: Credentials) {
    lock.lock()
    let result: Result<Credentials, any Error>
    if store.credentials != old {
      // The user has signed out, or somebody else has signed in. Those who wait belong to the one who is gone.
      result = .failure(HTTPClientError.signedOut)
    } else if case .success(let credentials) = renewed {
      store.credentials = credentials
      result = .success(credentials)
    } else {
      result = .failure(HTTPClientError.sessionExpired)
    }
    let waiters = self.waiters.removeValue(forKey: old.refreshToken) ?? []
    lock.unlock()

    for waiter in waiters { waiter(result) }
  }
}

extension URLRequest {
  fileprivate func authorized(with credentials: Credentials) -> URLRequest {
    var request = self
    request.setValue("Bearer \(credentials.accessToken)", forHTTPHeaderField: "Authorization")
    return request
  }
}
