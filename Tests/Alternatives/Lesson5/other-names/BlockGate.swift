// The decorators have names and files of their own, and each request has an object that measures it.

import Given

/// A client that lets no request of a blocked account pass.
struct BlockGate: HTTPClient {
  let client: any HTTPClient
  let list: any BlockList

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    list.isCurrentAccountBlocked ? reject(completion) : client.load(request) { judge($0, completion) }
  }

  private func judge(_ result: Result<(Data, HTTPURLResponse), any Error>, _ completion: HTTPClient.Completion) {
    if case .success(let (data, response)) = result, PermanentBlock.isAnnounced(by: data, response) {
      list.blockCurrentAccount()
      reject(completion)
    } else {
      completion(result)
    }
  }

  private func reject(_ completion: HTTPClient.Completion) {
    completion(.failure(HTTPClientError.permanentlyBlocked))
  }
}
