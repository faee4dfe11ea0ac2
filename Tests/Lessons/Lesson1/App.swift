import Given
import TestSupport
import Testing

import class TestSupport.ClosureClient
import typealias TestSupport.HTTPResult

@testable import Exercise1

/// What a manager uses: a server that belongs to one test, a store, a block list, and a clock.
final class App {
  let clock = ManualClock()
  let server: StubServer
  let store: CredentialsStoreSpy
  let blockList = BlockListSpy()

  /// - Parameters:
  ///   - credentials: The signed-in user's credentials; `nil` if no one is signed in.
  ///   - queue: The queue on which the server responds, so that a response can wait for something.
  init(_ credentials: Credentials? = .valid, respondingOn queue: DispatchQueue? = nil) {
    store = CredentialsStoreSpy(credentials)
    server = StubServer(respondingOn: queue)
    server.respond(to: "/articles", with: .response(200))
    server.respond(to: "/token", with: .renewedCredentials)
  }

  /// A request for the articles, or for another path.
  func request(_ path: String = "/articles") -> URLRequest {
    var request = URLRequest(url: server.url(path))
    request.setValue("de-DE", forHTTPHeaderField: "Accept-Language")
    (request.cachePolicy, request.timeoutInterval) = (.returnCacheDataElseLoad, 7)
    return request
  }

  /// Makes a client that forwards to a manager's `load`. The manager need not conform to the protocol.
  func makeManager(tracking leaks: LeakTracker? = nil) -> any HTTPClient {
    let manager = HTTPManager(
      session: server.session, store: StoreRelay(to: store), blockList: BlockListRelay(to: blockList),
      refreshURL: server.url("/token"), now: { [clock] in clock.date })
    leaks?.track(manager as AnyObject)
    return ClosureClient(manager.load)
  }

  /// Loads a request, waits for the result, and checks that the completion is called only once.
  ///
  /// - Parameters:
  ///   - request: The request to load; by default, a request for the articles.
  ///   - manager: The manager; by default, one that nothing else retains, so that a weak reference loses the result.
  ///   - sourceLocation: The source location of issues.
  @discardableResult
  func load(
    _ request: URLRequest? = nil, with manager: (any HTTPClient)? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> HTTPResult {
    try await server.load(request ?? self.request(), sourceLocation: sourceLocation) {
      (manager ?? makeManager()).load($0, completion: $1)
    }
  }
}
