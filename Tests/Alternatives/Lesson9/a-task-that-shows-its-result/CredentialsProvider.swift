// One refresh at most is current, and a new user cancels the old one. A task of its own shows the profile.

import Given

/// Provides valid credentials. If they have expired, one refresh serves every waiting caller.
actor CredentialsProvider {
  private let store: any CredentialsStore & Sendable
  private let refresher: any AsyncCredentialsRefresher
  private let now: @Sendable () -> Date
  private var inFlight: (old: Credentials, task: Task<Credentials, any Error>)?

  init(
    store: any CredentialsStore & Sendable, refresher: any AsyncCredentialsRefresher, now: @escaping @Sendable () -> Date
  ) {
    self.store = store
    self.refresher = refresher
    self.now = now
  }

  func credentials() async throws -> Credentials {
    try await credentials(replacing: nil)
  }

  func credentials(replacing rejectedToken: String?) async throws -> Credentials {
    guard let stored = store.credentials else {
      inFlight?.task.cancel()
      inFlight = nil
      throw HTTPClientError.signedOut
    }
    if let inFlight {
      if inFlight.old == stored { return try await inFlight.task.value }
      inFlight.task.cancel()
      self.inFlight = nil
    }
    if stored.expiresAt > now(), stored.accessToken != rejectedToken { return stored }
    let task = Task {
      do {
        let new = try await refresher.refresh(with: stored.refreshToken)
        done(stored)
        guard store.replace(stored, with: new) else { throw HTTPClientError.signedOut }
        return new
      } catch {
        done(stored)
        guard store.credentials == stored else { throw HTTPClientError.signedOut }
        if error is TokenEndpoint.Refused { throw HTTPClientError.sessionExpired }
        throw error
      }
    }
    inFlight = (stored, task)
    return try await task.value
  }

  private func done(_ old: Credentials) {
    if inFlight?.old == old { inFlight = nil }
  }
}
