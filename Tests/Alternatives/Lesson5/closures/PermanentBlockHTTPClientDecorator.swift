import Given

/// Returns a client that stops the requests of a permanently blocked account.
///
/// - Parameters:
///   - client: The client to forward requests to.
///   - blockList: The list of permanently blocked accounts.
func blocking(_ client: any HTTPClient, with blockList: any BlockList) -> any HTTPClient {
  ClosureClient { request, completion in
    if blockList.isCurrentAccountBlocked { return completion(.failure(HTTPClientError.permanentlyBlocked)) }

    client.load(request) { result in
      completion(
        Result {
          let (data, response) = try result.get()
          guard PermanentBlock.isAnnounced(by: data, response) else { return (data, response) }
          blockList.blockCurrentAccount()
          throw HTTPClientError.permanentlyBlocked
        })
    }
  }
}

/// A client that is a closure.
struct ClosureClient: HTTPClient {
  private let body: (URLRequest, @escaping HTTPClient.Completion) -> Void

  init(_ body: @escaping (URLRequest, @escaping HTTPClient.Completion) -> Void) {
    self.body = body
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    body(request, completion)
  }
}
