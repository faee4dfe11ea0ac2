import Given
import TestSupport
import Testing

/// What a manager uses: a server that belongs to one test, a store, a block list, a clock, and a journal of what happens to them.
public final class App {
  public let journal = Journal()
  public let clock = ManualClock()
  public let server: StubServer
  public let store: CredentialsStoreSpy
  public let blockList: BlockListSpy

  /// - Parameters:
  ///   - credentials: The signed-in user's credentials; `nil` if no one is signed in.
  ///   - queue: The queue on which the server responds, so that a response can wait for something.
  public init(_ credentials: Credentials? = .valid, respondingOn queue: DispatchQueue? = nil) {
    store = CredentialsStoreSpy(credentials, journal: journal)
    blockList = BlockListSpy(journal: journal)
    server = StubServer(respondingOn: queue, journal: journal)
    server.respond(to: "/articles", with: .response(200).marked("/articles"))
    server.respond(to: "/token", with: .renewedCredentials)
  }

  /// A request for the articles, or for another path.
  public func request(_ path: String = "/articles") -> URLRequest {
    BackEndRequest(.get, path).made(for: server)
  }

  /// Loads a request, waits for the result, and checks that the completion is called only once.
  ///
  /// - Parameters:
  ///   - request: The request to load; by default, a request for the articles.
  ///   - client: The client to use. If it is made here, nothing else retains it, so that a weak reference loses the result.
  ///   - sourceLocation: The place to report failures at.
  @discardableResult
  public func load(
    _ request: URLRequest? = nil, with client: @autoclosure () -> any HTTPClient,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> HTTPResult {
    try await server.load(request ?? self.request(), sourceLocation: sourceLocation) { client().load($0, completion: $1) }
  }
}
