/// The back end's contract for refreshing credentials: OAuth 2.0, RFC 6749, sections 6 (the request) and 5.1 (the answer).
public enum TokenEndpoint {
  /// The request that buys new credentials.
  ///
  /// - Parameters:
  ///   - url: Where the token endpoint is.
  ///   - refreshToken: The refresh token to pay with.
  /// - Returns: A `POST` with the form `grant_type=refresh_token&refresh_token=…` as its body.
  public static func refreshRequest(to url: URL, refreshToken: String) -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data("grant_type=refresh_token&refresh_token=\(formEncoded(refreshToken))".utf8)
    return request
  }

  /// Reads the endpoint's answer.
  ///
  /// - Parameters:
  ///   - data: The body of the answer.
  ///   - response: Its head. Only status 200 brings credentials.
  ///   - refreshToken: The refresh token that was sent. It stays in use if the answer brings no new one.
  ///   - now: The time of the answer: the back end says for how many seconds the token is good.
  /// - Returns: The new credentials.
  /// - Throws: ``Refused`` for any other status; a `DecodingError` if the body is not what section 5.1 says.
  public static func credentials(
    from data: Data, _ response: HTTPURLResponse, refreshToken: String, now: Date
  ) throws -> Credentials {
    guard response.statusCode == 200 else { throw Refused(statusCode: response.statusCode) }
    let answer = try JSONDecoder().decode(Answer.self, from: data)
    return Credentials(
      accessToken: answer.accessToken,
      refreshToken: answer.refreshToken ?? refreshToken,
      expiresAt: now.addingTimeInterval(answer.secondsToExpiry)
    )
  }

  /// The token endpoint gave no credentials.
  public struct Refused: Error, Equatable, Sendable {
    /// The HTTP status that it answered with.
    public let statusCode: Int

    public init(statusCode: Int) {
      self.statusCode = statusCode
    }
  }

  private struct Answer: Decodable {
    let accessToken: String
    let refreshToken: String?
    let secondsToExpiry: TimeInterval

    enum CodingKeys: String, CodingKey {
      case accessToken = "access_token"
      case refreshToken = "refresh_token"
      case secondsToExpiry = "expires_in"
    }
  }

  private static func formEncoded(_ text: String) -> String {
    let unreserved = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? text
  }
}
