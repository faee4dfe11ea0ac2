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
  ///   - blocksAccounts: Whether requests of a permanently blocked account are stopped before they reach the network.
  func makeClient(for environment: Environment, blocksAccounts: Bool = true) -> any HTTPClient {
    // Step 1: stack all the decorators, in the order of the trace.
    // Step 2: leave out the decorators that an environment does not need.
    // Step 3: find out which of Lesson 1's promises the client keeps.
    // Step 4: if blocking is switched off, leave it out.
    UnfinishedHTTPClient()
  }
}

/// A placeholder for the client. Delete it when you have written the factory.
private struct UnfinishedHTTPClient: HTTPClient {
  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    completion(.failure(Unfinished("Lesson 6, step 1: stack the decorators")))
  }
}
