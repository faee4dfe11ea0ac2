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
package struct PermanentBlockHTTPClientDecorator: HTTPClient {
  private let load: (URLRequest, @escaping HTTPClient.Completion) -> Void
  private let isBlocked: () -> Bool
  private let block: () -> Void

  package init(decoratee: any HTTPClient, blockList: any BlockList) {
    load = decoratee.load
    isBlocked = { blockList.isCurrentAccountBlocked }
    block = blockList.blockCurrentAccount
  }

  package func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    if isBlocked() {
      completion(.failure(HTTPClientError.permanentlyBlocked))
    } else {
      load(request) { completion(checked($0)) }
    }
  }

  private func checked(
    _ result: Result<(Data, HTTPURLResponse), any Error>
  ) -> Result<(Data, HTTPURLResponse), any Error> {
    result.flatMap { data, response in
      guard PermanentBlock.isAnnounced(by: data, response) else { return .success((data, response)) }
      block()
      return .failure(HTTPClientError.permanentlyBlocked)
    }
  }
}
