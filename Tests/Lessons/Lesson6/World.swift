import Given
import TestSupport
import Testing

import struct TestSupport.BackEndRequest
import class TestSupport.BlockListSpy
import typealias TestSupport.HTTPResult
import class TestSupport.Inbox
import class TestSupport.ManualClock
import class TestSupport.Scenario
import class TestSupport.StubServer

@testable import Exercise6

/// Makes a factory whose clients read the time from a clock. Everything that they use writes to a journal.
func makeFactory(
  _ server: StubServer, _ store: CredentialsStoreSpy, _ blockList: BlockListSpy, _ clock: ManualClock, _ journal: Journal
) -> HTTPClientFactory {
  HTTPClientFactory(
    session: server.session, store: store, refreshURL: server.url("/token"), blockList: blockList,
    log: JournalingLog(journal: journal), now: { [clock] in clock.readDate() },
    stopwatch: { [clock, journal] in
      journal.add("stopwatch: time?")
      return clock.now
    })
}

/// A factory and everything that it uses, with a server that belongs to one test and a journal of everything that happens; clients
/// that the factory makes, and what can happen to them.
final class World: Scenario {
  let journal = Journal()
  let clock = ManualClock()
  let server: StubServer
  let store: CredentialsStoreSpy
  let blockList: BlockListSpy
  let factory: HTTPClientFactory
  private let kinds: [ClientKind]
  /// The clients that the events use.
  private let clients: [any HTTPClient]

  /// - Parameters:
  ///   - credentials: The signed-in user's credentials; `nil` if no one is signed in.
  ///   - kinds: The clients that the events use.
  init(credentials: Credentials? = .valid, clients kinds: ClientKind...) {
    let store = CredentialsStoreSpy(credentials, journal: journal)
    let blockList = BlockListSpy(journal: journal)
    let server = StubServer(journal: journal)
    server.respond(to: "/articles", with: .response(200).marked("/articles"))
    server.respond(to: "/token", with: .renewedCredentials)
    let factory = makeFactory(server, store, blockList, clock, journal)
    (self.server, self.store, self.blockList, self.factory) = (server, store, blockList, factory)
    self.kinds = kinds
    clients = kinds.map { $0.make(with: factory) }
    let state = "It is 12:00:00.000. The store holds \(credentials.inWords)."
    super.init(setting: ([state] + kinds.map { "The factory makes \($0.inWords)." }).joined(separator: " "))
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

  override func observed() async -> [String] {
    journal.traces.filter { !$0.isEmpty }.map { trace($0) }
  }
}

// What can happen in a told story.
extension World {
  /// A client loads a request for the articles, and the back end responds.
  ///
  /// - Parameters:
  ///   - kind: The request.
  ///   - index: The client.
  ///   - entries: The trace that the request leaves.
  ///   - place: The source location of issues.
  func load(
    _ kind: BackEndRequest.Kind, client index: Int = 0, traced entries: [String], at place: SourceLocation = #_sourceLocation
  ) async {
    let request = BackEndRequest(kind: kind, path: "/articles")
    let sentence = "The\(kinds[index].inWords.dropFirst()) loads \(request.told)."
    await event(sentence, leadsToAllOf: [trace(entries)], at: place) {
      let result = Inbox<Void>()
      journal.beginTrace()
      await perform("the app's call to `load`") { [clients, server, journal] in
        clients[index].load(request.made(for: server)) {
          journal.add("caller: \($0.inWords(from: request.path))")
          result.receive(())
        }
      }
      await result.receives(1)
    }
  }

  /// From now on, the back end responds to requests in a certain way.
  func respond(
    with response: StubServer.Response, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    await event("From now on, every request except a refresh ends with \(response.told).", leadsToAllOf: effects, at: place) {
      server.respond(to: "/articles", with: response.marked("/articles"))
    }
  }

  /// From now on, the server rejects the token that is valid in the story's first credentials.
  func revokeToken(leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation) async {
    await event("From now on, a request with valid-token ends with 401.", leadsToAllOf: effects, at: place) {
      server.respond(to: "/articles") {
        StubServer.Response.response($0.sentToken == Credentials.valid.accessToken ? 401 : 200).marked("/articles")
      }
    }
  }

  func pass(
    seconds: TimeInterval, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    let end = clock.date + seconds
    await event("\(seconds) seconds pass. It is \(end.inWords).", leadsToAllOf: effects, at: place) {
      clock.advance(by: seconds)
    }
  }

  /// Someone adds the account to the block list.
  func block(leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation) async {
    await event("The account is added to the block list.", leadsToAllOf: effects, at: place) {
      blockList.isBlocked = true
    }
  }
}

/// The entries of a trace as one observation, so that their order matters.
private func trace(_ entries: [String]) -> String { entries.map { "\n    \($0)" }.joined() }

/// The arguments of `makeClient`.
struct ClientKind: Sendable {
  let environment: HTTPClientFactory.Environment
  /// Whether the client blocks accounts; `nil` for the default.
  var blocksAccounts: Bool?

  /// A factory may know other environments, too. The page says nothing about them.
  static let environments: [HTTPClientFactory.Environment] = [.debug, .production, .guest]
  static let (debug, production, guest) = (Self(environment: .debug), Self(environment: .production), Self(environment: .guest))

  var inWords: String {
    "a \(environment) client" + (blocksAccounts.map { $0 ? " (with blocking)" : " (without blocking)" } ?? "")
  }

  func make(with factory: HTTPClientFactory) -> any HTTPClient {
    if let blocksAccounts {
      factory.makeClient(for: environment, blocksAccounts: blocksAccounts)
    } else {
      factory.makeClient(for: environment)
    }
  }

  var isGuest: Bool { if case .guest = environment { true } else { false } }
  var isBlocking: Bool { !isGuest && blocksAccounts ?? true }
  var isLogging: Bool { if case .production = environment { false } else { true } }
}

extension Credentials? {
  var inWords: String {
    map { "\($0.accessToken), which expires at \($0.expiresAt.inWords)" } ?? "nothing"
  }
}
