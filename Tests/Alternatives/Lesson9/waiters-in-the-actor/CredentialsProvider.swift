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
    try await credentials(replacing: nil)
  }

  func credentials(replacing rejectedToken: String?) async throws -> Credentials {
    guard let credentials = store.credentials else { throw HTTPClientError.signedOut }
    guard now() >= credentials.expiresAt || credentials.accessToken == rejectedToken else { return credentials }

    let (token, id) = (credentials.refreshToken, UUID())
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if waiting[token] == nil {
          waiting[token] = [:]
          Task {
            let result: Result<Credentials, any Error>
            do { result = .success(try await renewed(credentials)) } catch { result = .failure(error) }
            for waiter in waiting.removeValue(forKey: token) ?? [:] { waiter.value.resume(with: result) }
          }
        }
        if Task.isCancelled {
          continuation.resume(throwing: CancellationError())
        } else {
          waiting[token]?[id] = continuation
        }
      }
    } onCancel: {
      Task { await self.cancel(id, token) }
    }
  }

  private func cancel(_ id: UUID, _ token: String) {
    waiting[token]?.removeValue(forKey: id)?.resume(throwing: CancellationError())
  }

  private func renewed(_ old: Credentials) async throws -> Credentials {
    let result: Result<Credentials, any Error>
    do {
      result = .success(try await refresher.refresh(with: old.refreshToken))
    } catch {
      result = .failure(error)
    }

    switch result {
    case .success(let new) where store.replace(old, with: new): return new
    case .failure(is TokenEndpoint.Refused) where store.credentials == old: throw HTTPClientError.sessionExpired
    case .failure(let error) where store.credentials == old: throw error
    // The user has signed out, or another user has signed in.
    default: throw HTTPClientError.signedOut
    }
  }
}
