import Given
import TestSupport
import Testing

import typealias TestSupport.HTTPResult

@testable import Exercise6

/// What a factory's clients use: a server that belongs to one test, a store, a block list, and a clock.
///
/// You cannot look inside a stack of decorators. But the server, the store, the block list, the log, and the stopwatch write to
/// the same journal.
final class App {
  /// What has happened, in this order.
  let journal = Inbox<String>()
  let clock = ManualClock()
  /// Receives an element whenever a client reads the date. How often one does so is left open, so this is not in the journal.
  let clockReads = Inbox<Void>()
  let server: StubServer
  let store: CredentialsStoreSpy
  let blockList: BlockListSpy

  /// - Parameters:
  ///   - credentials: The signed-in user's credentials; `nil` if no one is signed in.
  ///   - queue: The queue on which the server responds, so that a response can wait for something.
  init(_ credentials: Credentials? = .valid, respondingOn queue: DispatchQueue? = nil) {
    let journal = journal
    store = CredentialsStoreSpy(
      credentials, afterRead: { journal.receive("store: credentials?") },
      beforeWrite: { journal.receive("store: \($0?.accessToken ?? "nothing")") })
    blockList = BlockListSpy(
      onRead: { journal.receive("block list: blocked?") }, onBlock: { journal.receive("block list: block") })
    server = StubServer(respondingOn: queue) { journal.receive("server: \($0.asReceived)") }
    server.respond(to: "/articles", with: .response(200))
    server.respond(to: "/token", with: .renewedCredentials)
  }

  /// A request for the articles, or for another path.
  func request(_ path: String = "/articles") -> URLRequest { URLRequest(url: server.url(path)) }

  /// Makes a factory whose clients read the time from the clock.
  ///
  /// - Parameter leaks: Tracks the objects that the factory receives, and that nothing else retains.
  func makeFactory(tracking leaks: LeakTracker = LeakTracker()) -> HTTPClientFactory {
    HTTPClientFactory(
      session: server.session, store: leaks.track(StoreRelay(to: store), as: "the store"), refreshURL: server.url("/token"),
      blockList: leaks.track(BlockListRelay(to: blockList), as: "the block list"),
      log: leaks.track(JournalingLog(journal: journal), as: "the log"),
      now: { [clock, clockReads] in
        clockReads.receive(())
        return clock.date
      },
      stopwatch: { [clock, journal] in
        journal.receive("stopwatch: time?")
        return clock.now
      })
  }

  /// Makes a client.
  ///
  /// - Parameters:
  ///   - environment: The environment.
  ///   - blocksAccounts: Whether the client blocks accounts; `nil` for the default.
  ///   - factory: The factory; by default, a new one, which nothing retains.
  func client(
    _ environment: HTTPClientFactory.Environment, blocksAccounts: Bool? = nil, from factory: HTTPClientFactory? = nil
  ) -> any HTTPClient {
    let factory = factory ?? makeFactory()
    guard let blocksAccounts else { return factory.makeClient(for: environment) }
    return factory.makeClient(for: environment, blocksAccounts: blocksAccounts)
  }

  /// Loads a request, waits for the result, and checks that the completion is called only once.
  ///
  /// - Parameters:
  ///   - request: The request to load; by default, a request for the articles.
  ///   - client: The client; by default, one that has every layer, and that nothing else retains, so that a weak reference loses the
  ///     result.
  ///   - sourceLocation: The source location of issues.
  @discardableResult
  func load(
    _ request: URLRequest? = nil, with client: (any HTTPClient)? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> HTTPResult {
    try await server.load(request ?? self.request(), sourceLocation: sourceLocation) {
      (client ?? self.client(.debug)).load($0, completion: $1)
    }
  }

  /// Loads a request, and returns its trace: what the journal says about it, and what its caller receives.
  ///
  /// How often a client reads the store is left open, so a trace has the first read only.
  ///
  /// - Parameters:
  ///   - request: The request to load; by default, a request for the articles.
  ///   - client: The client. If it is made here, nothing else retains it, so that a weak reference loses the result.
  func trace(of request: URLRequest? = nil, through client: @autoclosure () -> any HTTPClient) async -> [String] {
    let (results, begin) = (Inbox<Void>(), journal.values.count)
    client().load(request ?? self.request()) { [journal] in
      journal.receive("caller: \($0.told)")
      results.receive(())
    }
    await results.receives(1)
    await server.settled()
    let trace = journal.values.dropFirst(begin)
    let firstRead = trace.firstIndex(of: "store: credentials?")
    return trace.indices.filter { trace[$0] != "store: credentials?" || $0 == firstRead }.map { trace[$0] }
  }
}

/// A log that adds an entry to the journal for each record.
private final class JournalingLog: HTTPLog {
  private let journal: Inbox<String>

  init(journal: Inbox<String>) {
    self.journal = journal
  }

  func add(_ record: HTTPLogRecord) {
    let outcome =
      switch record.outcome {
      case .status(let status): "\(status)"
      case .error(let domain, let code): "\(domain) \(code)"
      }
    journal.receive("log: \(record.method) \(record.path) \(outcome), \(record.duration / .seconds(1)) seconds")
  }
}

extension URLRequest {
  /// The request, as the server receives it.
  fileprivate var asReceived: String {
    if url?.path == "/token" {
      let token = String(decoding: httpBody ?? Data(), as: UTF8.self).split(separator: "=").last ?? ""
      return "a refresh with \(token) starts" + (authorization == nil ? "" : ", with an access token")
    }
    return "\(httpMethod ?? "") \(url?.path ?? "") is sent with \(sentToken ?? "no token")"
  }
}

extension HTTPResult {
  /// The status and the body of a response, or the error.
  var told: String {
    guard let (data, _) = try? get(), !data.isEmpty else { return inWords }
    return "\(inWords) \(String(decoding: data, as: UTF8.self))"
  }
}
