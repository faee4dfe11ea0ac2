import Given

/// Keeps a permanently blocked account off the network.
///
/// Knows about the block list and nothing else: it forwards every request and every other answer untouched.
package final class PermanentBlockHTTPClientDecorator: HTTPClient {
  private let decoratee: any HTTPClient
  private let blockList: any BlockList

  /// - Parameters:
  ///   - decoratee: Whom to forward the requests to.
  ///   - blockList: Knows whether the account is permanently blocked.
  package init(decoratee: any HTTPClient, blockList: any BlockList) {
    self.decoratee = decoratee
    self.blockList = blockList
  }

  package func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    guard !blockList.isCurrentAccountBlocked else {
      return completion(.failure(HTTPClientError.permanentlyBlocked))
    }

    decoratee.load(request) { [blockList] result in
      guard case .success(let (data, response)) = result, PermanentBlock.isAnnounced(by: data, response) else {
        return completion(result)
      }

      // First the list, then the caller: it may try again at once.
      blockList.blockCurrentAccount()
      completion(.failure(HTTPClientError.permanentlyBlocked))
    }
  }
}
