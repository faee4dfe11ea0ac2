import Given

/// Provides valid credentials. If they have expired, one refresh serves every waiting caller.
///
/// It is finished. In addition to Lesson 9's provider, it replaces tokens that the server rejects.
actor CredentialsProvider {
  private let store: any CredentialsStore & Sendable
  private let refresher: any AsyncCredentialsRefresher
  private let now: @Sendable () -> Date

  /// The refresh in flight, by the refresh token that it uses. There's only one entry unless another user signs in during a
  /// refresh.
  private var refreshes: [String: Task<Credentials, any Error>] = [:]

  /// - Parameters:
  ///   - store: The store that holds the current user's credentials.
  ///   - refresher: The service that obtains new credentials.
  ///   - now: A closure that returns the current date.
  init(
    store: any CredentialsStore & Sendable, refresher: any AsyncCredentialsRefresher, now: @escaping @Sendable () -> Date
  ) {
    self.store = store
    self.refresher = refresher
    self.now = now
  }

  /// Returns the credentials to send with a request.
  ///
  /// A caller that is canceled during a refresh still waits for its end: the refresh serves other callers, too.
  ///
  /// - Throws: `HTTPClientError.signedOut` if no one is signed in, or if the user signed out during the refresh;
  ///   `HTTPClientError.sessionExpired` if the refresh was refused; the refresher's error if it failed for another reason.
  func credentials() async throws -> Credentials {
    try await credentials(replacing: nil)
  }

  /// Returns the credentials to use in place of a token that the server has rejected.
  ///
  /// - Parameter rejectedToken: The access token of a request that has received a 401; `nil` if there is none.
  /// - Throws: The same errors as ``credentials()``.
  func credentials(replacing rejectedToken: String?) async throws -> Credentials {
    guard let credentials = store.credentials else { throw HTTPClientError.signedOut }
    // If the stored token is not the rejected one, it has been replaced since: by a refresh, or by another user, who has signed in.
    // Credentials don't say whose they are.
    guard
      now() >= credentials.expiresAt || credentials.accessToken == rejectedToken || refreshes[credentials.refreshToken] != nil
    else { return credentials }

    // There's no `await` from the look at the store to the assignment, so no other caller can start a second refresh in between.
    let task = refreshes[credentials.refreshToken] ?? Task { try await refresh(credentials) }
    refreshes[credentials.refreshToken] = task
    return try await task.value
  }

  private func refresh(_ old: Credentials) async throws -> Credentials {
    // There's no other `await` than the refresher's, so the store and this entry change in one step.
    defer { refreshes[old.refreshToken] = nil }

    let new: Credentials
    do {
      new = try await refresher.refresh(with: old.refreshToken)
    } catch {
      // If other credentials or none are stored now, another user has signed in, or the user has signed out.
      guard store.credentials == old else { throw HTTPClientError.signedOut }
      throw error is TokenEndpoint.Refused ? HTTPClientError.sessionExpired : error
    }
    guard store.replace(old, with: new) else { throw HTTPClientError.signedOut }
    return new
  }
}
