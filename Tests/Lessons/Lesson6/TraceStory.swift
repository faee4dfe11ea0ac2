import Given
import TestSupport
import Testing

/// The clients of one factory, and requests that an app loads with them. What is observed is the trace of each request.
final class TraceStory: StoryWorld {
  enum Event: Sendable {
    /// A client loads a request, and the back end responds.
    case load(BackEndRequest.Kind = .get, client: Int = 0)
    /// From now on, the back end responds to requests in a certain way.
    case backEnd(responds: StubServer.Response)
    /// From now on, the server rejects the token that is valid in the story's first credentials.
    case revokeToken
    case pass(seconds: TimeInterval)
    /// Someone changes the block list.
    case blockList(hasAccount: Bool)
  }

  let leaks = LeakTracker()
  private let world: World
  private let clients: [(any HTTPClient, name: String)]
  private let kinds: [ClientKind]

  /// - Parameters:
  ///   - credentials: The stored credentials; `nil` if no one is signed in.
  ///   - kinds: The clients that the factory makes.
  init(_ credentials: Credentials?, _ kinds: ClientKind...) {
    world = World(credentials: credentials)
    self.kinds = kinds
    clients = kinds.map { [world] in ($0.make(with: world.factory), "The\($0.told.dropFirst())") }
    world.server.respond(to: "/articles", with: .response(200).marked("/articles"))
  }

  var setting: [String] {
    ["It is 12:00:00.000. The store holds \(world.store.stored.inWords)."] + kinds.map { "The factory makes \($0.told)." }
  }

  var observed: [String] { world.journal.traces.filter { !$0.isEmpty }.map { trace($0) } }

  func play(_ event: Event) async -> String? {
    switch event {
    case .load(let kind, let index): return await load(BackEndRequest(kind: kind, path: "/articles"), with: clients[index])
    case .backEnd(let response):
      world.server.respond(to: "/articles", with: response.marked("/articles"))
      return "From now on, every request except a refresh ends with \(response.told)."
    case .revokeToken:
      world.server.respond(to: "/articles") {
        StubServer.Response.response($0.sentToken == Credentials.valid.accessToken ? 401 : 200).marked("/articles")
      }
      return "From now on, a request with valid-token ends with 401."
    case .pass(let seconds):
      world.clock.advance(by: seconds)
      return "\(seconds) seconds pass. It is \(world.clock.date.inWords)."
    case .blockList(let isBlocked):
      world.blockList.isBlocked = isBlocked
      return "The account is \(isBlocked ? "added to" : "removed from") the block list."
    }
  }

  private func load(_ request: BackEndRequest, with client: (any HTTPClient, name: String)) async -> String {
    let (journal, result) = (world.journal, Inbox<Void>())
    journal.beginTrace()
    await perform("the app's call to `load`") { [world] in
      client.0.load(request.made(for: world.server)) {
        journal.add("caller: \($0.inFull(from: request.path))")
        result.receive(())
      }
    }
    await result.receives(1)
    return "\(client.name) loads \(request.told)."
  }
}

extension Scene<TraceStory> {
  /// Lets an event happen, and checks that it leads to one trace.
  func play(_ event: TraceStory.Event, traced entries: [String], at place: SourceLocation = #_sourceLocation) async {
    await play(event, leadsToAllOf: [trace(entries)], at: place)
  }
}

/// The entries of a trace as one observation, so that their order matters.
func trace(_ entries: [String]) -> String { entries.map { "\n    \($0)" }.joined() }
