import Given

/// Provides valid credentials. If they have expired, one refresh serves every waiting caller.
actor CredentialsProvider {
  private let store: any CredentialsStore & Sendable
  private let refresher: any AsyncCredentialsRefresher
  private let now: @Sendable () -> Date

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
  /// - Throws: `HTTPClientError.signedOut` if no one is signed in, or if the user signed out during the refresh;
  ///   `HTTPClientError.sessionExpired` if the refresh was refused; the refresher's error if it failed for another reason.
  func credentials() async throws -> Credentials {
    // Step 2: return the stored credentials. If they have expired, refresh them first.
    throw Unfinished("Lesson 9, step 2: provide credentials")
  }
}
