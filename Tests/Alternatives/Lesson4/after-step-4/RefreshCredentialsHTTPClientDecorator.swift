// Our state after step 4: all requests come from one thread and one user, so there is one list, and no lock.

import Given

/// An HTTP client that adds a bearer token to every request and refreshes expired credentials.
///
/// This decorator handles credentials only. It forwards the rest of the request, and the result, unchanged.
final class RefreshCredentialsHTTPClientDecorator: HTTPClient {
  private typealias Waiter = (Result<Credentials, any Error>) -> Void

  private let decoratee: any HTTPClient
  private let store: any CredentialsStore
  private let refresher: any CredentialsRefresher
  private let now: () -> Date

  /// The callers that wait for the refresh under way; `nil` if there is none.
  private var waiters: [Waiter]?

  /// Creates a decorator around a client.
  ///
  /// - Parameters:
  ///   - decoratee: The client to forward requests to.
  ///   - store: The store that holds the current user's credentials.
  ///   - refresher: The service that obtains new credentials.
  ///   - now: A closure that returns the current date.
  init(
    decoratee: any HTTPClient, store: any CredentialsStore, refresher: any CredentialsRefresher, now: @escaping () -> Date
  ) {
    self.decoratee = decoratee
    self.store = store
    self.refresher = refresher
    self.now = now
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    withCredentials { result in
      switch result {
      case .success(let credentials):
        var request = request
        request.setValue("Bearer \(credentials.accessToken)", forHTTPHeaderField: "Authorization")
        self.decoratee.load(request, completion: completion)
      case .failure(let error):
        completion(.failure(error))
      }
    }
  }

  /// Provides credentials to send: those in the store, or new ones.
  private func withCredentials(_ waiter: @escaping Waiter) {
    guard let credentials = store.credentials else {
      return waiter(.failure(HTTPClientError.signedOut))
    }
    guard waiters == nil else {
      waiters?.append(waiter)
      return
    }
    guard now() >= credentials.expiresAt else {
      return waiter(.success(credentials))
    }

    waiters = [waiter]
    refresher.refresh(with: credentials.refreshToken) { self.finish($0, replacing: credentials) }
  }

  /// Ends the refresh, and then serves the callers that have waited for it: they may call `load` again.
  private func finish(_ renewed: Result<Credentials, any Error>, replacing old: Credentials) {
    let callers = waiters ?? []
    waiters = nil

    let result: Result<Credentials, any Error>
    switch renewed {
    case .success(let new): result = store.replace(old, with: new) ? .success(new) : .failure(HTTPClientError.signedOut)
    case .failure(is TokenEndpoint.Refused): result = .failure(HTTPClientError.sessionExpired)
    case .failure(let error): result = .failure(error)
    }
    for caller in callers { caller(result) }
  }
}
