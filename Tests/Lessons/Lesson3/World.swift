import Given
import TestSupport
import Testing

import typealias TestSupport.HTTPResult
import class TestSupport.StubServer

@testable import Exercise3

/// A client with a stubbed server.
struct World {
  let server: StubServer

  init() {
    server = StubServer()
    server.respond(to: "/articles", with: .articles)
  }

  func makeSUT() -> any HTTPClient {
    URLSessionHTTPClient(session: server.session)
  }

  func request(_ path: String = "/articles") -> URLRequest {
    URLRequest(url: server.url(path))
  }

  /// Loads a request with a client that only the request retains, and checks that there is exactly one result.
  func load(
    _ request: URLRequest? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> HTTPResult {
    try await server.load(request ?? self.request(), sourceLocation: sourceLocation) { request, completion in
      makeSUT().load(request, completion: completion)
    }
  }
}
