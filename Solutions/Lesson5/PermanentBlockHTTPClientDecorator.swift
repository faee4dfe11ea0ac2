import Given

/// Returns a client that stops the requests of a permanently blocked account.
///
/// - Parameters:
///   - client: The client to forward requests to.
///   - blockList: The list of permanently blocked accounts.
func blocking(_ client: any HTTPClient, with blockList: any BlockList) -> any HTTPClient {
  PermanentBlockHTTPClientDecorator(decoratee: client, blockList: blockList)
}

/// An HTTP client that stops the requests of a permanently blocked account.
///
/// This decorator handles the block list only. Requests and results that have nothing to do with a block are forwarded unchanged.
///
/// The list knows only the current account. So if another user signs in during a request whose response announces a block, that user's
/// account is blocked.
package final class PermanentBlockHTTPClientDecorator: HTTPClient {
  private let decoratee: any HTTPClient
  private let blockList: any BlockList

  /// Creates a decorator around a client.
  ///
  /// - Parameters:
  ///   - decoratee: The client to forward requests to.
  ///   - blockList: The list of permanently blocked accounts.
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

      // The list comes first, because the caller's completion may send the next request immediately.
      blockList.blockCurrentAccount()
      completion(.failure(HTTPClientError.permanentlyBlocked))
    }
  }
}
