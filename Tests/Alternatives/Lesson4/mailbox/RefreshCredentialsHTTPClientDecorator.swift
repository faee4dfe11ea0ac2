// Every event goes into a mailbox, and one thread at a time works through it: no lock is held while anything else is called.

import Given

/// An HTTP client that adds a bearer token to every request. One thread at a time makes the decisions.
package final class RefreshCredentialsHTTPClientDecorator: HTTPClient {
  private struct Call {
    let request: URLRequest
    let rejected: String?
    let completion: HTTPClient.Completion
  }

  private let decoratee: any HTTPClient
  private let store: any CredentialsStore
  private let refresher: any CredentialsRefresher
  private let now: () -> Date
  private let mailbox = Mailbox()
  // Used by what is in the mailbox, and by nothing else.
  private var waiting: [String: [Call]] = [:]

  package init(
    decoratee: any HTTPClient, store: any CredentialsStore, refresher: any CredentialsRefresher, now: @escaping () -> Date
  ) {
    self.decoratee = decoratee
    self.store = store
    self.refresher = refresher
    self.now = now
  }

  package func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    let call = Call(request: request, rejected: nil, completion: completion)
    mailbox.post { self.begin(call) }
  }

  private func begin(_ call: Call) {
    guard let credentials = store.credentials else { return call.completion(.failure(HTTPClientError.signedOut)) }

    let key = credentials.refreshToken
    if waiting[key] != nil {
      waiting[key]?.append(call)
    } else if credentials.accessToken == call.rejected || credentials.expiresAt <= now() {
      waiting[key] = [call]
      refresher.refresh(with: key) { result in self.mailbox.post { self.end(result, of: credentials) } }
    } else {
      send(call, with: credentials)
    }
  }

  private func end(_ result: Result<Credentials, any Error>, of old: Credentials) {
    let calls = waiting.removeValue(forKey: old.refreshToken) ?? []
    do {
      let new = try result.get()
      guard store.replace(old, with: new) else { throw HTTPClientError.signedOut }
      for call in calls { send(call, with: new) }
    } catch {
      let isCurrent = store.credentials == old
      let ending: any Error = error is TokenEndpoint.Refused ? HTTPClientError.sessionExpired : error
      for call in calls { call.completion(.failure(isCurrent ? ending : HTTPClientError.signedOut)) }
    }
  }

  private func send(_ call: Call, with credentials: Credentials) {
    var request = call.request
    request.setValue("Bearer \(credentials.accessToken)", forHTTPHeaderField: "Authorization")
    decoratee.load(request) { result in
      guard call.rejected == nil, request.httpBodyStream == nil, case .success((_, let response)) = result,
        response.statusCode == 401
      else {
        return call.completion(result)
      }
      let second = Call(request: call.request, rejected: credentials.accessToken, completion: call.completion)
      self.mailbox.post { self.begin(second) }
    }
  }
}

/// Runs closures one at a time, in order, on a thread that posts one of them.
private final class Mailbox {
  private let lock = NSLock()
  private var letters: [() -> Void] = []
  private var isOpen = false

  func post(_ letter: @escaping () -> Void) {
    let isFirst = lock.withLock {
      letters.append(letter)
      defer { isOpen = true }
      return !isOpen
    }
    guard isFirst else { return }
    while let letter = next() { letter() }
  }

  private func next() -> (() -> Void)? {
    lock.withLock {
      guard !letters.isEmpty else {
        isOpen = false
        return nil
      }
      return letters.removeFirst()
    }
  }
}
