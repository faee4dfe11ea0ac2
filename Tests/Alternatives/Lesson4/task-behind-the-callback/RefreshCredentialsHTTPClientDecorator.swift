// An actor holds the task that refreshes the credentials, and each request reaches it in a task of its own.

import Given

/// An HTTP client that passes each request to an actor.
package final class RefreshCredentialsHTTPClientDecorator: HTTPClient {
  private let keeper: Keeper

  package init(
    decoratee: any HTTPClient, store: any CredentialsStore, refresher: any CredentialsRefresher, now: @escaping () -> Date
  ) {
    keeper = Keeper(client: Handed(decoratee), store: Handed(store), refresher: Handed(refresher), now: Handed(now))
  }

  package func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    let completion = Handed(completion)
    Task { [keeper] in await keeper.take(request, completion.value) }
  }
}

/// Wraps a value so that the compiler lets it cross into the actor.
private struct Handed<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// Refreshes the credentials, and sends the requests.
private actor Keeper {
  private let client: Handed<any HTTPClient>
  private let store: Handed<any CredentialsStore>
  private let refresher: Handed<any CredentialsRefresher>
  private let now: Handed<() -> Date>
  private var refresh: Task<Credentials, any Error>?
  private var waiting: [(URLRequest, String?, Credentials, HTTPClient.Completion)] = []

  init(
    client: Handed<any HTTPClient>, store: Handed<any CredentialsStore>, refresher: Handed<any CredentialsRefresher>,
    now: Handed<() -> Date>
  ) {
    self.client = client
    self.store = store
    self.refresher = refresher
    self.now = now
  }

  func take(_ request: URLRequest, refused: String? = nil, _ completion: @escaping HTTPClient.Completion) {
    guard let credentials = store.value.credentials else { return completion(.failure(HTTPClientError.signedOut)) }
    if refresh == nil, credentials.accessToken != refused, now.value() < credentials.expiresAt {
      return send(request, refused: refused, credentials, completion)
    }
    waiting.append((request, refused, credentials, completion))
    guard refresh == nil else { return }

    let task = Task { [refresher] in
      try await withCheckedThrowingContinuation { continuation in
        refresher.value.refresh(with: credentials.refreshToken) { continuation.resume(with: $0) }
      }
    }
    refresh = task
    Task { self.land(await task.result, credentials) }
  }

  private func land(_ result: Result<Credentials, any Error>, _ old: Credentials) {
    let served = waiting
    waiting = []
    refresh = nil
    let isCurrent: Bool
    switch result {
    case .success(let credentials): isCurrent = store.value.replace(old, with: credentials)
    case .failure: isCurrent = store.value.credentials == old
    }
    for (request, refused, read, completion) in served {
      switch result {
      // Requests with other credentials start over: they belong to the user who has signed in since.
      case _ where read != old: take(request, refused: refused, completion)
      case _ where !isCurrent: completion(.failure(HTTPClientError.signedOut))
      case .success(let credentials): send(request, refused: refused, credentials, completion)
      case .failure(is TokenEndpoint.Refused): completion(.failure(HTTPClientError.sessionExpired))
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  private func send(
    _ request: URLRequest, refused: String?, _ credentials: Credentials, _ completion: @escaping HTTPClient.Completion
  ) {
    var authorized = request
    authorized.setValue("Bearer \(credentials.accessToken)", forHTTPHeaderField: "Authorization")
    let completion = Handed(completion)
    client.value.load(authorized) { result in
      guard refused == nil, request.httpBodyStream == nil, case .success((_, let response)) = result, response.statusCode == 401
      else {
        return completion.value(result)
      }
      Task { self.take(request, refused: credentials.accessToken, completion.value) }
    }
  }
}
