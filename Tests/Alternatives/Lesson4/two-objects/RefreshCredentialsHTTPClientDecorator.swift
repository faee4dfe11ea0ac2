// A separate object provides and refreshes the credentials, with a recursive lock, and the decorator only calls it.

import Given

/// Obtains credentials from a source, sends the request, and retries once if the response is a 401.
package struct RefreshCredentialsHTTPClientDecorator: HTTPClient {
  private let decoratee: any HTTPClient
  private let source: CredentialsSource

  package init(
    decoratee: any HTTPClient, store: any CredentialsStore, refresher: any CredentialsRefresher, now: @escaping () -> Date
  ) {
    self.decoratee = decoratee
    source = CredentialsSource(store: store, refresher: refresher, now: now)
  }

  package func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    load(request, refused: nil) { token, result in
      guard case .success((_, let response)) = result, response.statusCode == 401, let token, request.httpBodyStream == nil else {
        return completion(result)
      }
      load(request, refused: token) { completion($1) }
    }
  }

  private func load(
    _ request: URLRequest, refused: String?,
    _ completion: @escaping (String?, Result<(Data, HTTPURLResponse), any Error>) -> Void
  ) {
    source.token(otherThan: refused) { result in
      switch result {
      case .failure(let error): completion(nil, .failure(error))
      case .success(let token):
        var copy = request
        copy.setValue("Bearer " + token, forHTTPHeaderField: "Authorization")
        decoratee.load(copy) { completion(token, $0) }
      }
    }
  }
}

/// Provides access tokens, and refreshes the credentials if they have expired or if the server has rejected them.
private final class CredentialsSource {
  typealias Listener = (Result<String, any Error>) -> Void

  private let store: any CredentialsStore
  private let refresher: any CredentialsRefresher
  private let now: () -> Date
  private let lock = NSRecursiveLock()
  private var listeners: [(token: String, listener: Listener)] = []

  init(store: any CredentialsStore, refresher: any CredentialsRefresher, now: @escaping () -> Date) {
    self.store = store
    self.refresher = refresher
    self.now = now
  }

  func token(otherThan refused: String?, _ listener: @escaping Listener) {
    var immediate: Result<String, any Error>?
    var toRefresh: Credentials?
    lock.withLock {
      if let credentials = store.credentials {
        let isRefreshing = listeners.contains { $0.token == credentials.refreshToken }
        if !isRefreshing, credentials.accessToken != refused, credentials.expiresAt > now() {
          immediate = .success(credentials.accessToken)
        } else {
          if !isRefreshing { toRefresh = credentials }
          listeners.append((credentials.refreshToken, listener))
        }
      } else {
        immediate = .failure(HTTPClientError.signedOut)
      }
    }
    if let immediate { listener(immediate) }
    guard let old = toRefresh else { return }

    refresher.refresh(with: old.refreshToken) { renewed in
      var outcome = Result<String, any Error>.failure(HTTPClientError.signedOut)
      var served: [Listener] = []
      self.lock.withLock {
        switch renewed {
        case .success(let new):
          if self.store.replace(old, with: new) { outcome = .success(new.accessToken) }
        case .failure(let error):
          if self.store.credentials == old {
            outcome = .failure(error is TokenEndpoint.Refused ? HTTPClientError.sessionExpired : error)
          }
        }
        served = self.listeners.filter { $0.token == old.refreshToken }.map(\.listener)
        self.listeners.removeAll { $0.token == old.refreshToken }
      }
      for listener in served { listener(outcome) }
    }
  }
}
