import Given

import class Given.Locked

@testable import Exercise5

extension PullRequest {
  static let number3 = PullRequest(breaks: .noCopies, blocks: true) { client, list, _, _ in
    PermanentBlockHTTPClientDecorator(decoratee: client, blockList: list)
  }
}

private final class PermanentBlockHTTPClientDecorator: HTTPClient {
  private let decoratee: any HTTPClient
  private let blockList: any BlockList
  private let isKnownToBeBlocked = Locked(false)

  init(decoratee: any HTTPClient, blockList: any BlockList) {
    self.decoratee = decoratee
    self.blockList = blockList
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    guard !isKnownToBeBlocked.withLock({ $0 }), !blockList.isCurrentAccountBlocked else {
      return completion(.failure(HTTPClientError.permanentlyBlocked))
    }

    decoratee.load(request) { [blockList, isKnownToBeBlocked] result in
      guard case .success(let (data, response)) = result, PermanentBlock.isAnnounced(by: data, response) else {
        return completion(result)
      }

      blockList.blockCurrentAccount()
      isKnownToBeBlocked.withLock { $0 = true }
      completion(.failure(HTTPClientError.permanentlyBlocked))
    }
  }
}
