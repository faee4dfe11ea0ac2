// One enum is the whole state: no refresh is under way, or one is, with the requests that wait for it, and beside it the rest.

import Given

/// An HTTP client that adds a bearer token to every request and refreshes expired credentials.
///
/// This decorator handles credentials only. It forwards the rest of the request, and the result, unchanged. It is safe to use
/// from many threads simultaneously.
///
/// While it holds a lock, it uses the store, which never calls back into its caller, and calls `now`, which must not do so.
package final class RefreshCredentialsHTTPClientDecorator: HTTPClient {
  private typealias Waiter = (Result<Credentials, any Error>) -> Void

  /// What happens to a caller that needs credentials: decided with the lock held, and carried out after its release.
  private enum Decision {
    case signedOut
    case wait
    case send(Credentials)
    case refresh(Credentials)
  }

  /// The refreshes that are under way, each with the refresh token that it uses and the callers that wait for it. There is one at
  /// most, unless another user signs in during a refresh.
  private indirect enum State {
    case idle
    case refreshing(String, waiters: [Waiter], others: State)

    /// Adds a caller to the refresh that uses a token. Returns false if there is none.
    mutating func join(_ token: String, _ waiter: @escaping Waiter) -> Bool {
      guard case .refreshing(let current, let waiters, var others) = self else { return false }
      if current == token {
        self = .refreshing(current, waiters: waiters + [waiter], others: others)
        return true
      }
      let hasJoined = others.join(token, waiter)
      self = .refreshing(current, waiters: waiters, others: others)
      return hasJoined
    }

    /// Ends the refresh that uses a token, and returns its callers.
    mutating func end(_ token: String) -> [Waiter] {
      guard case .refreshing(let current, let waiters, var others) = self else { return [] }
      if current == token {
        self = others
        return waiters
      }
      let ended = others.end(token)
      self = .refreshing(current, waiters: waiters, others: others)
      return ended
    }
  }

  private let decoratee: any HTTPClient
  private let store: any CredentialsStore
  private let refresher: any CredentialsRefresher
  private let now: () -> Date

  private let state = Locked(State.idle)

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
    withCredentials(replacing: nil, orFail: completion) { self.send(request, with: $0, completion: completion) }
  }

  private func send(_ request: URLRequest, with credentials: Credentials, completion: @escaping HTTPClient.Completion) {
    decoratee.load(request.authorized(with: credentials)) { result in
      // A body stream can be read only once, so a request that has one cannot be sent a second time.
      guard request.httpBodyStream == nil, case .success((_, let response)) = result, response.statusCode == 401 else {
        return completion(result)
      }

      self.withCredentials(replacing: credentials, orFail: completion) {
        self.decoratee.load(request.authorized(with: $0), completion: completion)
      }
    }
  }

  /// Provides credentials to send: those in the store, or new ones.
  ///
  /// - Parameters:
  ///   - rejected: Credentials that the server has rejected. If they are still in the store, they are refreshed even if they
  ///     have not expired.
  ///   - completion: A closure that receives an error, if there are no credentials to send.
  ///   - send: A closure that receives the credentials. Like `completion`, it is called without the lock held, synchronously or
  ///     after the refresh.
  private func withCredentials(
    replacing rejected: Credentials?, orFail completion: @escaping HTTPClient.Completion, send: @escaping (Credentials) -> Void
  ) {
    let waiter: Waiter = { result in
      switch result {
      case .success(let credentials): send(credentials)
      case .failure(let error): completion(.failure(error))
      }
    }

    switch state.withLock({ decision(for: waiter, replacing: rejected, in: &$0) }) {
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

  /// `state` is the locked value: no other thread can start a refresh between the check and the new state.
  private func decision(for waiter: @escaping Waiter, replacing rejected: Credentials?, in state: inout State) -> Decision {
    guard let credentials = store.credentials else {
      return .signedOut
    }
    if state.join(credentials.refreshToken, waiter) { return .wait }
    guard credentials.accessToken == rejected?.accessToken || now() >= credentials.expiresAt else {
      return .send(credentials)
    }
    state = .refreshing(credentials.refreshToken, waiters: [waiter], others: state)
    return .refresh(credentials)
  }

  private func finish(_ renewed: Result<Credentials, any Error>, replacing old: Credentials) {
    let (callers, result) = state.withLock { endRefresh(with: renewed, replacing: old, in: &$0) }

    for caller in callers { caller(result) }
  }

  /// `state` is the locked value: the new credentials are stored and the refresh ends in one step.
  private func endRefresh(
    with renewed: Result<Credentials, any Error>, replacing old: Credentials, in state: inout State
  ) -> ([Waiter], Result<Credentials, any Error>) {
    let callers = state.end(old.refreshToken)
    let wasStored: Bool
    switch renewed {
    case .success(let credentials): wasStored = store.replace(old, with: credentials)
    case .failure: wasStored = store.credentials == old
    }
    // The user has signed out, or another user has signed in. The waiting requests belong to the previous user.
    guard wasStored else { return (callers, .failure(HTTPClientError.signedOut)) }
    return (callers, renewed.mapError(\.asFailureOfRefresh))
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
