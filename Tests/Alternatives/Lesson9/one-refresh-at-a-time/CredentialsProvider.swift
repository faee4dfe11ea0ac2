// There is one refresh at a time: a caller whose credentials have expired, too, waits for the end of another user's, and looks again. The screen has one state.

import Given

/// Provides valid credentials. If they have expired, one refresh serves every waiting caller.
actor CredentialsProvider {
  private let store: any CredentialsStore & Sendable
  private let refresher: any AsyncCredentialsRefresher
  private let now: @Sendable () -> Date

  /// The refresh in flight, and the credentials that it replaces.
  private var inFlight: (old: Credentials, task: Task<Credentials, any Error>)?

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
    while true {
      guard let credentials = store.credentials else { throw HTTPClientError.signedOut }
      guard now() >= credentials.expiresAt else { return credentials }
      if let inFlight, inFlight.old != credentials {
        _ = await inFlight.task.result
        continue
      }
      let task = inFlight?.task ?? Task { try await renewed(credentials) }
      inFlight = (credentials, task)
      return try await task.value
    }
  }

  private func renewed(_ old: Credentials) async throws -> Credentials {
    let result: Result<Credentials, any Error>
    do {
      result = .success(try await refresher.refresh(with: old.refreshToken))
    } catch {
      result = .failure(error)
    }

    // There's no `await` from here on: the refresh is over before its callers continue and before a new caller enters.
    inFlight = nil
    switch result {
    case .success(let new) where store.replace(old, with: new): return new
    case .failure(is TokenEndpoint.Refused) where store.credentials == old: throw HTTPClientError.sessionExpired
    case .failure(let error) where store.credentials == old: throw error
    // The user has signed out, or another user has signed in.
    default: throw HTTPClientError.signedOut
    }
  }
}
