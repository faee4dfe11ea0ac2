import Given

/// An HTTP client that adds a bearer token to every request and refreshes expired credentials.
///
/// This decorator handles credentials only. It forwards the rest of the request, and the result, unchanged. When you have finished
/// step 5, it is safe to use from many threads simultaneously.
final class RefreshCredentialsHTTPClientDecorator: HTTPClient {
  private let decoratee: any HTTPClient
  private let store: any CredentialsStore
  private let refresher: any CredentialsRefresher
  private let now: () -> Date

  /// Creates a decorator around a client.
  ///
  /// - Parameters:
  ///   - decoratee: The client to forward requests to.
  ///   - store: The store that holds the current user's credentials.
  ///   - refresher: The service that obtains new credentials.
  ///   - now: A closure that returns the current date.
  init(
    decoratee: any HTTPClient, store: any CredentialsStore, refresher: any CredentialsRefresher, now: @escaping () -> Date
  ) {
    self.decoratee = decoratee
    self.store = store
    self.refresher = refresher
    self.now = now
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    // Step 1: add the bearer token to the request.
    // Step 2: if the credentials have expired, refresh them first.
    // Step 3: if the refresh fails, fail the request.
    // Step 4: if a refresh is under way, wait for it.
    // Step 5 (extra): make step 4 safe for many threads.
    // Step 6 (extra): if the response is a 401, refresh and send the request once more.
    // Step 7 (extra): let a refresh serve only the user for whom it was started.
    decoratee.load(request, completion: completion)
  }
}
