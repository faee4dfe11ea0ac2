// A task behind the completion closure lets the code read from top to bottom.

import Given

/// Sends every request of our app, with a task behind the completion closure.
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
        completion(.success(try await answer(to: request)))
      } catch {
        completion(.failure(error))
      }
    }
  }

  private func answer(to request: URLRequest) async throws -> (Data, HTTPURLResponse) {
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
    } catch {
      throw HTTPClientError.sessionExpired
    }
  }

  private func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    let (data, response) = try await session.data(for: request)
    guard let response = response as? HTTPURLResponse else { throw HTTPClientError.notHTTP }
    return (data, response)
  }
}
