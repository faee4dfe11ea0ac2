import Given

/// Sends every request that our app makes, authorizes it, and stops it if the account is blocked.
///
/// This class grows as it would in a real project: one requirement after another, all in the same place.
///
/// It has three bugs on purpose, so don't copy it. Each request with an expired token starts a refresh of its own, a 401 for a token
/// that is valid by the clock is delivered without a refresh, and a user who signs out during a refresh is signed in again. Lesson 4
/// mends them, in its steps 4, 6, and 2.
final class HTTPManager {
  /// A closure that receives the result of one request.
  typealias Completion = (Result<(Data, HTTPURLResponse), any Error>) -> Void

  private let session: URLSession
  private let store: any CredentialsStore
  private let blockList: any BlockList
  private let refreshURL: URL
  private let now: () -> Date

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
  ///   - completion: A closure that receives the body and the response, with any status, or an error. Called exactly
  ///     once, on any queue.
  func load(_ request: URLRequest, completion: @escaping Completion) {
    guard !blockList.isCurrentAccountBlocked else {
      return completion(.failure(HTTPClientError.permanentlyBlocked))
    }
    guard let credentials = store.credentials else {
      return completion(.failure(HTTPClientError.signedOut))
    }

    if now() >= credentials.expiresAt {
      refresh(credentials) { renewed in
        switch renewed {
        case .success(let renewed):
          self.send(request, with: renewed, completion: completion)
        case .failure(let error):
          completion(.failure(error))
        }
      }
    } else {
      send(request, with: credentials, completion: completion)
    }
  }

  private func send(_ request: URLRequest, with credentials: Credentials, completion: @escaping Completion) {
    var request = request
    request.setValue("Bearer \(credentials.accessToken)", forHTTPHeaderField: "Authorization")

    send(request) { result in
      if case .success(let (data, response)) = result, PermanentBlock.isAnnounced(by: data, response) {
        self.blockList.blockCurrentAccount()
        completion(.failure(HTTPClientError.permanentlyBlocked))
      } else {
        completion(result)
      }
    }
  }

  /// Sends a request unchanged, and delivers the result.
  private func send(_ request: URLRequest, completion: @escaping Completion) {
    session.dataTask(with: request) { data, response, error in
      if let error {
        completion(.failure(error))
      } else if let response = response as? HTTPURLResponse {
        completion(.success((data ?? Data(), response)))
      } else {
        completion(.failure(HTTPClientError.notHTTP))
      }
    }.resume()
  }

  /// Obtains new credentials from the token endpoint, and stores them.
  ///
  /// - Parameters:
  ///   - credentials: The expired credentials.
  ///   - completion: A closure that receives the new credentials, or the reason why there are none:
  ///     `HTTPClientError.sessionExpired` if the server has refused the refresh token, or any other error.
  private func refresh(
    _ credentials: Credentials, completion: @escaping (Result<Credentials, any Error>) -> Void
  ) {
    let request = TokenEndpoint.refreshRequest(to: refreshURL, refreshToken: credentials.refreshToken)
    // The lifetime counts from here, so that the credentials never seem valid after they have expired.
    let sent = now()

    send(request) { result in
      do {
        let (data, response) = try result.get()
        let renewed = try TokenEndpoint.credentials(
          from: data, response, refreshToken: credentials.refreshToken, now: sent)
        self.store.credentials = renewed
        completion(.success(renewed))
      } catch is TokenEndpoint.Refused {
        completion(.failure(HTTPClientError.sessionExpired))
      } catch {
        completion(.failure(error))
      }
    }
  }
}
