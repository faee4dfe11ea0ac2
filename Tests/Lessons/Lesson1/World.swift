import Given
import TestSupport
import Testing

import class TestSupport.BlockListSpy
import class TestSupport.ClosureClient
import typealias TestSupport.HTTPResult
import class TestSupport.Inbox
import class TestSupport.ManualClock
import class TestSupport.Scenario
import class TestSupport.StubServer

@testable import Exercise1

/// Makes a client that forwards to a manager's `load`. The manager need not conform to the protocol.
func makeManager(
  _ server: StubServer, _ store: CredentialsStoreSpy, _ blockList: BlockListSpy, _ clock: ManualClock, _ leaks: LeakTracker
) -> any HTTPClient {
  let manager = HTTPManager(
    session: server.session, store: StoreRelay(to: store), blockList: BlockListRelay(to: blockList),
    refreshURL: server.url("/token"),
    now: { [clock] in clock.readDate() })
  leaks.track(manager as AnyObject)
  return ClosureClient(manager.load)
}

/// A manager's collaborators, with a server that belongs to one test, and what can happen to them.
final class World: Scenario {
  let server: StubServer
  let blockList = BlockListSpy()
  let clock = ManualClock()
  let store: CredentialsStoreSpy
  /// The manager that the events use.
  private lazy var sut: (any HTTPClient)? = makeSUT()
  /// How often the events have called it.
  private var calls = 0
  private let results = Inbox<String>()

  /// - Parameters:
  ///   - credentials: The signed-in user's credentials; `nil` if no one is signed in.
  ///   - queue: The queue on which the server responds, so that a response can load another request.
  init(credentials: Credentials? = .valid, respondingOn queue: DispatchQueue? = nil) {
    server = StubServer(respondingOn: queue)
    store = CredentialsStoreSpy(credentials)
    server.respond(to: "/articles", with: .response(200).marked("/articles"))
    server.respond(to: "/token", with: .renewedCredentials)
    let state = credentials.map {
      "The store holds \($0.accessToken) (refresh token: \($0.refreshToken)), which \($0.expiresAt > ManualClock().date ? "expires" : "expired") at \($0.expiresAt.inWords)."
    }
    super.init(setting: "It is 12:00:00.000. \(state ?? "No one is signed in.")")
  }

  /// Makes a client that forwards to a manager's `load`.
  func makeSUT() -> any HTTPClient {
    makeManager(server, store, blockList, clock, leaks)
  }

  /// A remark on the requests that the server has received, or nothing. Each of them, even a refresh, needs the time.
  var remark: String {
    clock.remark(on: server.paths, about: "/token", requiring: server.paths.count).map { " \($0)" } ?? ""
  }

  func request(_ path: String = "/articles") -> URLRequest {
    URLRequest(url: server.url(path))
  }

  /// Loads a request, waits for the result, and checks that the completion is called only once.
  ///
  /// - Parameters:
  ///   - request: The request to load; by default, a request for the articles.
  ///   - sut: The client to use; by default, a manager that nothing else retains, so that a weak reference loses the result.
  ///   - sourceLocation: The place to report failures at.
  @discardableResult
  func load(
    _ request: URLRequest? = nil, with sut: (any HTTPClient)? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> HTTPResult {
    try await server.load(request ?? self.request(), sourceLocation: sourceLocation) { request, completion in
      (sut ?? makeSUT()).load(request, completion: completion)
    }
  }

  override func observed() async -> [String] {
    server.requests.map { $0.url?.path == "/token" ? $0.refreshInWords.words : $0.asReceived } + results.values
      + store.writes.values.map { $0.map { "\($0.accessToken) is stored" } ?? "the store is emptied" }
      + Array(repeating: "the account is on the block list", count: blockList.blocks)
  }

  // Each request that is sent needs the time, and so does each refresh.
  override func remark(on differences: [String]) -> String? {
    let refreshes = server.paths.count { $0 == "/token" }
    return clock.remark(
      on: differences, about: "a refresh with", requiring: min(calls, server.paths.count - refreshes) + refreshes)
  }

  override func release() async { sut = nil }
}

// What can happen in a told story.
extension World {
  /// The app loads a request for the articles, and the back end responds.
  func load(
    _ kind: BackEndRequest.Kind, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    let request = BackEndRequest(kind: kind, path: "/articles")
    calls += 1
    await event("The app loads \(request.told).", leadsToAllOf: effects, at: place) {
      await perform("the app's call to `load`") { [sut, server, blockList, results] in
        sut?.load(request.made(for: server)) { result in
          // A block has to be on the list before the completion is called.
          let isEarly = result.failure as? HTTPClientError == .permanentlyBlocked && !blockList.isBlocked
          let receives = "\(request.path) receives \(result.inWords(from: request.path))"
          results.receive(receives + (isEarly ? " while the account is not on the block list" : ""))
        }
      }
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

  /// From now on, the back end responds to refreshes in a certain way.
  func respondToRefreshes(
    with response: StubServer.Response, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    await event("From now on, refreshes end with \(response.told).", leadsToAllOf: effects, at: place) {
      server.respond(to: "/token", with: response)
    }
  }

  /// Other credentials are stored.
  func signIn(
    with new: Credentials, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    await event(
      "The store holds \(new.accessToken) now, which expires at \(new.expiresAt.inWords).", leadsToAllOf: effects, at: place
    ) {
      store.stored = new
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

  /// Someone removes the account from the block list.
  func unblock(leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation) async {
    await event("The account is removed from the block list.", leadsToAllOf: effects, at: place) {
      blockList.isBlocked = false
    }
  }
}
