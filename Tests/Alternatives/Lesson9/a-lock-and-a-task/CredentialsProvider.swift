// A lock guards the task that refreshes the credentials, and both `composed` and `retrying` are recursive.

import Given

/// Provides valid credentials. If they have expired, one refresh serves every waiting caller.
final class CredentialsProvider: Sendable {
  private let store: any CredentialsStore & Sendable
  private let refresher: any AsyncCredentialsRefresher
  private let now: @Sendable () -> Date

  /// The refreshes that are under way, by the refresh token that they use.
  private let flights = Locked<[String: Task<Credentials, any Error>]>([:])

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

    let refresh = flights.withLock { flights in
      let task = flights[credentials.refreshToken] ?? Task { try await renewed(credentials) }
      flights[credentials.refreshToken] = task
      return task
    }
    return try await refresh.value
  }

  private func renewed(_ old: Credentials) async throws -> Credentials {
    let result: Result<Credentials, any Error>
    do {
      result = .success(try await refresher.refresh(with: old.refreshToken))
    } catch {
      result = .failure(HTTPClientError.sessionExpired)
    }

    // Remove the task before it completes, so that no later caller waits for a refresh that is over.
    flights.withLock { $0[old.refreshToken] = nil }
    // During the refresh, the user may have signed out, or another user may have signed in.
    guard store.credentials == old else { throw HTTPClientError.signedOut }
    store.credentials = try result.get()
    return try result.get()
  }
}
