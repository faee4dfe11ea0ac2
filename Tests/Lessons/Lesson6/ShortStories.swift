import Given
import TestSupport
import Testing

/// Plays a short story about a client and its back end: see ``ShortStory``.
///
/// - Parameters:
///   - credentials: The stored credentials; `nil` if no one is signed in.
///   - rule: The rule that the story shows, as a sentence for the learner.
///   - events: What happens.
func story(_ credentials: Credentials?, _ rule: String, _ events: (Play) async -> Void) async {
  await events(Play(credentials, rule))
}

/// A client, everything that it uses, and a story about it.
final class Play {
  let scene: Scene
  let short: ShortStory
  private lazy var sut = scene.makeSUT()
  private let calls = Inbox<Void>()
  private let results = Inbox<String>()

  /// - Parameters:
  ///   - credentials: The stored credentials; `nil` if no one is signed in.
  ///   - rule: The rule that the story shows, as a sentence for the learner.
  ///   - observed: A closure that returns what a scene shows, if the story is not about requests, results, and what is stored.
  init(_ credentials: Credentials?, _ rule: String, observing observed: ((Scene) -> [String])? = nil) {
    scene = Scene(credentials: credentials)
    let start = scene.clock.date
    let setting = credentials.map {
      "The store holds \($0.accessToken) (refresh token: \($0.refreshToken)), which \($0.expiresAt > start ? "expires" : "expired") at \($0.expiresAt.inWords)."
    }
    // Each request that is sent needs the time, and so does each refresh.
    let remark = { [scene, calls] (differences: [String]) in
      let paths = scene.server.paths
      let refreshes = paths.count { $0 == "/token" }
      return scene.clock.remark(
        on: differences, about: "a refresh with", requiring: min(calls.values.count, paths.count - refreshes) + refreshes)
    }
    let now = "It is 12:00:00.000."
    short = ShortStory(rule, setting: "\(now) \(setting ?? "No one is signed in.")", remarking: remark) { [scene, results] in
      if let observed { return observed(scene) }
      return scene.server.requests.map { $0.url?.path == "/token" ? $0.refreshInWords.words : $0.inWords } + results.values
        + scene.store.writes.values.map { $0.map { "\($0.accessToken) is stored" } ?? "the store is emptied" }
        + Array(repeating: "the account is on the block list", count: scene.blockList.blocks)
    }
    backEnd(responds: .response(200))
  }

  /// The app loads a request, and the back end responds.
  ///
  /// - Parameters:
  ///   - kind: What is special about the request.
  ///   - effects: What it leads to.
  ///   - place: The source location of issues.
  func load(
    _ kind: BackEndRequest.Kind = .get, leadsTo effects: String..., at place: SourceLocation = #_sourceLocation
  ) async {
    let request = BackEndRequest(kind: kind, path: "/articles")
    await short.play("The app loads \(request.told).", leadingTo: effects, sourceLocation: place) {
      await perform("the app's call to `load`") { [sut, scene, calls, results] in
        calls.receive(())
        sut.load(request.made(for: scene.server)) { result in
          // A block has to be on the list before the completion is called.
          let isEarly = result.failure as? HTTPClientError == .permanentlyBlocked && !scene.blockList.isBlocked
          let receives = "\(request.path) receives \(result.inFull(from: request.path))"
          results.receive(receives + (isEarly ? " while the account is not on the block list" : ""))
        }
      }
    }
  }

  /// From now on, the back end responds to requests in a certain way.
  func backEnd(responds response: StubServer.Response) {
    if case .response(200, _, _) = response {
    } else {
      short.tell("From now on, every request except a refresh ends with \(response.told).")
    }
    scene.server.respond(to: "/articles", with: response.marked("/articles"))
  }

  /// From now on, the back end responds to refreshes in a certain way.
  func tokenEndpoint(responds response: StubServer.Response) {
    short.tell("From now on, refreshes end with \(response.told).")
    scene.server.respond(to: "/token", with: response)
  }

  /// Other credentials are stored.
  func store(_ credentials: Credentials) {
    short.tell("The store holds \(credentials.accessToken) now, which expires at \(credentials.expiresAt.inWords).")
    scene.store.stored = credentials
  }

  func pass(seconds: TimeInterval) {
    scene.clock.advance(by: seconds)
    short.tell("\(seconds) seconds pass. It is \(scene.clock.date.inWords).")
  }

  /// Someone changes the block list.
  func blockList(hasAccount isBlocked: Bool) {
    short.tell("The account is \(isBlocked ? "added to" : "removed from") the block list.")
    scene.blockList.isBlocked = isBlocked
  }
}

// These copies have to be equal: Lesson1/ShortStories.swift, Lesson6/ShortStories.swift.
