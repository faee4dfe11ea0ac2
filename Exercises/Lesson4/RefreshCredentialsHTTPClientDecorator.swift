import Given

/// Puts the access token on every request, and sees to it that the credentials are fresh.
///
/// Knows about credentials and nothing else: it forwards every other part of the request and of the answer untouched. It may be
/// used from many threads at once.
final class RefreshCredentialsHTTPClientDecorator: HTTPClient {
  private let decoratee: any HTTPClient
  private let store: any CredentialsStore
  private let refresher: any CredentialsRefresher
  private let now: () -> Date

  /// - Parameters:
  ///   - decoratee: Whom to forward the requests to.
  ///   - store: Holds the credentials of the user who is signed in.
  ///   - refresher: Buys new credentials.
  ///   - now: Tells the time. The tests bring a clock of their own.
  init(
    decoratee: any HTTPClient, store: any CredentialsStore, refresher: any CredentialsRefresher, now: @escaping () -> Date
  ) {
    self.decoratee = decoratee
    self.store = store
    self.refresher = refresher
    self.now = now
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    // Step 1: put the access token on the request.
    // Step 2: refresh first when the credentials have expired.
    // Step 3: when the refresh fails, so does the request.
    // Step 4: requests that come while a refresh is under way wait for it.
    // Step 5: a 401 means: refresh, and send once more.
    decoratee.load(request, completion: completion)
  }
}
