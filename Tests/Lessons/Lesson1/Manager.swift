import Given
import ManagerUnderTest
import TestSupport
import Testing

import class ManagerUnderTest.App
import class ManagerUnderTest.ManagerRun
import class TestSupport.ClosureClient
import typealias TestSupport.HTTPResult

@testable import Exercise1

extension App {
  /// Makes a client that forwards to a manager's `load`. The manager need not conform to the protocol.
  func makeManager(tracking leaks: LeakTracker? = nil) -> any HTTPClient {
    let manager = HTTPManager(
      session: server.session, store: StoreRelay(to: store), blockList: BlockListRelay(to: blockList),
      refreshURL: server.url("/token"), now: { [clock] in clock.date })
    leaks?.track(manager as AnyObject)
    return ClosureClient(manager.load)
  }

  /// Loads a request, by default one for the articles, with a manager that nothing else retains, and waits for the one result.
  @discardableResult
  func load(_ request: URLRequest? = nil, sourceLocation: SourceLocation = #_sourceLocation) async throws -> HTTPResult {
    try await load(request, with: makeManager(), sourceLocation: sourceLocation)
  }
}

/// Requests that the app loads with a manager.
final class RunOfTheManager: ManagerRun {
  override func makeClient(_ index: Int) -> (any HTTPClient)? { app.makeManager(tracking: leaks) }

  /// What the back end and the caller receive, in any order: the rest is up to the manager.
  override func observable(_ trace: ManagerModel.Trace) -> [String] {
    var entries = trace.entries.filter { $0.hasPrefix("server: ") || $0.hasPrefix("caller: ") }
    // Of two requests, the second may share the refresh of the first, or repeat it.
    let refreshes = entries.indices.filter { entries[$0].hasPrefix("server: a refresh with") }
    if trace.path == nil, refreshes.count == 2, entries[refreshes[0]] == entries[refreshes[1]] {
      entries.remove(at: refreshes[1])
    }
    return entries
  }
}
