import Given
import TestSupport
import Testing

@testable import Exercise3

/// A client with a stubbed server.
struct Scene {
  let server: StubServer

  /// - Parameter queue: The queue to respond on: see ``StubServer``.
  init(respondingOn queue: DispatchQueue? = nil) {
    server = StubServer(respondingOn: queue)
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

/// The kinds of errors that a client may deliver.
enum Failure: CaseIterable {
  case blockedAccount, timeout, canceledRequest, canceledTask, fullDisk, noDescription

  var error: any Error {
    switch self {
    case .blockedAccount: HTTPClientError.permanentlyBlocked
    case .timeout: URLError(.timedOut)
    case .canceledRequest: URLError(.cancelled)
    case .canceledTask: CancellationError()
    case .fullDisk: NSError(domain: "Disk", code: 7, userInfo: [NSLocalizedDescriptionKey: "The disk is full."])
    case .noDescription: PlainError()
    }
  }

  private struct PlainError: Error {}
}
