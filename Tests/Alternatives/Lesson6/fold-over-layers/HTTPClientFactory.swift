// Each environment has a list of layers, outermost first, that is folded around the network client.

import Given
import Solution3
import Solution4
import Solution5

/// The composition root of the HTTP client: the one place that selects the decorators and their order.
struct HTTPClientFactory {
  /// The environment that a client is made for.
  enum Environment: CaseIterable {
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
  ///   - blocksAccounts: Whether requests of a permanently blocked account are stopped before they reach the network.
  func makeClient(for environment: Environment, blocksAccounts: Bool = true) -> any HTTPClient {
    let network = URLSessionHTTPClient(session: session)
    return layers(for: environment, blocksAccounts, network).reversed().reduce(network) { $1($0) }
  }

  private typealias Layer = (any HTTPClient) -> any HTTPClient

  /// The layers, outermost first.
  private func layers(for environment: Environment, _ blocksAccounts: Bool, _ network: any HTTPClient) -> [Layer] {
    let blocking: [Layer] =
      blocksAccounts ? [{ PermanentBlockHTTPClientDecorator(decoratee: $0, blockList: blockList) }] : []
    let refreshing: Layer = {
      RefreshCredentialsHTTPClientDecorator(
        decoratee: $0, store: store,
        refresher: RemoteCredentialsRefresher(client: network, url: refreshURL, now: now), now: now)
    }
    let logging: Layer = { LoggerHTTPClientDecorator(decoratee: $0, log: log, now: stopwatch) }

    switch environment {
    case .debug: return blocking + [refreshing, logging]
    case .production: return blocking + [refreshing]
    case .guest: return [logging]
    }
  }
}
