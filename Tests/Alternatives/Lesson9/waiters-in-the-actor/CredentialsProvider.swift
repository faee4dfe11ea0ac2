// The actor stores the continuations of its callers, and a canceled caller returns immediately.

import Given

/// Provides valid credentials. If they have expired, one refresh serves every waiting caller.
actor CredentialsProvider {
  private let store: any CredentialsStore & Sendable
  private let refresher: any AsyncCredentialsRefresher
  private let now: @Sendable () -> Date

  /// The callers that wait for a refresh in flight, by the refresh token that it uses.
  private var waiting: [String: [UUID: CheckedContinuation<Credentials, any Error>]] = [:]

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
    guard let credentials = store.credentials else { throw HTTPClientError.signedOut }
    guard now() >= credentials.expiresAt else { return credentials }

    let id = UUID()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if waiting[credentials.refreshToken] == nil {
          waiting[credentials.refreshToken] = [:]
          Task { await refresh(credentials) }
        }
        if Task.isCancelled {
          continuation.resume(throwing: CancellationError())
        } else {
          waiting[credentials.refreshToken]?[id] = continuation
        }
      }
    } onCancel: {
      Task { await self.cancel(id, of: credentials) }
    }
  }

  private func cancel(_ id: UUID, of credentials: Credentials) {
    waiting[credentials.refreshToken]?.removeValue(forKey: id)?.resume(throwing: CancellationError())
  }

  private func refresh(_ old: Credentials) async {
    let result: Result<Credentials, any Error>
    do {
      let new = try await refresher.refresh(with: old.refreshToken)
      result = store.replace(old, with: new) ? .success(new) : .failure(HTTPClientError.signedOut)
    } catch {
      let failure = error is TokenEndpoint.Refused ? HTTPClientError.sessionExpired : error
      result = .failure(store.credentials == old ? failure : HTTPClientError.signedOut)
    }
    let callers = waiting.removeValue(forKey: old.refreshToken) ?? [:]
    for continuation in callers.values { continuation.resume(with: result) }
  }
}
