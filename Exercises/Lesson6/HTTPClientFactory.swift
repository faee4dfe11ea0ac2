import Given

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
  ///   - blocksAccounts: Whether requests of a permanently blocked account are stopped before they reach the network.
  func makeClient(for environment: Environment, blocksAccounts: Bool = true) -> any HTTPClient {
    // Step 1: without blocking in the manager, wrap the manager in a decorator, if `blocksAccounts` says so.
    // Step 2: without sending in the manager, give each environment its layers.
    // Step 3: replace what is left of the manager.
    HTTPManager(session: session, store: store, blockList: blockList, refreshURL: refreshURL, now: now)
  }
}
