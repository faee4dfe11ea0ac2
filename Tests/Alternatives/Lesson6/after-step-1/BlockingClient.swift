// Our state after step 1: blocking has left the manager, and goes around it.

import Given

/// Stops the requests of a permanently blocked account.
final class BlockingClient: HTTPClient {
  private let client: any HTTPClient
  private let blockList: any BlockList

  init(_ client: any HTTPClient, blockList: any BlockList) {
    self.client = client
    self.blockList = blockList
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    guard !blockList.isCurrentAccountBlocked else {
      return completion(.failure(HTTPClientError.permanentlyBlocked))
    }

    client.load(request) { result in
      if case .success(let (data, response)) = result, PermanentBlock.isAnnounced(by: data, response) {
        self.blockList.blockCurrentAccount()
        completion(.failure(HTTPClientError.permanentlyBlocked))
      } else {
        completion(result)
      }
    }
  }
}
