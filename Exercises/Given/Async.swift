// The protocols of the earlier lessons as Lesson 9 has them: async functions in place of completions.

/// Where the profile comes from.
public protocol AsyncProfileService: Sendable {
  /// Gets the profile of the user who is signed in.
  ///
  /// - Throws: Whatever kept it from arriving; a `CancellationError` or the network's own error when the task was cancelled.
  func profile() async throws -> Profile
}

/// Where the feed comes from.
public protocol AsyncFeedLoader: Sendable {
  /// Loads the feed.
  ///
  /// - Throws: Whatever kept it from arriving; a `CancellationError` or the network's own error when the task was cancelled.
  func feed() async throws -> [FeedImage]
}

/// Keeps the last feed on the device.
public protocol FeedCache: Sendable {
  /// The feed that was saved last; `nil` when there is none.
  ///
  /// - Throws: When the cache cannot be read.
  func saved() async throws -> [FeedImage]?

  /// Saves a feed in place of the last one.
  ///
  /// - Throws: When the cache cannot be written.
  func save(_ feed: [FeedImage]) async throws
}

/// Takes down how loads ended.
public protocol LoadLog: Sendable {
  func add(_ event: LoadEvent)
}

/// How a load ended.
public enum LoadEvent: Equatable, Sendable {
  /// It brought so many things.
  case loaded(Int)
  /// It failed.
  case failed
  /// Its task was cancelled.
  case cancelled
}

/// Obtains new credentials with a refresh token.
public protocol AsyncCredentialsRefresher: Sendable {
  /// Requests new credentials from the back end.
  ///
  /// - Parameter refreshToken: The refresh token of the credentials to replace.
  /// - Throws: ``TokenEndpoint/Refused`` if the back end rejected the refresh token, or any other error if the refresh failed
  ///   for another reason, such as a lost connection.
  func refresh(with refreshToken: String) async throws -> Credentials
}

/// The answer to a request.
public typealias Response = (data: Data, head: HTTPURLResponse)

/// Whoever is asked next: the rest of the chain, and at its end the network.
public typealias Next = @Sendable (URLRequest) async throws -> Response

/// A decorator in its most general form: it gets a request and whoever is asked next, and answers.
public typealias Middleware = @Sendable (_ request: URLRequest, _ next: Next) async throws -> Response
