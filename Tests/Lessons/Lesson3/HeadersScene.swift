import Given
import TestSupport
import Testing

/// Plays a short story about decorators around a client: see ``ShortStory``.
///
/// When the events are over, the app releases the decorators, and the requests that are still in flight end: the first one with
/// a response, the second one with an error. Then everything should be released.
///
/// - Parameters:
///   - layers: The decorators. The first is the innermost one.
///   - rule: The rule that the story shows, as a sentence for the learner.
///   - sourceLocation: The source location of issues.
///   - events: What happens.
func story(
  _ layers: Layer..., rule: String, sourceLocation: SourceLocation = #_sourceLocation, _ events: (HeadersScene) async -> Void
) async {
  await expectReleased(
    "All requests are complete, but something still retains the client. Look for a stored closure that captures `self`.",
    sourceLocation: sourceLocation
  ) { leaks in
    let scene = HeadersScene(Stack(layers, leaks), rule)
    await events(scene)
    await scene.end(sourceLocation)
    if scene.short.hasFailed { leaks.forget() }
  }
}

/// Decorators around a client, and a story about them.
struct HeadersScene {
  private let stack: Stack
  fileprivate let short: ShortStory

  fileprivate init(_ stack: Stack, _ rule: String) {
    self.stack = stack
    short = ShortStory(rule, setting: stack.setting.joined(separator: " ")) { stack.observed }
  }

  /// The app loads a request.
  func load(_ request: URLRequest, leadsTo effects: String..., at place: SourceLocation = #_sourceLocation) async {
    await play(effects, place) { await stack.load(request) }
  }

  /// The client responds to the oldest request in flight.
  func respond(_ status: Int, leadsTo effects: String..., at place: SourceLocation = #_sourceLocation) async {
    await play(effects, place) { await stack.end(stack.unfinished[0], with: .success(status), isOnMainQueue: false) }
  }

  fileprivate func end(_ place: SourceLocation) async {
    short.tell(stack.release())
    for index in stack.unfinished {
      let ending: Stack.Ending = index == 0 ? .success(404) : .failure(.timedOut)
      let path = stack.path(of: index)
      await play([ending.result(for: path).received(for: path)], place) {
        await stack.end(index, with: ending, isOnMainQueue: false)
      }
    }
  }

  private func play(_ effects: [String], _ place: SourceLocation, _ event: () async -> String) async {
    guard !short.hasFailed else { return }
    await short.play(await event(), leadingTo: effects, sourceLocation: place) {}
  }
}
