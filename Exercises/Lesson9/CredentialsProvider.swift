import Given

/// Hands out credentials that can be sent, and refreshes them when they have expired: once for all who wait.
actor CredentialsProvider {
  private let store: any CredentialsStore & Sendable
  private let refresher: any AsyncCredentialsRefresher
  private let now: @Sendable () -> Date

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
    // Step 3: those in the store, or new ones. What can happen at an `await`?
    throw Unfinished("Lesson 9, step 3: hand out credentials")
  }
}
