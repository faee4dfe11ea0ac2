import Given
import TestSupport
import Testing

@testable import Exercise1

// A solution may have a type of its own with this name.
typealias BackEnd = TestSupport.BackEnd

/// A manager's collaborators, with a server that belongs to one test.
struct World {
  let server: StubServer
  let blockList = BlockListSpy()
  let clock = ManualClock()
  let store: CredentialsStoreSpy

  /// - Parameters:
  ///   - credentials: The signed-in user's credentials; `nil` if no one is signed in.
  ///   - queue: The queue on which the server responds, so that a response can load another request.
  init(credentials: Credentials? = .valid, respondingOn queue: DispatchQueue? = nil) {
    server = StubServer(respondingOn: queue)
    store = CredentialsStoreSpy(credentials)
    server.respond(to: "/articles", with: .articles)
    server.respond(to: "/token", with: .renewedCredentials)
  }

  /// Makes a client that forwards to a manager's `load`. The manager need not conform to the protocol.
  func makeSUT() -> any HTTPClient {
    let manager = HTTPManager(
      session: server.session, store: StoreRelay(to: store), blockList: BlockListRelay(to: blockList),
      refreshURL: server.url("/token"),
      now: { [clock] in clock.readDate() })
    return ClosureClient(manager.load)
  }

  /// A remark on the requests that the server has received, or nothing. Each of them, even a refresh, needs the time.
  var remark: String {
    clock.remark(on: server.paths, about: "/token", requiring: server.paths.count).map { " \($0)" } ?? ""
  }

  func request(_ path: String = "/articles") -> URLRequest {
    URLRequest(url: server.url(path))
  }

  /// Loads a request, waits for the result, and checks that the completion is called only once.
  ///
  /// - Parameters:
  ///   - request: The request to load; by default, a request for the articles.
  ///   - sut: The client to use; by default, a manager that nothing else retains, so that a weak reference loses the result.
  ///   - sourceLocation: The place to report failures at.
  @discardableResult
  func load(
    _ request: URLRequest? = nil, with sut: (any HTTPClient)? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> HTTPResult {
    try await server.load(request ?? self.request(), sourceLocation: sourceLocation) { request, completion in
      (sut ?? makeSUT()).load(request, completion: completion)
    }
  }
}
