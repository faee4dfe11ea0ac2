// Requests that find the same expired credentials share a refresh, and the store replaces only the credentials that were refreshed.

import Given

/// Sends every request that our app makes, authorizes it, and stops it if the account is blocked.
///
/// This class grows as it would in a real project: one requirement after another, all in the same place.
final class HTTPManager {
  /// A closure that receives the result of one request.
  typealias Completion = (Result<(Data, HTTPURLResponse), any Error>) -> Void

  private let session: URLSession
  private let store: any CredentialsStore
  private let blockList: any BlockList
  private let refreshURL: URL
  private let now: () -> Date
  private let lock = NSLock()
  private var waiting: [String: [(Result<Credentials, any Error>) -> Void]] = [:]

  /// Creates a manager.
  ///
  /// - Parameters:
  ///   - session: The session that sends the requests.
  ///   - store: The store that holds the current user's credentials.
  ///   - blockList: The list of permanently blocked accounts.
  ///   - refreshURL: The URL of the token endpoint.
  ///   - now: A closure that returns the current date.
  init(
    session: URLSession, store: any CredentialsStore, blockList: any BlockList, refreshURL: URL, now: @escaping () -> Date
  ) {
    self.session = session
    self.store = store
    self.blockList = blockList
    self.refreshURL = refreshURL
    self.now = now
  }

  /// Sends a request and delivers the result.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - completion: A closure that receives the body and the response, whatever its status, or an error. Called exactly
  ///     once, on any queue.
  func load(_ request: URLRequest, completion: @escaping Completion) {
    if blockList.isCurrentAccountBlocked { return completion(.failure(HTTPClientError.permanentlyBlocked)) }
    guard let credentials = store.credentials else { return completion(.failure(HTTPClientError.signedOut)) }
    guard credentials.expiresAt <= now() else { return send(request, credentials, completion) }
    lock.lock()
    let isFirst = waiting[credentials.refreshToken] == nil
    waiting[credentials.refreshToken, default: []].append { result in
      switch result {
      case .success(let new): self.send(request, new, completion)
      case .failure(let error): completion(.failure(error))
      }
    }
    lock.unlock()
    guard isFirst else { return }
    perform(TokenEndpoint.refreshRequest(to: refreshURL, refreshToken: credentials.refreshToken)) { [self] result in
      var end: Result<Credentials, any Error>
      do {
        let (data, response) = try result.get()
        let new = try TokenEndpoint.credentials(from: data, response, refreshToken: credentials.refreshToken, now: now())
        end = store.replace(credentials, with: new) ? .success(new) : .failure(HTTPClientError.signedOut)
      } catch is TokenEndpoint.Refused {
        end = .failure(HTTPClientError.sessionExpired)
      } catch {
        end = .failure(error)
      }
      lock.lock()
      let all = waiting.removeValue(forKey: credentials.refreshToken) ?? []
      lock.unlock()
      for waiter in all { waiter(end) }
    }
  }

  private func send(_ request: URLRequest, _ credentials: Credentials, _ completion: @escaping Completion) {
    if blockList.isCurrentAccountBlocked { return completion(.failure(HTTPClientError.permanentlyBlocked)) }
    var request = request
    request.setValue("Bearer \(credentials.accessToken)", forHTTPHeaderField: "Authorization")
    perform(request) { [self] result in
      if let (data, response) = try? result.get(), PermanentBlock.isAnnounced(by: data, response) {
        blockList.blockCurrentAccount()
        return completion(.failure(HTTPClientError.permanentlyBlocked))
      }
      completion(result)
    }
  }

  private func perform(_ request: URLRequest, _ completion: @escaping Completion) {
    session.dataTask(with: request) { data, response, error in
      switch (error, response as? HTTPURLResponse) {
      case (let error?, _): completion(.failure(error))
      case (nil, let response?): completion(.success((data ?? Data(), response)))
      default: completion(.failure(HTTPClientError.notHTTP))
      }
    }.resume()
  }
}
