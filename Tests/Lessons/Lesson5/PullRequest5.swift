import Given

@testable import Exercise5

extension PullRequest {
  static let number5 = PullRequest(breaks: .lifetime, .listBeforeDelivery, blocks: true) { client, list, _, _ in
    PermanentBlockHTTPClientDecorator(decoratee: client, blockList: list)
  }
}

private final class PermanentBlockHTTPClientDecorator: HTTPClient {
  private let decoratee: any HTTPClient
  private let blockList: any BlockList

  init(decoratee: any HTTPClient, blockList: any BlockList) {
    self.decoratee = decoratee
    self.blockList = blockList
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    guard !blockList.isCurrentAccountBlocked else {
      return completion(.failure(HTTPClientError.permanentlyBlocked))
    }

    decoratee.load(request) { [weak blockList] result in
      guard case .success(let (data, response)) = result, PermanentBlock.isAnnounced(by: data, response) else {
        return completion(result)
      }

      blockList?.blockCurrentAccount()
      completion(.failure(HTTPClientError.permanentlyBlocked))
    }
  }
}
