import Given

extension Credentials {
  /// Credentials that expire one hour after the initial date of a `ManualClock`.
  public static let valid = valid(for: 3600)

  /// Credentials that expire some seconds after the initial date of a `ManualClock`.
  public static func valid(for seconds: TimeInterval) -> Credentials {
    Credentials(
      accessToken: "valid-token", refreshToken: "refresh-1", expiresAt: ManualClock().date.addingTimeInterval(seconds))
  }

  /// Credentials that expired one minute before the initial date of a `ManualClock`.
  public static let expired = Credentials(
    accessToken: "old-token", refreshToken: "refresh-1", expiresAt: ManualClock().date.addingTimeInterval(-60))

  /// The new credentials from a refresh at the initial date of a `ManualClock`.
  public static let renewed = Credentials(
    accessToken: "new-token", refreshToken: "refresh-2", expiresAt: ManualClock().date.addingTimeInterval(900))
}

extension StubServer.Response {
  /// The token endpoint's response with ``Credentials/renewed``.
  public static let renewedCredentials = Self.response(
    200, body: Data(#"{"access_token": "new-token", "refresh_token": "refresh-2", "expires_in": 900}"#.utf8))

  /// The token endpoint's response that rejects the refresh token.
  public static let refusedRefresh = Self.response(400, body: Data(#"{"error": "invalid_grant"}"#.utf8))

  /// The response that blocks the account permanently.
  public static let permanentBlock = Self.response(403, body: Data(#"{"error": "permanently_blocked"}"#.utf8))
}

extension URLRequest {
  /// The value of the header field `Authorization`.
  public var authorization: String? {
    value(forHTTPHeaderField: "Authorization")
  }

  /// The bearer token that the request carries, or the whole header field if it holds anything else; `nil` if there is none.
  public var sentToken: String? {
    authorization.map { $0.hasPrefix("Bearer ") ? String($0.dropFirst("Bearer ".count)) : "`Authorization: \($0)`" }
  }
}
