import Given
import TestSupport
import Testing

/// Plays a short story about a client: see ``ShortStory``. When its events are over, everything should be released.
///
/// - Parameters:
///   - subject: The client that the story is about.
///   - isBlocked: Whether the account is on the list at first.
///   - rule: The rule that the story shows, as a sentence for the learner.
///   - sourceLocation: The source location of issues.
///   - events: What happens.
func story(
  _ subject: Subject, isBlocked: Bool = false, _ rule: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ events: (Scene) async -> Void
) async {
  await expectReleased(
    "All requests are complete, but something still retains the client or a completion. Check what your closures capture.",
    sourceLocation: sourceLocation
  ) { leaks in
    let scene = Scene(Stage(subject, isBlocked: isBlocked, leaks), subject, rule)
    await events(scene)
    if await !scene.end(sourceLocation) { leaks.forget() }
  }
}

/// A stage, and a story that is told on it.
final class Scene {
  private let stage: Stage
  private let short: ShortStory
  /// Whether the account is on the list, as far as the story has told.
  private let isBlocked: Locked<Bool>

  fileprivate init(_ stage: Stage, _ subject: Subject, _ rule: String) {
    let isBlocked = Locked(stage.blockList.isBlocked)
    (self.stage, self.isBlocked) = (stage, isBlocked)
    let account = "The account is \(stage.blockList.isBlocked ? "" : "not ")on the block list."
    let setting =
      switch subject {
      case .blocking: account
      case .logging: "The log is empty."
      case .blockOutside, .loggerOutside: "The stack is `\(subject)`. \(account)"
      }
    short = ShortStory(rule, setting: setting, remarking: stage.remark) {
      stage.observed + (stage.blockList.isBlocked && !isBlocked.withLock { $0 } ? ["the account is on the block list"] : [])
    }
  }

  /// The app loads a request.
  ///
  /// - Parameters:
  ///   - path: The path and the query.
  ///   - isRelative: Whether the URL is relative to another one.
  ///   - method: The method.
  ///   - next: The path of another request, which the completion loads.
  ///   - seconds: The time that the completion takes.
  ///   - effects: What it leads to.
  ///   - place: The source location of issues.
  func load(
    _ path: String, relative isRelative: Bool = false, as method: String = "GET", then next: String? = nil,
    completionTaking seconds: TimeInterval = 0,
    leadsTo effects: String..., at place: SourceLocation = #_sourceLocation
  ) async {
    let sentence =
      "The app loads \(method == "GET" ? "" : "\(method) ")\(path)\(isRelative ? ", with a URL relative to https://example.com/" : "")."
      + (next.map { " The completion of this load will load \($0)." } ?? "")
      + (seconds > 0 ? " The completion of this load will take \(seconds) seconds." : "")
    var request = URLRequest.story(path)
    if isRelative { request.url = URL(string: String(path.dropFirst()), relativeTo: URL(string: "https://example.com/")) }
    request.httpMethod = method
    await short.play(sentence, leadingTo: effects, sourceLocation: place) {
      await stage.load(request, then: next.map(URLRequest.story), callerTakes: seconds)
    }
  }

  /// The oldest request in flight that has a path gets a result.
  func request(
    _ path: String, gets result: HTTPResult, leadsTo effects: String..., at place: SourceLocation = #_sourceLocation
  ) async {
    let requests = stage.calls.arguments
    let equal = stage.calls.unfinished.filter { requests[$0].name == path }
    let index = equal.first ?? requests.count
    let which = equal.count > 1 ? "the first \(path)" : path
    await short.play("The client completes \(which) with \(result.inDetail).", leadingTo: effects, sourceLocation: place) {
      await stage.end(index, with: result)
    }
  }

  func pass(seconds: TimeInterval) {
    short.tell("\(seconds) seconds pass.")
    stage.clock.advance(by: seconds)
  }

  /// Someone else adds the account to the list, or another user signs in, who is not on it.
  func setBlocked(_ isBlocked: Bool) {
    short.tell(isBlocked ? "The account is added to the block list." : "A user whose account is not on the block list signs in.")
    self.isBlocked.withLock { $0 = isBlocked }
    stage.blockList.isBlocked = isBlocked
  }

  func release() {
    short.tell("The app releases the decorator. Only the requests in flight still need it.")
    stage.release()
  }

  /// Checks that nothing else happens, and releases everything.
  ///
  /// - Returns: Whether the story has not gone wrong.
  fileprivate func end(_ place: SourceLocation) async -> Bool {
    await mainQueueDrained()
    await short.play("Nothing else happens.", leadingTo: [], sourceLocation: place) {}
    stage.release()
    return !short.hasFailed
  }
}
