// One function calls itself again after a refresh, checks the block list again, and delivers every result on the main queue.

import Given

/// Sends every request that our app makes, authorizes it, and stops it if the account is blocked, all in one function.
struct HTTPManager {
  let session: URLSession
  let store: any CredentialsStore
  let blockList: any BlockList
  let refreshURL: URL
  let now: () -> Date

  func load(_ request: URLRequest, completion: @escaping (Result<(Data, HTTPURLResponse), any Error>) -> Void) {
    @Sendable func finish(_ result: Result<(Data, HTTPURLResponse), any Error>) {
      DispatchQueue.main.async { completion(result) }
    }

    @Sendable func attempt(afterRefresh: Bool) {
      if blockList.isCurrentAccountBlocked { return finish(.failure(HTTPClientError.permanentlyBlocked)) }
      guard let credentials = store.credentials else { return finish(.failure(HTTPClientError.signedOut)) }
      let isExpired = now() >= credentials.expiresAt && !afterRefresh

      var outgoing = TokenEndpoint.refreshRequest(to: refreshURL, refreshToken: credentials.refreshToken)
      if !isExpired {
        outgoing = request
        outgoing.setValue("Bearer " + credentials.accessToken, forHTTPHeaderField: "Authorization")
      }

      session.dataTask(with: outgoing) { data, response, error in
        let data = data ?? Data()
        guard error == nil, let response = response as? HTTPURLResponse else {
          return finish(.failure(error ?? HTTPClientError.notHTTP))
        }
        if !isExpired {
          guard PermanentBlock.isAnnounced(by: data, response) else { return finish(.success((data, response))) }
          blockList.blockCurrentAccount()
          return finish(.failure(HTTPClientError.permanentlyBlocked))
        }
        do {
          store.credentials = try TokenEndpoint.credentials(
            from: data, response, refreshToken: credentials.refreshToken, now: now())
          attempt(afterRefresh: true)
        } catch {
          finish(.failure(error is TokenEndpoint.Refused ? HTTPClientError.sessionExpired : error))
        }
      }.resume()
    }

    attempt(afterRefresh: false)
  }
}
