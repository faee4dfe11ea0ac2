/// Obtains new credentials from the back end's token endpoint.
public struct RemoteCredentialsRefresher: CredentialsRefresher {
  private let client: any HTTPClient
  private let url: URL
  private let now: () -> Date

  /// Creates a refresher.
  ///
  /// - Parameters:
  ///   - client: The client to send the refresh through.
  ///   - url: The URL of the token endpoint.
  ///   - now: A closure that returns the current date.
  public init(client: any HTTPClient, url: URL, now: @escaping () -> Date) {
    self.client = client
    self.url = url
    self.now = now
  }

  public func refresh(with refreshToken: String, completion: @escaping (Result<Credentials, any Error>) -> Void) {
    let request = TokenEndpoint.refreshRequest(to: url, refreshToken: refreshToken)
    let sent = now()

    client.load(request) { result in
      completion(
        Result {
          let (data, response) = try result.get()
          return try TokenEndpoint.credentials(from: data, response, refreshToken: refreshToken, now: sent)
        })
    }
  }
}
