import Given
import Solution3
import Solution4
import Solution5

/// Puts the decorators together: the one place that knows which there are, and in which order they stand.
struct HTTPClientFactory {
  /// Whom a client is made for.
  enum Environment: CaseIterable {
    /// For ourselves: everything, the log too.
    case debug
    /// For our users: no log.
    case production
    /// For those who look around without an account: no block list and no credentials, but the log.
    case guest
  }

  /// What the requests go out through.
  let session: URLSession
  /// Holds the credentials of the user who is signed in.
  let store: any CredentialsStore
  /// Where the token endpoint is.
  let refreshURL: URL
  /// Knows whether the account is permanently blocked.
  let blockList: any BlockList
  /// Where the records of the requests go.
  let log: any HTTPLog
  /// Tells the time. The tests bring a clock of their own.
  let now: () -> Date
  /// Reads the stopwatch. The tests bring one of their own.
  let stopwatch: () -> ContinuousClock.Instant

  /// Makes a client. The app makes one at launch and hands it to all its screens: requests that share a client share a refresh.
  ///
  /// - Parameters:
  ///   - environment: Whom it is for.
  ///   - blocksAccounts: Whether permanently blocked accounts are kept off the network.
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

  /// - Parameters:
  ///   - client: What the requests go out through.
  ///   - network: What the refresh goes out through. Sent through the decorator, it would wait for itself.
  private func refreshing(_ client: any HTTPClient, through network: any HTTPClient) -> any HTTPClient {
    RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: store,
      refresher: RemoteCredentialsRefresher(client: network, url: refreshURL, now: now), now: now)
  }

  private func blocking(_ client: any HTTPClient, if isOn: Bool) -> any HTTPClient {
    isOn ? PermanentBlockHTTPClientDecorator(decoratee: client, blockList: blockList) : client
  }
}
