import Given

/// Hands out credentials that can be sent, and refreshes them when they have expired: once for all who wait.
actor CredentialsProvider {
  private let store: any CredentialsStore & Sendable
  private let refresher: any AsyncCredentialsRefresher
  private let now: @Sendable () -> Date

  /// The refresh that is under way, by the refresh token that it spends: one entry, unless somebody else signs in meanwhile.
  private var refreshes: [String: Task<Credentials, any Error>] = [:]

  /// - Parameters:
  ///   - store: Holds the credentials of the user who is signed in.
  ///   - refresher: Buys new credentials.
  ///   - now: Tells the time. The tests bring a clock of their own.
  init(
    store: any CredentialsStore & Sendable, refresher: any AsyncCredentialsRefresher, now: @escaping @Sendable () -> Date
  ) {
    self.store = store
    self.refresher = refresher
    self.now = now
  }

  /// The credentials to send with a request.
  ///
  /// - Throws: `HTTPClientError.signedOut` when nobody is signed in, or not any more when the refresh has ended;
  ///   `HTTPClientError.sessionExpired` when the refresh failed.
  func credentials() async throws -> Credentials {
    guard let credentials = store.credentials else { throw HTTPClientError.signedOut }
    guard now() >= credentials.expiresAt else { return credentials }

    // Between here and the assignment there is no `await`: nobody else can come in and start another.
    let refresh = refreshes[credentials.refreshToken] ?? Task { try await renewed(credentials) }
    refreshes[credentials.refreshToken] = refresh
    return try await refresh.value
  }

  private func renewed(_ old: Credentials) async throws -> Credentials {
    let result: Result<Credentials, any Error>
    do {
      result = .success(try await refresher.refresh(with: old.refreshToken))
    } catch {
      result = .failure(error)
    }

    // No `await` from here on: the refresh is over before its callers continue, and before another caller comes in.
    refreshes[old.refreshToken] = nil
    switch result {
    case .success(let new) where store.replace(old, with: new): return new
    case .failure(is TokenEndpoint.Refused) where store.credentials == old: throw HTTPClientError.sessionExpired
    case .failure(let error) where store.credentials == old: throw error
    // The user has signed out, or another user has signed in.
    default: throw HTTPClientError.signedOut
    }
  }
}
