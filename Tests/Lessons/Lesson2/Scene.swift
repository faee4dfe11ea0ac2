import Given
import TestSupport
import Testing

/// Plays a short story about one screen: see ``ShortStory``.
///
/// When the events are over, the user leaves. If the result has been delivered, everything should be released.
///
/// - Parameters:
///   - rule: The rule that the story shows, as a sentence for the learner.
///   - allowsHops: Whether a result that arrives on the main queue may be shown after a hop.
///   - sourceLocation: The source location of issues.
///   - events: What happens.
func story(
  _ rule: String, allowingHops allowsHops: Bool = false, sourceLocation: SourceLocation = #_sourceLocation,
  _ events: (Scene) async -> Void
) async {
  await expectReleased(
    "The screen has shown its result, and the user has left. But a closure still retains the controller. Find that closure, and capture the controller weakly in it.",
    sourceLocation: sourceLocation
  ) { leaks in
    let scene = Scene(rule, leaks, allowsHops)
    await events(scene)
    await scene.end(sourceLocation)
  }
}

/// A screen, and a short story about it.
final class Scene {
  private let stage: Stage
  private let leaks: LeakTracker
  private let short: ShortStory

  fileprivate init(_ rule: String, _ leaks: LeakTracker, _ allowsHops: Bool) {
    self.leaks = leaks
    stage = Stage(leaks, allowingHops: allowsHops)
    short = ShortStory(rule, setting: "The app starts.") { [stage] in stage.observed }
  }

  /// The user opens a screen. It should call its service and show "loading".
  ///
  /// - Parameters:
  ///   - kind: The kind of screen.
  ///   - place: Where the service delivers a profile before the call to it returns; `nil` if it delivers later.
  ///   - effects: What the profile leads to.
  ///   - sourceLocation: The source location of issues.
  func open(
    _ kind: Stage.Kind, deliveringOn place: Stage.Place? = nil, leadsTo effects: String...,
    at sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await short.play(leadingTo: Stage.effectsOfOpening(1, kind) + effects, sourceLocation: sourceLocation) {
      await stage.open(kind, place.map { Stage.Delivery(place: $0) })
    }
  }

  /// The service delivers a profile, or fails.
  func deliver(
    failure: Trouble? = nil, on place: Stage.Place = .mainQueue, leadsTo effects: String...,
    at sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await short.play(leadingTo: effects, sourceLocation: sourceLocation) {
      await stage.deliver(Stage.Delivery(failure: failure, place: place), to: 0)
    }
  }

  /// The service delivers while the main queue is busy. The user leaves before the main queue runs anything else.
  func deliverAndLeave(leadsTo effects: String..., at sourceLocation: SourceLocation = #_sourceLocation) async {
    await short.play(leadingTo: effects, sourceLocation: sourceLocation) {
      await stage.deliver(Stage.Delivery(place: .otherQueueWhileMainIsBusy), to: 0, leaving: true)
    }
  }

  /// The user leaves the screen.
  func leave(leadsTo effects: String..., at sourceLocation: SourceLocation = #_sourceLocation) async {
    await short.play(leadingTo: effects, sourceLocation: sourceLocation) { await stage.leave(0) }
  }

  /// Lets everything come to rest, and leaves. If the service is still working, the story leaves open whether it retains the screen.
  fileprivate func end(_ sourceLocation: SourceLocation) async {
    await mainQueueDrained()
    await short.play("Nothing else happens.", leadingTo: [], sourceLocation: sourceLocation) {}
    for screen in stage.screens { screen.leave() }
    if short.hasFailed || !stage.service.calls.unfinished.isEmpty { leaks.forget() }
  }
}
