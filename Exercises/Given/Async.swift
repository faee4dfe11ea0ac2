// The protocols of the earlier lessons, with async functions instead of completions. Lesson 9 and Middleware use them.

/// Provides the profile.
public protocol AsyncProfileService: Sendable {
  /// Gets the signed-in user's profile.
  ///
  /// - Throws: An error if the profile could not be loaded. If the task is canceled, a `CancellationError` or the network's own
  ///   error.
  func profile() async throws -> Profile
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

/// How long a request took, and how it ended.
public struct Timing: Sendable {
  /// The time from the beginning of the request to its end.
  public let duration: Duration
  /// The error that ended the request, even if it was canceled; `nil` if there was a response.
  public let error: (any Error)?

  public init(duration: Duration, error: (any Error)?) {
    self.duration = duration
    self.error = error
  }
}
