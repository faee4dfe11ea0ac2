import Given

extension PullRequest {
  static func number2(_ client: any HTTPClient, blockList: any BlockList) -> any HTTPClient {
    PermanentBlockHTTPClientDecorator(decoratee: client, blockList: blockList)
  }
}

private final class PermanentBlockHTTPClientDecorator: HTTPClient {
  private let decoratee: any HTTPClient
  private let blockList: any BlockList
  private let queue = DispatchQueue(label: "blocked requests", attributes: .concurrent)

  init(decoratee: any HTTPClient, blockList: any BlockList) {
    self.decoratee = decoratee
    self.blockList = blockList
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    guard !blockList.isCurrentAccountBlocked else {
      return queue.async { completion(.failure(HTTPClientError.permanentlyBlocked)) }
    }

    decoratee.load(request) { [blockList] result in
      guard case .success(let (data, response)) = result, PermanentBlock.isAnnounced(by: data, response) else {
        return completion(result)
      }

      blockList.blockCurrentAccount()
      completion(.failure(HTTPClientError.permanentlyBlocked))
    }
  }
}
