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

  /// A manager's `load`, as a client: tests that other lessons share do not know whose it is.
  func makeSUT() -> any HTTPClient {
    let manager = HTTPManager(
      session: server.session, store: store, blockList: blockList, refreshURL: server.url("/token"),
      now: { [clock] in clock.date })
    return ClosureClient(manager.load)
  }

  func request(_ path: String = "/articles") -> URLRequest {
    URLRequest(url: server.url(path))
  }

  /// Loads a request, waits for the answer, and checks that there is exactly one.
  ///
  /// - Parameters:
  ///   - request: What to load: the articles, unless the test says otherwise.
  ///   - sut: Whom to ask: a manager that nobody keeps, unless the test says otherwise. No answer may get lost for that.
  @discardableResult
  func load(
    _ request: URLRequest? = nil, with sut: (any HTTPClient)? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> HTTPResult {
    try await server.load(request ?? self.request(), sourceLocation: sourceLocation) { request, completion in
      (sut ?? makeSUT()).load(request, completion: completion)
    }
  }
}
