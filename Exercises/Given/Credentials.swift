/// What lets a user's requests in: a short-lived access token, and the refresh token that buys the next one.
public struct Credentials: Equatable, Sendable {
  /// Goes into every request, as `Authorization: Bearer <accessToken>` (RFC 6750, section 2.1).
  public var accessToken: String

  /// Goes to the token endpoint, and nowhere else.
  public var refreshToken: String

  /// The first moment at which the back end no longer takes the access token.
  public var expiresAt: Date

  public init(accessToken: String, refreshToken: String, expiresAt: Date) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expiresAt = expiresAt
  }
}

/// Keeps the credentials of the user who is signed in, as the keychain would.
///
/// Implementations may be read and written from any queue.
public protocol CredentialsStore: AnyObject {
  /// The credentials of the user who is signed in; `nil` when nobody is. Set it to store new ones, or to sign out.
  var credentials: Credentials? { get set }
}

/// Buys new credentials with a refresh token.
public protocol CredentialsRefresher {
  /// Asks the back end for new credentials.
  ///
  /// - Parameters:
  ///   - refreshToken: The refresh token of the credentials that have expired.
  ///   - completion: Called exactly once, on any queue: with credentials to use from now on, or with the error that kept
  ///     them from arriving.
  func refresh(with refreshToken: String, completion: @escaping (Result<Credentials, any Error>) -> Void)
}
