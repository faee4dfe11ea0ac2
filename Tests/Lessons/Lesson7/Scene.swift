import Given
import TestSupport
import Testing

/// Plays a short story about the decorators: see ``ShortStory``. When its events are over, everything should be released.
///
/// - Parameters:
///   - rule: The rule that the story shows, as a sentence for the learner.
///   - sourceLocation: The source location of issues.
///   - events: What happens.
func story(_ rule: String, sourceLocation: SourceLocation = #_sourceLocation, _ events: (Scene) async -> Void) async {
  await expectReleased(
    "All loads have ended, but something is still retained. What do your closures capture, and what do your objects store?",
    sourceLocation: sourceLocation
  ) { leaks in
    let scene = Scene(rule, leaks)
    await events(scene)
    if await !scene.end(sourceLocation) { leaks.forget() }
  }
}

/// An app that loads with the decorators, and a short story about it. Loads are counted from 1.
final class Scene {
  private let stage: Stage
  private let short: ShortStory

  fileprivate init(_ rule: String, _ leaks: LeakTracker) {
    let stage = Stage(leaks)
    self.stage = stage
    short = ShortStory(rule, setting: "Each of the app's four loaders is decorated.") { stage.observed }
  }

  /// The app starts a load, which should reach the service before the call returns.
  ///
  /// - Parameters:
  ///   - kind: What to load.
  ///   - early: How and where the load ends before the call returns; `nil` if it ends later.
  ///   - isCanceled: Whether the app cancels the load before the main queue runs anything else.
  ///   - afterCancel: What the load does when it is canceled.
  ///   - effects: What else this leads to.
  ///   - place: The source location of issues.
  func load(
    _ kind: Kind, endingEarly early: Early? = nil, thenCanceled isCanceled: Bool = false,
    afterCancel: Loads.AfterCancel = .endsSilently, leadsTo effects: String..., at place: SourceLocation = #_sourceLocation
  ) async {
    let request = "load \(stage.loads.count + 1) requests \(kind.inWords(FeedImage.cat.url))"
    let plan = Stage.Plan(kind: kind, early: early, afterCancel: afterCancel, isCanceled: isCanceled)
    await short.play(leadingTo: [request] + effects, sourceLocation: place) { await stage.load(plan) }
  }

  /// A load ends. If it should be canceled, the app cancels it before the main queue runs anything else.
  func end(
    _ number: Int, with ending: Ending = .value, on place: Place, thenCancel isCanceled: Bool = false, leadsTo effects: String...,
    at sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await short.play(leadingTo: effects, sourceLocation: sourceLocation) {
      guard stage.loads.open.contains(number - 1) else { return "Load \(number) would end now, but it is no longer in flight." }
      return await stage.end([number - 1], with: ending, at: place, then: isCanceled ? .cancel(number - 1) : nil)
    }
  }

  func cancel(_ number: Int, leadsTo effects: String..., at place: SourceLocation = #_sourceLocation) async {
    await short.play(leadingTo: effects, sourceLocation: place) { await stage.cancel(number - 1) }
  }

  func releaseTask(_ number: Int) {
    short.tell(stage.releaseTask(number - 1))
  }

  func release() {
    short.tell(stage.release())
  }

  /// Checks that nothing else happens, and releases everything.
  ///
  /// - Returns: Whether the story has not gone wrong.
  fileprivate func end(_ place: SourceLocation) async -> Bool {
    await mainQueueDrained()
    await short.play("Nothing else happens.", leadingTo: [], sourceLocation: place) {}
    if !short.hasFailed {
      stage.releaseTasks()
      _ = stage.release()
    }
    return !short.hasFailed && stage.loads.open.isEmpty
  }
}
