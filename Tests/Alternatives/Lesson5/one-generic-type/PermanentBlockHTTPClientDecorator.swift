import Given

func blocking(_ client: any HTTPClient, with blockList: any BlockList) -> any HTTPClient {
  DecoratedHTTPClient(
    decoratee: client,
    before: { _ in
      if blockList.isCurrentAccountBlocked { throw HTTPClientError.permanentlyBlocked }
    },
    after: { _, _, result in
      guard case .success(let (data, response)) = result, PermanentBlock.isAnnounced(by: data, response) else { return result }
      blockList.blockCurrentAccount()
      return .failure(HTTPClientError.permanentlyBlocked)
    })
}
