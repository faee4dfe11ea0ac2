import Given

/// An HTTP client that adds a bearer token to every request and refreshes expired credentials.
///
/// This decorator handles credentials only. It forwards the rest of the request, and the result, unchanged. It is safe to use
/// from many threads simultaneously.
///
/// While it holds a lock, it uses the store, which never calls back into its caller, and calls `now`, which must not do so.
///
/// Credentials don't say whose they are. So a request whose token is rejected when another user has signed in is sent again with that
/// user's token.
package final class RefreshCredentialsHTTPClientDecorator: HTTPClient {
  private typealias Waiter = (Result<Credentials, any Error>) -> Void

  /// What happens to a caller that needs credentials: decided with the lock held, and carried out after its release.
  private enum Decision {
    case signedOut
    case wait
    case send(Credentials)
    case refresh(Credentials)
  }

  private let decoratee: any HTTPClient
  private let store: any CredentialsStore
  private let refresher: any CredentialsRefresher
  private let now: () -> Date

  /// The callers that wait for a refresh that is under way, by the refresh token that it uses. There is one entry, unless
  /// another user signs in during a refresh.
  private let waiters = Locked<[String: [Waiter]]>([:])

  /// Creates a decorator around a client.
  ///
  /// - Parameters:
  ///   - decoratee: The client to forward requests to.
  ///   - store: The store that holds the current user's credentials.
  ///   - refresher: The service that obtains new credentials.
  ///   - now: A closure that returns the current date.
  package init(
    decoratee: any HTTPClient, store: any CredentialsStore, refresher: any CredentialsRefresher, now: @escaping () -> Date
  ) {
    self.decoratee = decoratee
    self.store = store
    self.refresher = refresher
    self.now = now
  }

  package func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    withCredentials { result in
      switch result {
      case .success(let credentials): self.send(request, with: credentials, completion: completion)
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  /// Sends a request, and after a 401 once more, with other credentials. Another 401 is delivered.
  private func send(_ request: URLRequest, with credentials: Credentials, completion: @escaping HTTPClient.Completion) {
    decoratee.load(request.authorized(with: credentials)) { result in
      // A body stream can be read only once, so a request that has one cannot be sent a second time.
      guard request.httpBodyStream == nil, case .success((_, let response)) = result, response.statusCode == 401 else {
        return completion(result)
      }

      self.withCredentials(except: credentials) { result in
        switch result {
        case .success(let credentials): self.decoratee.load(request.authorized(with: credentials), completion: completion)
        case .failure(let error): completion(.failure(error))
        }
      }
    }
  }

  /// Provides credentials to send: those in the store, or new ones.
  ///
  /// - Parameters:
  ///   - rejected: Credentials that the server has rejected. If they are still in the store, they are refreshed even if they
  ///     have not expired.
  ///   - waiter: A closure that receives the credentials, or the reason why there are none. It is called without the lock held,
  ///     synchronously or after the refresh.
  private func withCredentials(except rejected: Credentials? = nil, _ waiter: @escaping Waiter) {
    // In one step: no other thread can start a refresh between the check and the new entry.
    let decision = waiters.withLock { waiters -> Decision in
      guard let credentials = store.credentials else {
        return .signedOut
      }
      // If they are being refreshed, they have expired, or the server has rejected them.
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

    switch decision {
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

  /// Ends a refresh, and then serves the callers that have waited for it.
  private func finish(_ renewed: Result<Credentials, any Error>, replacing old: Credentials) {
    // In one step: in between, another thread would find the old credentials and no refresh, and start another one.
    let (callers, hasStayed) = waiters.withLock { waiters in
      let callers = waiters.removeValue(forKey: old.refreshToken) ?? []
      switch renewed {
      case .success(let credentials): return (callers, store.replace(old, with: credentials))
      case .failure: return (callers, store.credentials == old)
      }
    }

    // If other credentials or none are stored now, the user who has made these requests has left.
    let result = hasStayed ? renewed.mapError(\.afterRefresh) : .failure(HTTPClientError.signedOut)
    for caller in callers { caller(result) }
  }
}

extension Error {
  /// What a request gets if its refresh fails. After a refusal, the user has to sign in again, but when is the app's decision. After
  /// any other error, the next refresh may succeed.
  fileprivate var afterRefresh: any Error {
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
