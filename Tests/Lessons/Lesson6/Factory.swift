import Given
import ManagerUnderTest
import TestSupport
import Testing

import class ManagerUnderTest.App
import struct ManagerUnderTest.BackEndRequest
import class ManagerUnderTest.JournalingLog
import typealias TestSupport.HTTPResult
import class TestSupport.Inbox

@testable import Exercise6

extension App {
  /// Makes a factory whose clients read the time from the clock. Everything that they use writes to the journal.
  func makeFactory() -> HTTPClientFactory {
    HTTPClientFactory(
      session: server.session, store: store, refreshURL: server.url("/token"), blockList: blockList,
      log: JournalingLog(journal: journal), now: { [clock] in clock.date },
      stopwatch: { [clock, journal] in
        journal.add("stopwatch: time?")
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

  /// Loads a request, by default one for the articles, with the client that has every layer. Nothing else retains that client.
  @discardableResult
  func load(_ request: URLRequest? = nil, sourceLocation: SourceLocation = #_sourceLocation) async throws -> HTTPResult {
    try await load(request, with: client(.debug), sourceLocation: sourceLocation)
  }

  /// Loads a request for the articles, and returns its trace: what the journal says about it, and what its caller receives.
  ///
  /// - Parameters:
  ///   - kind: The request.
  ///   - client: The client. If it is made here, nothing else retains it, so that a weak reference loses the result.
  func trace(
    of kind: BackEndRequest.Kind = .get, through client: @autoclosure () -> any HTTPClient
  ) async -> [String] {
    let results = Inbox<Void>()
    journal.beginTrace()
    client().load(BackEndRequest(kind).made(for: server)) { [journal] in
      journal.add("caller: \($0.inWords(from: "/articles"))")
      results.receive(())
    }
    await results.receives(1)
    await server.settled()
    return journal.traces.last ?? []
  }
}
