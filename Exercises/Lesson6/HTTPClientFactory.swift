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
    // Step 1: put all the decorators together, in the order of the trace.
    // Step 2: leave out what an environment does not want.
    // Step 3: nothing to write, if the refresh goes out the right way.
    // Step 4: leave out the blocking when it is switched off.
    UnfinishedHTTPClient()
  }
}

/// What the factory makes until you have written it. Delete it then.
private struct UnfinishedHTTPClient: HTTPClient {
  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    completion(.failure(Unfinished("Lesson 6, step 1: put the decorators together")))
  }
}
