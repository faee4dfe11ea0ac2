import Given
import TestSupport
import Testing

/// Plays a short story about a screen: see ``ShortStory``. When the events are over, the screen should be released.
///
/// - Parameters:
///   - rule: The rule that the story shows, as a sentence for the learner.
///   - sourceLocation: The source location of issues.
///   - events: What happens.
func story(
  _ rule: String, sourceLocation: SourceLocation = #_sourceLocation, _ events: (ScreenScene) async -> Void
) async {
  await expectReleased(
    "The user has left the screen, but something still retains it. Look for a stored closure that captures `self` strongly.",
    sourceLocation: sourceLocation
  ) { leaks in
    let scene = ScreenScene(Screens(leaks), rule)
    await events(scene)
    await scene.end()
  }
}

/// Screens, and a story about the first of them.
struct ScreenScene {
  private let screens: Screens
  private let short: ShortStory

  fileprivate init(_ screens: Screens, _ rule: String) {
    self.screens = screens
    short = ShortStory(rule, setting: "The user has opened no screen yet.") { screens.observed }
  }

  /// The user opens the screen.
  ///
  /// - Parameters:
  ///   - path: The path and the query of its URL.
  ///   - ending: How its request ends before the client's `load` returns; `nil` if it ends later.
  ///   - effects: What it leads to.
  ///   - place: The source location of issues.
  func open(
    _ path: String = "/articles", immediately ending: Screens.Ending? = nil, leadsTo effects: String...,
    at place: SourceLocation = #_sourceLocation
  ) async {
    await play(effects, place) { await screens.open(URL(string: "https://example.com\(path)")!, immediately: ending) }
  }

  /// The request ends.
  func end(_ ending: Screens.Ending, leadsTo effects: String..., at place: SourceLocation = #_sourceLocation) async {
    await play(effects, place) { await screens.end(0, with: ending, isOnMainQueue: true) }
  }

  /// The user leaves the screen.
  func leave(leadsTo effects: String..., at place: SourceLocation = #_sourceLocation) async {
    await play(effects, place) { await screens.leave(0) }
  }

  fileprivate func end() async {
    if short.hasFailed { screens.leaks.forget() }
    for index in screens.visible { _ = await screens.leave(index) }
    // A request in flight may retain the screen, except where that is what the story is about.
    for index in screens.unfinished { _ = await screens.end(index, with: .failure(.canceled), isOnMainQueue: true) }
  }
  private func play(_ effects: [String], _ place: SourceLocation, _ event: () async -> String) async {
    guard !short.hasFailed else { return }
    await short.play(await event(), leadingTo: effects, sourceLocation: place) {}
  }
}
