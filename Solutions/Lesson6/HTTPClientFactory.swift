import Given
import Solution3
import Solution4
import Solution5

/// The composition root of the HTTP client: the one place that selects the decorators and their order.
struct HTTPClientFactory {
  /// The environment that a client is made for.
  enum Environment {
    /// For developers, with every decorator.
    case debug
    /// For our users, without the log.
    case production
    /// For users without an account, with the log but without the block list and the credentials.
    case guest
  }

  /// The session that sends the requests.
  let session: URLSession
  /// The store that holds the current user's credentials.
  let store: any CredentialsStore
  /// The URL of the token endpoint.
  let refreshURL: URL
  /// The list of permanently blocked accounts.
  let blockList: any BlockList
  /// The log that stores the records of the requests.
  let log: any HTTPLog
  /// A closure that returns the current date.
  let now: () -> Date
  /// A closure that returns the current instant, as on a stopwatch.
  let stopwatch: () -> ContinuousClock.Instant

  /// Makes a client. The app makes one at launch and shares it among all its screens, so that their requests share a refresh.
  ///
  /// - Parameters:
  ///   - environment: The environment that the client is for.
  ///   - blocksAccounts: Whether requests of a permanently blocked account are stopped before they reach the network. Guests have
  ///     no account, so their requests never are.
  func makeClient(for environment: Environment, blocksAccounts: Bool = true) -> any HTTPClient {
    let network = URLSessionHTTPClient(session: session)

    switch environment {
    case .debug:
      return blocking(refreshing(logging(network), through: network), if: blocksAccounts)
    case .production:
      return blocking(refreshing(network, through: network), if: blocksAccounts)
    case .guest:
      return logging(network)
    }
  }

  private func logging(_ client: any HTTPClient) -> any HTTPClient {
    LoggerHTTPClientDecorator(decoratee: client, log: log, now: stopwatch)
  }

  // A refresh that went through this layer would wait for itself, so it goes through `network`.
  private func refreshing(_ client: any HTTPClient, through network: any HTTPClient) -> any HTTPClient {
    RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: store,
      refresher: RemoteCredentialsRefresher(client: network, url: refreshURL, now: now), now: now)
  }

  private func blocking(_ client: any HTTPClient, if isOn: Bool) -> any HTTPClient {
    isOn ? PermanentBlockHTTPClientDecorator(decoratee: client, blockList: blockList) : client
  }
}
