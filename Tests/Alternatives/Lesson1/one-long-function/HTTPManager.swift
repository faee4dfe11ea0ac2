// One function does everything: it calls itself again after a refresh, and it delivers every result on the main queue.

import Given

/// Sends every request of our app, with one function that calls itself again after a refresh.
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
    if blockList.isCurrentAccountBlocked { return finish(.failure(HTTPClientError.permanentlyBlocked)) }
    guard let credentials = store.credentials else { return finish(.failure(HTTPClientError.signedOut)) }

    guard now() < credentials.expiresAt else {
      let refresh = TokenEndpoint.refreshRequest(to: refreshURL, refreshToken: credentials.refreshToken)
      session.dataTask(with: refresh) { data, response, _ in
        guard let data, let response = response as? HTTPURLResponse,
          let renewed = try? TokenEndpoint.credentials(
            from: data, response, refreshToken: credentials.refreshToken, now: now())
        else { return finish(.failure(HTTPClientError.sessionExpired)) }
        store.credentials = renewed
        load(request, completion: completion)
      }.resume()
      return
    }

    var authorized = request
    authorized.setValue("Bearer " + credentials.accessToken, forHTTPHeaderField: "Authorization")
    session.dataTask(with: authorized) { data, response, error in
      guard let response = response as? HTTPURLResponse else {
        return finish(.failure(error ?? HTTPClientError.notHTTP))
      }
      if let data, PermanentBlock.isAnnounced(by: data, response) {
        blockList.blockCurrentAccount()
        return finish(.failure(HTTPClientError.permanentlyBlocked))
      }
      finish(.success((data ?? Data(), response)))
    }.resume()
  }
}
