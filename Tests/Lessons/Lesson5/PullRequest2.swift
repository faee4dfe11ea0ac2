import Given

@testable import Exercise5

extension PullRequest {
  static let number2 = PullRequest(blocks: true) { client, list, _, _ in
    PermanentBlockHTTPClientDecorator(decoratee: client, blockList: list)
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
