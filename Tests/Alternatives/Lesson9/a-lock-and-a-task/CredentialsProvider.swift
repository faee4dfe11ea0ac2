// A lock guards the tasks of refreshes, and `composed` is recursive.

import Given

/// Provides valid credentials. If they have expired, one refresh serves every waiting caller.
final class CredentialsProvider: Sendable {
  private let store: any CredentialsStore & Sendable
  private let refresher: any AsyncCredentialsRefresher
  private let now: @Sendable () -> Date

  /// The refreshes in flight. There's only one unless another user signs in during a refresh.
  private let refreshes = Locked<[Refresh]>([])

  private struct Refresh {
    let old: Credentials
    let task: Task<Credentials, any Error>
  }

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
    // The lock is held from the look at the store on, so no refresh can end in between.
    let (credentials, task) = try refreshes.withLock { refreshes -> (Credentials, Task<Credentials, any Error>?) in
      guard let stored = store.credentials else { throw HTTPClientError.signedOut }
      guard now() >= stored.expiresAt else { return (stored, nil) }
      if let refresh = refreshes.first(where: { $0.old == stored }) { return (stored, refresh.task) }
      let task = Task { try await renewed(stored) }
      refreshes.append(Refresh(old: stored, task: task))
      return (stored, task)
    }
    return try await task?.value ?? credentials
  }

  private func renewed(_ old: Credentials) async throws -> Credentials {
    let result: Result<Credentials, any Error>
    do { result = .success(try await refresher.refresh(with: old.refreshToken)) } catch { result = .failure(error) }

    // The task is removed before it ends, so that no later caller waits for a refresh that is over. The new credentials are
    // stored under the same lock, so that no caller sees the old ones without their refresh.
    return try refreshes.withLock { refreshes in
      refreshes.removeAll { $0.old == old }
      switch result {
      case .success(let new) where store.replace(old, with: new): return new
      case .failure(let error) where store.credentials == old:
        throw error is TokenEndpoint.Refused ? HTTPClientError.sessionExpired : error
      // The user has signed out, or another user has signed in.
      default: throw HTTPClientError.signedOut
      }
    }
  }
}
