/// The back end's contract for refreshing credentials: OAuth 2.0, RFC 6749, sections 6 (request) and 5 (response).
///
/// Many servers also require a `client_id` from an app (section 3.2.1). Ours does not.
public enum TokenEndpoint {
  /// Makes the request that obtains new credentials.
  ///
  /// - Parameters:
  ///   - url: The URL of the token endpoint.
  ///   - refreshToken: The refresh token to send.
  /// - Returns: A `POST` with the form `grant_type=refresh_token&refresh_token=…` as its body.
  public static func refreshRequest(to url: URL, refreshToken: String) -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data("grant_type=refresh_token&refresh_token=\(formEncoded(refreshToken))".utf8)
    return request
  }

  /// Reads the endpoint's response.
  ///
  /// The lifetime `expires_in` is required here; section 5.1 only recommends it.
  ///
  /// - Parameters:
  ///   - data: The body of the response.
  ///   - response: The response. Only a response with status 200 contains credentials.
  ///   - refreshToken: The refresh token that was sent. It stays valid if the response contains no new one.
  ///   - now: The date from which the lifetime counts: the date of the request, or that of the response. With the date of the
  ///     request, the credentials never seem valid after they have expired. With the date of the response, they may seem valid
  ///     too long, by as much as the response took to arrive.
  /// - Returns: The new credentials.
  /// - Throws: ``Refused`` if the endpoint rejected the refresh token, ``Unavailable`` for any other status except 200, or a
  ///   `DecodingError` if the body of a 200 is malformed.
  public static func credentials(
    from data: Data, _ response: HTTPURLResponse, refreshToken: String, now: Date
  ) throws -> Credentials {
    guard response.statusCode == 200 else {
      throw isRefused(data) ? Refused() : Unavailable(statusCode: response.statusCode)
    }
    let body = try JSONDecoder().decode(Body.self, from: data)
    return Credentials(
      accessToken: body.accessToken,
      refreshToken: body.refreshToken ?? refreshToken,
      expiresAt: now.addingTimeInterval(body.secondsToExpiry)
    )
  }

  /// The endpoint rejected the refresh token: it has expired, or it was revoked. The user has to sign in again.
  ///
  /// This is the error `invalid_grant` (RFC 6749, section 5.2). The RFC sends it with status 400, and some servers with 401 or 403.
  public struct Refused: Error, Equatable, Sendable {
    public init() {}
  }

  /// The endpoint sent neither credentials nor a refusal. The same refresh token may work later.
  public struct Unavailable: Error, Equatable, Sendable {
    /// The HTTP status of the response.
    public let statusCode: Int

    /// - Parameter statusCode: The HTTP status of the response.
    public init(statusCode: Int) {
      self.statusCode = statusCode
    }
  }

  private static func isRefused(_ data: Data) -> Bool {
    (try? JSONDecoder().decode(ErrorBody.self, from: data))?.error == "invalid_grant"
  }

  private struct Body: Decodable {
    let accessToken: String
    let refreshToken: String?
    let secondsToExpiry: TimeInterval

    enum CodingKeys: String, CodingKey {
      case accessToken = "access_token"
      case refreshToken = "refresh_token"
      case secondsToExpiry = "expires_in"
    }
  }

  private struct ErrorBody: Decodable {
    let error: String
  }

  private static func formEncoded(_ text: String) -> String {
    let unreserved = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? text
  }
}
