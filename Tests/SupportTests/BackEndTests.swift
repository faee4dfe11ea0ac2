import Given
import Testing

@Suite("The back end's rules")
struct BackEndTests {
  private let url = URL(string: "https://example.com/token")!

  @Test("the refresh request is a form with percent-encoded values")
  func refreshRequest() {
    let request = TokenEndpoint.refreshRequest(to: url, refreshToken: "a&b=c+d é")

    #expect(request.httpMethod == "POST")
    #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
    #expect(request.httpBody == Data("grant_type=refresh_token&refresh_token=a%26b%3Dc%2Bd%20%C3%A9".utf8))
  }

  @Test("the lifetime counts from now, and a missing refresh token means the old one")
  func credentials() throws {
    let now = Date(timeIntervalSinceReferenceDate: 100)

    let kept = try TokenEndpoint.credentials(
      from: Data(#"{"access_token": "a", "expires_in": 900}"#.utf8), response(200), refreshToken: "old", now: now)
    let replaced = try TokenEndpoint.credentials(
      from: Data(#"{"access_token": "a", "expires_in": 900, "refresh_token": "new"}"#.utf8), response(200),
      refreshToken: "old", now: now)

    let expiresAt = Date(timeIntervalSinceReferenceDate: 1000)
    #expect(kept == Credentials(accessToken: "a", refreshToken: "old", expiresAt: expiresAt))
    #expect(replaced == Credentials(accessToken: "a", refreshToken: "new", expiresAt: expiresAt))
  }

  @Test("the error invalid_grant refuses the refresh token, whatever the status", arguments: [400, 401, 403])
  func refused(status: Int) {
    #expect(throws: TokenEndpoint.Refused()) {
      try TokenEndpoint.credentials(
        from: Data(#"{"error": "invalid_grant"}"#.utf8), response(status), refreshToken: "old",
        now: Date(timeIntervalSinceReferenceDate: 0))
    }
  }

  @Test(
    "any other failure leaves the refresh token valid",
    arguments: [
      (400, #"{"error": "invalid_request"}"#), (400, ""), (401, ""), (403, ""), (500, ""),
      (201, #"{"access_token": "a", "expires_in": 900}"#),
    ])
  func unavailable(status: Int, body: String) {
    #expect(throws: TokenEndpoint.Unavailable(statusCode: status)) {
      try TokenEndpoint.credentials(
        from: Data(body.utf8), response(status), refreshToken: "old", now: Date(timeIntervalSinceReferenceDate: 0))
    }
  }

  private func response(_ status: Int) -> HTTPURLResponse {
    HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)!
  }
}
