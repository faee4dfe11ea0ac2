// A serial queue waits for each request, so that one request is in flight at a time.

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
  private let queue = DispatchQueue(label: "manager")

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
    queue.async { [self] in
      let result = Result { try response(to: request) }
      DispatchQueue.global().async { completion(result) }
    }
  }

  private func response(to request: URLRequest) throws -> (Data, HTTPURLResponse) {
    guard !blockList.isCurrentAccountBlocked else { throw HTTPClientError.permanentlyBlocked }
    guard var credentials = store.credentials else { throw HTTPClientError.signedOut }
    if credentials.expiresAt.timeIntervalSince(now()) <= 0 {
      do {
        let (data, response) = try wait(
          for: TokenEndpoint.refreshRequest(to: refreshURL, refreshToken: credentials.refreshToken))
        credentials = try TokenEndpoint.credentials(
          from: data, response, refreshToken: credentials.refreshToken, now: now())
        store.credentials = credentials
      } catch is TokenEndpoint.Refused { throw HTTPClientError.sessionExpired }
    }
    var request = request
    request.setValue("Bearer \(credentials.accessToken)", forHTTPHeaderField: "Authorization")
    let (data, response) = try wait(for: request)
    guard PermanentBlock.isAnnounced(by: data, response) else { return (data, response) }
    blockList.blockCurrentAccount()
    throw HTTPClientError.permanentlyBlocked
  }

  private func wait(for request: URLRequest) throws -> (Data, HTTPURLResponse) {
    let done = DispatchSemaphore(value: 0)
    var result: Result<(Data, HTTPURLResponse), any Error>!
    session.dataTask(with: request) { data, response, error in
      if let error {
        result = .failure(error)
      } else if let response = response as? HTTPURLResponse {
        result = .success((data ?? Data(), response))
      } else {
        result = .failure(HTTPClientError.notHTTP)
      }
      done.signal()
    }.resume()
    done.wait()
    return try result.get()
  }
}
