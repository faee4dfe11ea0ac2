/// Buys new credentials at the back end's token endpoint.
public struct RemoteCredentialsRefresher: CredentialsRefresher {
  private let client: any HTTPClient
  private let url: URL
  private let now: () -> Date

  /// - Parameters:
  ///   - client: What to send the refresh through.
  ///   - url: Where the token endpoint is.
  ///   - now: Tells the time: the back end says for how many seconds the new credentials are good.
  public init(client: any HTTPClient, url: URL, now: @escaping () -> Date) {
    self.client = client
    self.url = url
    self.now = now
  }

  public func refresh(with refreshToken: String, completion: @escaping (Result<Credentials, any Error>) -> Void) {
    let request = TokenEndpoint.refreshRequest(to: url, refreshToken: refreshToken)

    client.load(request) { [now] result in
      completion(
        Result {
          let (data, response) = try result.get()
          return try TokenEndpoint.credentials(from: data, response, refreshToken: refreshToken, now: now())
        })
    }
  }
}
