// The protocols of the earlier lessons, with async functions instead of completions. Lesson 9 uses them.

/// Provides the profile.
public protocol AsyncProfileService: Sendable {
  /// Gets the signed-in user's profile.
  ///
  /// - Throws: An error if the profile could not be loaded. If the task is canceled, a `CancellationError` or the network's own
  ///   error.
  func profile() async throws -> Profile
}

/// Loads the feed.
public protocol AsyncFeedLoader: Sendable {
  /// Loads the feed.
  ///
  /// - Throws: An error if the feed could not be loaded. If the task is canceled, a `CancellationError` or the network's own
  ///   error.
  func feed() async throws -> [FeedImage]
}

/// Stores the most recent feed on the device.
public protocol FeedCache: Sendable {
  /// Reads the most recently saved feed.
  ///
  /// - Returns: The feed; `nil` if none has been saved.
  /// - Throws: An error if the cache cannot be read.
  func saved() async throws -> [FeedImage]?

  /// Saves a feed, which replaces the previous one.
  ///
  /// - Parameter feed: The feed to save.
  /// - Throws: An error if the cache cannot be written.
  func save(_ feed: [FeedImage]) async throws
}

/// Records how loads ended.
public protocol LoadLog: Sendable {
  /// Adds an event.
  func add(_ event: LoadEvent)
}

/// How a load ended.
public enum LoadEvent: Equatable, Sendable {
  /// It succeeded, with this number of items.
  case loaded(Int)
  /// It failed.
  case failed
  /// Its task was canceled.
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

/// The response to a request: its body and its head.
public typealias Response = (data: Data, head: HTTPURLResponse)

/// The rest of the chain, with the network at its end.
public typealias Next = @Sendable (URLRequest) async throws -> Response

/// A decorator in its most general form: a function of a request and the rest of the chain.
public typealias Middleware = @Sendable (_ request: URLRequest, _ next: Next) async throws -> Response
