import Given
import TestSupport
import Testing

/// A client, everything that it uses, and requests that an app loads with it.
final class RequestStory: StoryWorld {
  enum Event: Sendable {
    /// The app loads a request, and the back end responds.
    case load(BackEndRequest.Kind = .get)
    /// From now on, the back end responds to requests in a certain way.
    case backEnd(responds: StubServer.Response)
    /// From now on, the back end responds to refreshes in a certain way.
    case tokenEndpoint(responds: StubServer.Response)
    /// Other credentials are stored.
    case store(Credentials)
    case pass(seconds: TimeInterval)
    /// Someone changes the block list.
    case blockList(hasAccount: Bool)
  }

  let world: World
  let leaks = LeakTracker()
  private lazy var sut = world.makeSUT()
  private let calls = Inbox<Void>()
  private let results = Inbox<String>()
  private let first: Credentials?

  /// - Parameter credentials: The stored credentials; `nil` if no one is signed in.
  init(_ credentials: Credentials?) {
    first = credentials
    world = World(credentials: credentials)
    world.server.respond(to: "/articles", with: .response(200).marked("/articles"))
  }

  var setting: [String] {
    let state = first.map {
      "The store holds \($0.accessToken) (refresh token: \($0.refreshToken)), which \($0.expiresAt > ManualClock().date ? "expires" : "expired") at \($0.expiresAt.inWords)."
    }
    return ["It is 12:00:00.000.", state ?? "No one is signed in."]
  }

  var observed: [String] {
    world.server.requests.map { $0.url?.path == "/token" ? $0.refreshInWords.words : $0.asReceived } + results.values
      + world.store.writes.values.map { $0.map { "\($0.accessToken) is stored" } ?? "the store is emptied" }
      + Array(repeating: "the account is on the block list", count: world.blockList.blocks)
  }

  // Each request that is sent needs the time, and so does each refresh.
  func remark(on differences: [String]) -> String? {
    let paths = world.server.paths
    let refreshes = paths.count { $0 == "/token" }
    return world.clock.remark(
      on: differences, about: "a refresh with", requiring: min(calls.values.count, paths.count - refreshes) + refreshes)
  }

  func play(_ event: Event) async -> String? {
    switch event {
    case .load(let kind): return await load(BackEndRequest(kind: kind, path: "/articles"))
    case .backEnd(let response):
      world.server.respond(to: "/articles", with: response.marked("/articles"))
      return "From now on, every request except a refresh ends with \(response.told)."
    case .tokenEndpoint(let response):
      world.server.respond(to: "/token", with: response)
      return "From now on, refreshes end with \(response.told)."
    case .store(let credentials):
      world.store.stored = credentials
      return "The store holds \(credentials.accessToken) now, which expires at \(credentials.expiresAt.inWords)."
    case .pass(let seconds):
      world.clock.advance(by: seconds)
      return "\(seconds) seconds pass. It is \(world.clock.date.inWords)."
    case .blockList(let isBlocked):
      world.blockList.isBlocked = isBlocked
      return "The account is \(isBlocked ? "added to" : "removed from") the block list."
    }
  }

  private func load(_ request: BackEndRequest) async -> String {
    await perform("the app's call to `load`") { [sut, world, calls, results] in
      calls.receive(())
      sut.load(request.made(for: world.server)) { result in
        // A block has to be on the list before the completion is called.
        let isEarly = result.failure as? HTTPClientError == .permanentlyBlocked && !world.blockList.isBlocked
        let receives = "\(request.path) receives \(result.inFull(from: request.path))"
        results.receive(receives + (isEarly ? " while the account is not on the block list" : ""))
      }
    }
    return "The app loads \(request.told)."
  }
}
