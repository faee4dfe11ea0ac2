import Given
import TestSupport
import Testing

@testable import Exercise6

// A solution may have a type of its own with this name.
typealias BackEnd = TestSupport.BackEnd

/// A factory and everything that it uses, with a server that belongs to one test and a journal of everything that happens.
struct World {
  let journal = Journal()
  let clock = ManualClock()
  let server: StubServer
  let store: CredentialsStoreSpy
  let blockList: BlockListSpy
  let factory: HTTPClientFactory

  /// - Parameters:
  ///   - credentials: The signed-in user's credentials; `nil` if no one is signed in.
  ///   - queue: The queue to respond on: see ``StubServer``.
  init(credentials: Credentials? = .valid, respondingOn queue: DispatchQueue? = nil) {
    store = CredentialsStoreSpy(credentials, journal: journal)
    blockList = BlockListSpy(journal: journal)
    server = StubServer(respondingOn: queue) { [journal] request in
      journal.add("server: \(request.url?.path == "/token" ? request.refreshInWords.words : request.asReceived)")
    }
    server.respond(to: "/articles", with: .articles)
    server.respond(to: "/token", with: .renewedCredentials)
    factory = HTTPClientFactory(
      session: server.session, store: store, refreshURL: server.url("/token"), blockList: blockList,
      log: JournalingLog(journal: journal), now: { [clock] in clock.readDate() },
      stopwatch: { [clock, journal] in
        journal.add("stopwatch: time?")
        return clock.now
      })
  }

  /// Makes the client for tests that do not choose an environment: the one with every decorator.
  func makeSUT() -> any HTTPClient {
    factory.makeClient(for: .debug)
  }

  /// A remark on the requests that the server has received, or nothing. Each of them, even a refresh, needs the time.
  var remark: String {
    clock.remark(on: server.paths, about: "/token", requiring: server.paths.count).map { " \($0)" } ?? ""
  }

  func request(_ path: String = "/articles") -> URLRequest {
    BackEndRequest(kind: .get, path: path).made(for: server)
  }

  /// Loads a request, waits for the result, and checks that the completion is called only once.
  ///
  /// - Parameters:
  ///   - request: The request to load; by default, a request for the articles.
  ///   - sut: The client to use; by default, one that nothing else retains, so that a weak reference loses the result.
  ///   - sourceLocation: The place to report failures at.
  @discardableResult
  func load(
    _ request: URLRequest? = nil, with sut: (any HTTPClient)? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> HTTPResult {
    try await server.load(
      request ?? self.request(), suspicion: "Does the refresh wait for itself?", sourceLocation: sourceLocation
    ) { request, completion in
      (sut ?? makeSUT()).load(request, completion: completion)
    }
  }
}

/// The arguments of `makeClient`.
struct ClientKind: Sendable {
  let environment: HTTPClientFactory.Environment
  /// Whether the client blocks accounts; `nil` for the default.
  var blocksAccounts: Bool?

  /// A factory may know other environments, too. The page says nothing about them.
  static let environments: [HTTPClientFactory.Environment] = [.debug, .production, .guest]
  static let (debug, production, guest) = (Self(environment: .debug), Self(environment: .production), Self(environment: .guest))

  var told: String {
    "a \(environment) client" + (blocksAccounts.map { $0 ? " (with blocking)" : " (without blocking)" } ?? "")
  }

  func make(with factory: HTTPClientFactory) -> any HTTPClient {
    if let blocksAccounts {
      factory.makeClient(for: environment, blocksAccounts: blocksAccounts)
    } else {
      factory.makeClient(for: environment)
    }
  }
}
