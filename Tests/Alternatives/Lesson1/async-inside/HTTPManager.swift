// A task runs async code that reads from top to bottom, and calls the completion at its end.

import Given

/// Sends every request that our app makes, authorizes it, and stops it if the account is blocked. Each call runs in a task.
final class HTTPManager: @unchecked Sendable {
  typealias Completion = (Result<(Data, HTTPURLResponse), any Error>) -> Void

  private let session: URLSession
  private let store: any CredentialsStore
  private let blockList: any BlockList
  private let refreshURL: URL
  private let now: () -> Date

  init(
    session: URLSession, store: any CredentialsStore, blockList: any BlockList, refreshURL: URL, now: @escaping () -> Date
  ) {
    self.session = session
    self.store = store
    self.blockList = blockList
    self.refreshURL = refreshURL
    self.now = now
  }

  func load(_ request: URLRequest, completion: @escaping Completion) {
    Task {
      do {
        completion(.success(try await response(to: request)))
      } catch {
        completion(.failure(error))
      }
    }
  }

  private func response(to request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    if blockList.isCurrentAccountBlocked { throw HTTPClientError.permanentlyBlocked }

    var request = request
    request.setValue("Bearer \(try await validCredentials().accessToken)", forHTTPHeaderField: "Authorization")
    let (data, response) = try await send(request)
    if PermanentBlock.isAnnounced(by: data, response) {
      blockList.blockCurrentAccount()
      throw HTTPClientError.permanentlyBlocked
    }
    return (data, response)
  }

  private func validCredentials() async throws -> Credentials {
    guard let credentials = store.credentials else { throw HTTPClientError.signedOut }
    if credentials.expiresAt > now() { return credentials }

    do {
      let request = TokenEndpoint.refreshRequest(to: refreshURL, refreshToken: credentials.refreshToken)
      let (data, response) = try await send(request)
      let renewed = try TokenEndpoint.credentials(
        from: data, response, refreshToken: credentials.refreshToken, now: now())
      store.credentials = renewed
      return renewed
    } catch is TokenEndpoint.Refused {
      throw HTTPClientError.sessionExpired
    }
  }

  private func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    let (data, response) = try await session.data(for: request)
    guard let response = response as? HTTPURLResponse else { throw HTTPClientError.notHTTP }
    return (data, response)
  }
}
