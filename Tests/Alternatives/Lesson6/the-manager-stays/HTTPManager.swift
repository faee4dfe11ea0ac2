import Given

/// Authorizes every request that our app makes. Requests that find the same credentials share their refresh.
final class HTTPManager: HTTPClient {
  private typealias Waiter = (Result<Credentials, any Error>) -> Void

  private let client: any HTTPClient
  private let tokenClient: any HTTPClient
  private let store: any CredentialsStore
  private let refreshURL: URL
  private let now: () -> Date
  /// The requests that wait for a refresh, by its refresh token.
  private let waiters = Locked<[String: [Waiter]]>([:])

  /// Creates a manager.
  ///
  /// - Parameters:
  ///   - client: The client that sends the requests.
  ///   - tokenClient: The client that sends the refresh.
  ///   - store: The store that holds the current user's credentials.
  ///   - refreshURL: The URL of the token endpoint.
  ///   - now: A closure that returns the current date.
  init(
    client: any HTTPClient, tokenClient: any HTTPClient, store: any CredentialsStore, refreshURL: URL, now: @escaping () -> Date
  ) {
    self.client = client
    self.tokenClient = tokenClient
    self.store = store
    self.refreshURL = refreshURL
    self.now = now
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    guard let credentials = store.credentials else {
      return completion(.failure(HTTPClientError.signedOut))
    }

    let sendUpToTwice = { (credentials: Credentials) in
      self.send(request, with: credentials) { result in
        guard case .success(let (_, response)) = result, response.statusCode == 401 else { return completion(result) }
        self.refresh(credentials, orFail: completion) { self.send(request, with: $0, completion: completion) }
      }
    }
    if now() >= credentials.expiresAt {
      refresh(credentials, orFail: completion, then: sendUpToTwice)
    } else {
      sendUpToTwice(credentials)
    }
  }

  private func refresh(
    _ old: Credentials, orFail completion: @escaping HTTPClient.Completion, then send: @escaping (Credentials) -> Void
  ) {
    refresh(old) { renewed in
      switch renewed {
      case .success(let renewed): send(renewed)
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  private func send(_ request: URLRequest, with credentials: Credentials, completion: @escaping HTTPClient.Completion) {
    var request = request
    request.setValue("Bearer \(credentials.accessToken)", forHTTPHeaderField: "Authorization")

    client.load(request, completion: completion)
  }

  private func refresh(_ old: Credentials, waiter: @escaping Waiter) {
    let (stored, isFirst) = waiters.withLock { waiters in
      // Another request may have refreshed them in the meantime.
      if let stored = store.credentials, stored != old { return (Optional(stored), false) }
      waiters[old.refreshToken, default: []].append(waiter)
      return (nil, waiters[old.refreshToken]?.count == 1)
    }
    if let stored { return waiter(.success(stored)) }
    guard isFirst else { return }

    let sent = now()
    tokenClient.load(TokenEndpoint.refreshRequest(to: refreshURL, refreshToken: old.refreshToken)) { result in
      let renewed = Result {
        let (data, response) = try result.get()
        return try TokenEndpoint.credentials(from: data, response, refreshToken: old.refreshToken, now: sent)
      }
      let (waiters, isStillTheirs) = self.waiters.withLock { waiters in
        let isStillTheirs =
          if case .success(let new) = renewed { self.store.replace(old, with: new) } else { self.store.credentials == old }
        return (waiters.removeValue(forKey: old.refreshToken) ?? [], isStillTheirs)
      }
      let delivered =
        isStillTheirs
        ? renewed.mapError { $0 is TokenEndpoint.Refused ? HTTPClientError.sessionExpired : $0 }
        : .failure(HTTPClientError.signedOut)
      for waiter in waiters { waiter(delivered) }
    }
  }
}
