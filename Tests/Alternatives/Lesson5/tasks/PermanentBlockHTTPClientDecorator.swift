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
    Task { [decoratee, blockList] in
      do {
        if blockList.isCurrentAccountBlocked { throw HTTPClientError.permanentlyBlocked }
        let (data, response) = try await withCheckedThrowingContinuation { continuation in
          decoratee.load(request) { continuation.resume(with: $0) }
        }
        if PermanentBlock.isAnnounced(by: data, response) {
          blockList.blockCurrentAccount()
          throw HTTPClientError.permanentlyBlocked
        }
        completion(.success((data, response)))
      } catch {
        completion(.failure(error))
      }
    }
  }
}
