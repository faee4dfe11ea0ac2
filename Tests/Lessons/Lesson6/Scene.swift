import Given
import TestSupport
import Testing

@testable import Exercise6

/// A factory and everything that its clients talk to, with a server of its own. What happens there is written down in a journal.
struct Scene {
  let journal = Journal()
  let server: StubServer
  let blockList = BlockListSpy()
  let log = Inbox<HTTPLogRecord>()
  let clock = ManualClock()
  let store: CredentialsStoreSpy

  /// - Parameter credentials: Of the user who is signed in; `nil` when nobody is.
  init(credentials: Credentials? = .valid) {
    store = CredentialsStoreSpy(credentials)
    server = StubServer { [journal] request in
      journal.add("server: \(request.httpMethod ?? "") \(request.url?.path ?? "")")
    }
    server.answer("/articles", with: .articles)
    server.answer("/token", with: .renewedCredentials)
  }

  /// The client that is asked unless the test says otherwise: the one with everything.
  func makeSUT() -> any HTTPClient {
    makeFactory().makeClient(for: .debug)
  }

  func makeFactory() -> HTTPClientFactory {
    HTTPClientFactory(
      session: server.session, store: JournalingStore(decoratee: store, journal: journal), refreshURL: server.url("/token"),
      blockList: JournalingBlockList(decoratee: blockList, journal: journal),
      log: JournalingLog(decoratee: log, journal: journal), now: { [clock] in clock.date },
      stopwatch: { [clock, journal] in
        journal.add("stopwatch: read")
        return clock.now
      })
  }

  func request(_ path: String = "/articles") -> URLRequest {
    URLRequest(url: server.url(path))
  }

  /// Loads a request, waits for the answer, and checks that there is exactly one.
  ///
  /// - Parameters:
  ///   - request: What to load: the articles, unless the test says otherwise.
  ///   - sut: Which client to ask: one that nobody keeps, unless the test says otherwise. No answer may get lost for that.
  @discardableResult
  func load(
    _ request: URLRequest? = nil, with sut: (any HTTPClient)? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> HTTPResult {
    try await server.load(
      request ?? self.request(), suspicion: "does the refresh wait for itself?", sourceLocation: sourceLocation
    ) { request, completion in
      (sut ?? makeSUT()).load(request) { [journal] result in
        journal.add("caller: \(result.inWords)")
        completion(result)
      }
    }
  }

  /// Loads a request, and tells everything that happened between the call and its answer, in the order in which it happened.
  func trace(
    _ request: URLRequest? = nil, with sut: any HTTPClient, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [String] {
    try await load(request, with: sut, sourceLocation: sourceLocation)
    return journal.entries
  }
}

/// Checks what happened against what should have, and names the first difference.
///
/// - Parameters:
///   - trace: What happened: see ``Scene/trace(_:with:sourceLocation:)``.
///   - expected: What should have.
///   - meaning: What that trace shows, as a sentence to the learner.
///   - sourceLocation: Where to report.
func expect(_ trace: [String], is expected: [String], _ meaning: String, sourceLocation: SourceLocation = #_sourceLocation) {
  let same = zip(trace, expected).prefix { $0 == $1 }.count
  let (found, wanted) = (trace.dropFirst(same).first, expected.dropFirst(same).first)
  #expect(
    trace == expected,
    """
    \(meaning) Entry \(same + 1) of the trace is \(found.map { "\"\($0)\"" } ?? "missing"), and should \
    \(wanted.map { "be \"\($0)\"" } ?? "not be there").\
    \(wanted == "server: POST /token" ? " The refresh goes out here, through a client that has nothing around it." : "")
    """, sourceLocation: sourceLocation)
}

extension HTTPResult {
  fileprivate var inWords: String {
    switch self {
    case .success((_, let response)): "\(response.statusCode)"
    case .failure(let error): "\(error)"
    }
  }
}
