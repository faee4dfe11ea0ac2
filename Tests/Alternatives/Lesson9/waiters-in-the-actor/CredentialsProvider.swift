// The actor stores the continuations of all waiting callers, and the refresh runs in an unstructured task.

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
  /// - Throws: `HTTPClientError.signedOut` if no user is signed in, or if the user is no longer signed in when the refresh
  ///   ends. `HTTPClientError.sessionExpired` if the refresh fails.
  func credentials() async throws -> Credentials {
    guard let credentials = store.credentials else { throw HTTPClientError.signedOut }
    guard now() >= credentials.expiresAt else { return credentials }

    return try await withCheckedThrowingContinuation { continuation in
      let token = credentials.refreshToken
      waiters[token, default: []].append(continuation)
      guard waiters[token]?.count == 1 else { return }
      Task {
        let result: Result<Credentials, any Error>
        do { result = .success(try await renewed(credentials)) } catch { result = .failure(error) }
        for waiter in waiters.removeValue(forKey: token) ?? [] { waiter.resume(with: result) }
      }
    }
  }

  private var waiters: [String: [CheckedContinuation<Credentials, any Error>]] = [:]

  private func renewed(_ old: Credentials) async throws -> Credentials {
    let result: Result<Credentials, any Error>
    do {
      result = .success(try await refresher.refresh(with: old.refreshToken))
    } catch {
      result = .failure(HTTPClientError.sessionExpired)
    }

    // During the refresh, the user may have signed out, or another user may have signed in.
    guard store.credentials == old else { throw HTTPClientError.signedOut }
    store.credentials = try result.get()
    return try result.get()
  }
}
