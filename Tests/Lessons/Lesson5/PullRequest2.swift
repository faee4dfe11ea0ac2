import Given

extension PullRequest {
  static func number2(_ client: any HTTPClient, blockList: any BlockList) -> any HTTPClient {
    PermanentBlockHTTPClientDecorator(decoratee: client, blockList: blockList)
  }
}

private final class PermanentBlockHTTPClientDecorator: HTTPClient {
  private let decoratee: any HTTPClient
  private let blockList: any BlockList
  private let queue = DispatchQueue(label: "block list", attributes: .concurrent)

  init(decoratee: any HTTPClient, blockList: any BlockList) {
    self.decoratee = decoratee
    self.blockList = blockList
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    queue.async { [self] in
      if blockList.isCurrentAccountBlocked { return completion(.failure(HTTPClientError.permanentlyBlocked)) }
      forward(request, completion)
    }
  }

  private func forward(_ request: URLRequest, _ completion: @escaping HTTPClient.Completion) {
    decoratee.load(request) { [blockList] result in
      guard case .success(let (data, response)) = result, PermanentBlock.isAnnounced(by: data, response) else {
        return completion(result)
      }

      blockList.blockCurrentAccount()
      completion(.failure(HTTPClientError.permanentlyBlocked))
    }
  }
}
