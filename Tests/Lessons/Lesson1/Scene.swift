import Given
import TestSupport
import Testing

@testable import Exercise1

/// A manager and everything that it talks to, with a server of its own.
struct Scene {
  let server = StubServer()
  let blockList = BlockListSpy()
  let clock = ManualClock()
  let store: CredentialsStoreSpy

  /// - Parameter credentials: Of the user who is signed in; `nil` when nobody is.
  init(credentials: Credentials? = .valid) {
    store = CredentialsStoreSpy(credentials)
    server.answer("/articles", with: .articles)
    server.answer("/token", with: .renewedCredentials)
  }

  func makeSUT() -> HTTPManager {
    HTTPManager(
      session: server.session, store: store, blockList: blockList, refreshURL: server.url("/token"),
      now: { [clock] in clock.date })
  }

  /// The subject's `load`, for tests that make several calls.
  func makeLoad() -> (URLRequest, @escaping HTTPClient.Completion) -> Void {
    makeSUT().load
  }

  func request(_ path: String = "/articles") -> URLRequest {
    URLRequest(url: server.url(path))
  }

  /// Loads a request, waits for the answer, and checks that there is exactly one.
  ///
  /// - Parameters:
  ///   - request: What to load: the articles, unless the test says otherwise.
  ///   - sut: Which manager to ask: one that nobody keeps, unless the test says otherwise. No answer may get lost for that.
  @discardableResult
  func load(
    _ request: URLRequest? = nil, with sut: HTTPManager? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Result<(Data, HTTPURLResponse), any Error> {
    try await server.answer(to: request ?? self.request(), sourceLocation: sourceLocation) { request, completion in
      (sut ?? makeSUT()).load(request, completion: completion)
    }
  }
}

extension Credentials {
  /// Good for another hour on a new clock.
  static let valid = Credentials(
    accessToken: "valid-access-token", refreshToken: "valid-refresh-token",
    expiresAt: ManualClock().date.addingTimeInterval(3600))

  /// Expired a minute ago on a new clock.
  static let expired = Credentials(
    accessToken: "expired-access-token", refreshToken: "old-refresh-token",
    expiresAt: ManualClock().date.addingTimeInterval(-60))

  /// What a refresh brings when the clock has not moved: see `renewedCredentials`.
  static let renewed = Credentials(
    accessToken: "new-access-token", refreshToken: "new-refresh-token",
    expiresAt: ManualClock().date.addingTimeInterval(900))
}

extension StubServer.Answer {
  static let renewedCredentials = Self.response(
    200,
    body: Data(
      #"{"access_token": "new-access-token", "refresh_token": "new-refresh-token", "expires_in": 900}"#.utf8))

  static let permanentBlock = Self.response(403, body: Data(#"{"error": "permanently_blocked"}"#.utf8))
}

extension URLRequest {
  var authorization: String? {
    value(forHTTPHeaderField: "Authorization")
  }
}
