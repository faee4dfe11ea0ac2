/// What authorizes a user's requests: a short-lived access token, and the refresh token that obtains the next one.
public struct Credentials: Equatable, Sendable {
  /// Sent with every request as `Authorization: Bearer <accessToken>` (RFC 6750, section 2.1).
  public var accessToken: String

  /// Sent to the token endpoint, and nowhere else.
  public var refreshToken: String

  /// The first moment at which the back end rejects the access token.
  public var expiresAt: Date

  /// Creates credentials.
  ///
  /// - Parameters:
  ///   - accessToken: The token for requests.
  ///   - refreshToken: The token for the next refresh.
  ///   - expiresAt: The first moment at which the access token is no longer valid.
  public init(accessToken: String, refreshToken: String, expiresAt: Date) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expiresAt = expiresAt
  }
}

/// Holds the current user's credentials, as the keychain would.
///
/// A store can be used from any queue. Its members return without delay and never call back into their caller, so a caller
/// may hold a lock while it uses them. A store that tells others about changes does so later, from another queue.
public protocol CredentialsStore: AnyObject {
  /// The credentials of the signed-in user; `nil` if no one is signed in. Assign credentials to sign in, or `nil` to
  /// sign out.
  var credentials: Credentials? { get set }

  /// Replaces credentials, if they're still the stored ones.
  ///
  /// The comparison and the replacement are one step: no one can sign in or out between them.
  ///
  /// - Parameters:
  ///   - old: The credentials to replace.
  ///   - new: The credentials to store instead.
  /// - Returns: Whether the store held `old`, and therefore holds `new` now. If not, the store is unchanged.
  func replace(_ old: Credentials, with new: Credentials) -> Bool
}

/// Obtains new credentials with a refresh token, and can be used from any queue.
public protocol CredentialsRefresher {
  /// Requests new credentials from the back end.
  ///
  /// - Parameters:
  ///   - refreshToken: The refresh token of the credentials to replace.
  ///   - completion: A closure that receives the new credentials or an error: ``TokenEndpoint/Refused`` if the back end
  ///     rejected the refresh token, or any other error if the refresh failed for another reason, such as a lost connection.
  ///     Called exactly once, on any queue, before or after this method returns.
  func refresh(with refreshToken: String, completion: @escaping (Result<Credentials, any Error>) -> Void)
}
