// The refresh is sent through a second client, and each layer is made by a method that makes the layers inside it.

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
    guard environment != .guest else { return makeInnermost(logs: true) }
    let authorized = makeAuthorized(logs: environment == .debug)
    guard blocksAccounts else { return authorized }
    return PermanentBlockHTTPClientDecorator(decoratee: authorized, blockList: blockList)
  }

  private func makeAuthorized(logs: Bool) -> any HTTPClient {
    RefreshCredentialsHTTPClientDecorator(
      decoratee: makeInnermost(logs: logs), store: store,
      refresher: RemoteCredentialsRefresher(client: makeInnermost(logs: false), url: refreshURL, now: now), now: now)
  }

  private func makeInnermost(logs: Bool) -> any HTTPClient {
    let network = URLSessionHTTPClient(session: session)
    return logs ? LoggerHTTPClientDecorator(decoratee: network, log: log, now: stopwatch) : network
  }
}
