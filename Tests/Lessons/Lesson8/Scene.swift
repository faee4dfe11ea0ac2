import Given
import TestSupport
import Testing

/// Plays a short story about loads: see ``ShortStory``. When its events are over, everything should be released.
///
/// - Parameters:
///   - subject: What the story is about.
///   - rule: The rule that the story shows, as a sentence for the learner.
///   - sourceLocation: The source location of issues.
///   - events: What happens.
func story(
  _ subject: Stage.Subject, _ rule: String, sourceLocation: SourceLocation = #_sourceLocation, _ events: (Scene) async -> Void
) async {
  await expectReleased(
    "All loads have ended, but something still retains the loader, the service, or the screen.", sourceLocation: sourceLocation
  ) { leaks in
    let scene = Scene(Stage(subject, leaks), subject, rule)
    await events(scene)
    if await !scene.end(sourceLocation) { leaks.forget() }
  }
}

/// A stage, and a story that is told on it.
final class Scene {
  private let stage: Stage
  private let short: ShortStory
  private var loads = 0

  fileprivate init(_ stage: Stage, _ subject: Stage.Subject, _ rule: String) {
    self.stage = stage
    short = ShortStory(rule, setting: subject.inWords, remarking: stage.remark) { stage.observed }
  }

  /// A load begins. If it is to be canceled, the back end ignores that.
  func load(
    _ what: Stage.Loaded, canceled isCanceled: Bool = false, leadsTo effects: String...,
    at place: SourceLocation = #_sourceLocation
  ) async {
    let cancellation = isCanceled ? ["the cancellation of load \(loads + 1) reaches the back end"] : []
    loads += 1
    await short.play(leadingTo: effects + cancellation, sourceLocation: place) {
      await stage.load(what, isCanceled: isCanceled, ignoresCancels: isCanceled)
    }
  }

  /// A load ends. Its number counts from 1.
  func end(
    _ number: Int, with ending: LoadEnding, leadsTo effects: String..., at place: SourceLocation = #_sourceLocation
  ) async {
    await end(number, with: ending, leadsTo: effects, at: place)
  }

  func end(
    _ number: Int, with ending: LoadEnding, leadsTo effects: [String], at place: SourceLocation = #_sourceLocation
  ) async {
    await short.play(leadingTo: effects, sourceLocation: place) { await stage.end(number - 1, with: ending) }
  }

  func pass(seconds: TimeInterval) {
    short.tell(stage.advance(by: seconds))
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
