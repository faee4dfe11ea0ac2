import Testing

/// Tells a short story: see ``ShortStory``.
///
/// When the events are over, whatever is in flight ends. Then everything should be released.
///
/// - Parameters:
///   - world: A world before the first event. It may be a generated ``Story``, whose events a test then chooses.
///   - rule: The rule that the short story shows, as a sentence for the learner.
///   - sourceLocation: The source location of issues.
///   - events: What happens.
public func story<World: StoryWorld>(
  _ world: World, _ rule: String, sourceLocation: SourceLocation = #_sourceLocation, _ events: (Scene<World>) async -> Void
) async {
  let scene = Scene(world, rule)
  await events(scene)
  await scene.end(sourceLocation)
}

/// A story that a test tells event by event.
public struct Scene<World: StoryWorld> {
  private let world: World
  private let short: ShortStory

  fileprivate init(_ world: World, _ rule: String) {
    self.world = world
    short = ShortStory(rule, setting: world.setting.joined(separator: " "), remarking: world.remark) { await world.observed }
  }

  /// Lets an event happen, and checks that it leads to certain effects, in any order, and to nothing else.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - effects: What it leads to, in the words of the world.
  ///   - place: The source location of issues.
  public func play(
    _ event: World.Event, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    await short.play(leadingTo: effects, sourceLocation: place) {
      guard let sentence = await world.play(event) else { return "This can't happen: \(event)." }
      await world.awaitEffects()
      return sentence
    }
  }

  /// Checks that nothing else happens, ends what is in flight, and checks that everything is released.
  fileprivate func end(_ place: SourceLocation) async {
    await mainQueueDrained()
    await short.play("Nothing else happens.", leadingTo: [], sourceLocation: place) {}
    if short.hasFailed { return }
    _ = world.release()
    for _ in 0..<64 {
      guard let event = world.nextEnding(), await world.play(event) != nil else { break }
      await world.awaitEffects()
    }
    await world.leaks.expectReleased(World.leakMessage, sourceLocation: place)
  }
}
