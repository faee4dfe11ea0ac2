import Given
import TestSupport
import Testing

@testable import Exercise6

/// A factory's collaborators, with a server that belongs to one test and a journal of everything that happens.
struct Scene {
  let journal = Journal()
  let server: StubServer
  let blockList: BlockListSpy
  let log = Inbox<HTTPLogRecord>()
  let clock = ManualClock()
  let store: CredentialsStoreSpy

  /// - Parameters:
  ///   - credentials: The signed-in user's credentials; `nil` if no one is signed in.
  ///   - queue: The queue to respond on: see ``StubServer``.
  init(credentials: Credentials? = .valid, respondingOn queue: DispatchQueue? = nil) {
    store = CredentialsStoreSpy(credentials, journal: journal)
    blockList = BlockListSpy(journal: journal)
    server = StubServer(respondingOn: queue) { [journal] request in
      journal.add("server: \(request.httpMethod ?? "") \(request.url?.path ?? "")")
    }
    server.respond(to: "/articles", with: .articles)
    server.respond(to: "/token", with: .renewedCredentials)
  }

  /// Makes the client for tests that do not choose an environment: the one with every decorator.
  func makeSUT() -> any HTTPClient {
    makeFactory().makeClient(for: .debug)
  }

  func makeFactory() -> HTTPClientFactory {
    HTTPClientFactory(
      session: server.session, store: store, refreshURL: server.url("/token"), blockList: blockList,
      log: ClosureLog { [journal, log] record in
        switch record.outcome {
        case .status(let status): journal.add("log: \(record.path) \(status)")
        case .error: journal.add("log: \(record.path) error")
        }
        log.add(record)
      }, now: { [clock] in clock.date },
      stopwatch: { [clock, journal] in
        journal.add("stopwatch: read")
        return clock.now
      })
  }

  func request(_ path: String = "/articles") -> URLRequest {
    URLRequest(url: server.url(path))
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
      request ?? self.request(), suspicion: "does the refresh wait for itself?", sourceLocation: sourceLocation
    ) { request, completion in
      (sut ?? makeSUT()).load(request) { [journal] result in
        journal.add("caller: \(result.inWords)")
        completion(result)
      }
    }
  }

  /// Loads a request, and returns everything that has happened by the time its completion is called, in order.
  func trace(
    _ request: URLRequest? = nil, with sut: any HTTPClient, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [String] {
    try await load(request, with: sut, sourceLocation: sourceLocation)
    return journal.entries
  }

  /// Loads five requests simultaneously, each on its own thread, and checks that they share one refresh.
  func expectSharedRefresh(with sut: any HTTPClient, sourceLocation: SourceLocation = #_sourceLocation) async {
    let results = Inbox<Void>()
    let request = request()
    // Every client can be used from any thread, but the protocol's type does not say so.
    nonisolated(unsafe) let sut = sut
    await finished(on: .background, "`load` never returned. Look for code that waits.", sourceLocation: sourceLocation) {
      DispatchQueue.concurrentPerform(iterations: 5) { _ in
        sut.load(request) { _ in results.receive(()) }
      }
    }

    let isComplete = await results.receives(5)
    let refreshes = server.paths.filter { $0 == "/token" }.count
    let requests = server.paths.count - refreshes
    #expect(
      isComplete, "Five requests were loaded, but only \(results.values.count) completed. Check that every call completes.",
      sourceLocation: sourceLocation)
    #expect(
      requests == 5, "The server should receive each of the five requests once, but received \(requests).",
      sourceLocation: sourceLocation)
    #expect(
      refreshes == 1,
      """
      Five requests with expired credentials should share one refresh, but there were \(refreshes). Make the decorators once \
      for each client, not once for each request.
      """, sourceLocation: sourceLocation)
  }
}

/// Compares a trace with the expected one, and reports the first difference.
///
/// - Parameters:
///   - trace: What happened: see ``Scene/trace(_:with:sourceLocation:)``.
///   - expected: What should have happened.
///   - meaning: What the expected trace shows, as a sentence for the learner.
///   - sourceLocation: The place to report failures at.
func expect(_ trace: [String], is expected: [String], _ meaning: String, sourceLocation: SourceLocation = #_sourceLocation) {
  guard trace != expected else { return }
  let same = zip(trace, expected).prefix { $0 == $1 }.count
  let (found, wanted) = (trace.dropFirst(same).first, expected.dropFirst(same).first)
  Issue.record(
    """
    \(meaning) Entry \(same + 1) of the trace is \(found.map { "\"\($0)\"" } ?? "missing"), but should \
    \(wanted.map { "be \"\($0)\"" } ?? "not be there").\
    \(wanted == "server: POST /token" ? " Send the refresh through a client without decorators." : "")
    expected: \(expected.joined(separator: " → "))
    observed: \(trace.joined(separator: " → "))
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
