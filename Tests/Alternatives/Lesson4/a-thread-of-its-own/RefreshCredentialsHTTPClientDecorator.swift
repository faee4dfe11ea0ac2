// A thread of its own replaces the lock: it makes every decision, calls the decoratee and the refresher, and waits in between.

import Given

/// An HTTP client that adds a bearer token to every request and makes all its decisions on a thread of its own.
package final class RefreshCredentialsHTTPClientDecorator: HTTPClient {
  private let decoratee: any HTTPClient
  private let store: any CredentialsStore
  private let refresher: any CredentialsRefresher
  private let now: () -> Date
  private let worker = Worker()
  private var refreshes: [Refresh] = []

  private final class Refresh {
    let old: Credentials
    var pending: [(Result<Credentials, any Error>) -> Void] = []
    init(of old: Credentials) { self.old = old }
  }

  package init(
    decoratee: any HTTPClient, store: any CredentialsStore, refresher: any CredentialsRefresher, now: @escaping () -> Date
  ) {
    self.decoratee = decoratee
    self.store = store
    self.refresher = refresher
    self.now = now
  }

  package func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    worker.perform { self.attempt(request, refused: nil, completion: completion) }
  }

  private func attempt(_ request: URLRequest, refused: String?, completion: @escaping HTTPClient.Completion) {
    authorize(refused: refused) { result in
      switch result {
      case .failure(let error):
        completion(.failure(error))
      case .success(let credentials):
        var authorized = request
        authorized.setValue("Bearer " + credentials.accessToken, forHTTPHeaderField: "Authorization")
        self.decoratee.load(authorized) { answer in
          if refused == nil, request.httpBodyStream == nil, (try? answer.get().1.statusCode) == 401 {
            self.worker.perform { self.attempt(request, refused: credentials.accessToken, completion: completion) }
          } else {
            completion(answer)
          }
        }
      }
    }
  }

  private func authorize(refused: String?, _ ready: @escaping (Result<Credentials, any Error>) -> Void) {
    guard let credentials = store.credentials else { return ready(.failure(HTTPClientError.signedOut)) }
    if let running = refreshes.first(where: { $0.old == credentials }) { return running.pending.append(ready) }
    if credentials.accessToken != refused, now() < credentials.expiresAt { return ready(.success(credentials)) }

    let refresh = Refresh(of: credentials)
    refresh.pending.append(ready)
    refreshes.append(refresh)
    refresher.refresh(with: credentials.refreshToken) { renewed in
      self.worker.perform { self.land(renewed, refresh) }
    }
  }

  private func land(_ renewed: Result<Credentials, any Error>, _ refresh: Refresh) {
    var outcome = renewed.mapError { $0 is TokenEndpoint.Refused ? HTTPClientError.sessionExpired : $0 }
    if case .success(let credentials) = renewed {
      if !store.replace(refresh.old, with: credentials) { outcome = .failure(HTTPClientError.signedOut) }
    } else if store.credentials != refresh.old {
      outcome = .failure(HTTPClientError.signedOut)
    }
    refreshes.removeAll { $0 === refresh }
    for ready in refresh.pending { ready(outcome) }
  }
}

/// Runs closures one at a time, in order, on a thread that ends with the worker.
private final class Worker {
  private final class Jobs {
    let condition = NSCondition()
    var waiting: [() -> Void] = []
    var isOver = false

    /// Waits for the next closure; `nil` if there will be none.
    func next() -> (() -> Void)? {
      condition.lock()
      defer { condition.unlock() }
      while waiting.isEmpty, !isOver { condition.wait() }
      return waiting.isEmpty ? nil : waiting.removeFirst()
    }
  }

  private let jobs = Jobs()

  init() {
    Thread.detachNewThread { [jobs] in
      while let job = jobs.next() { job() }
    }
  }

  deinit {
    jobs.condition.lock()
    jobs.isOver = true
    jobs.condition.unlock()
    jobs.condition.signal()
  }

  func perform(_ job: @escaping () -> Void) {
    jobs.condition.lock()
    jobs.waiting.append(job)
    jobs.condition.unlock()
    jobs.condition.signal()
  }
}
