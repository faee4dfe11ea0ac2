import Testing

/// Tells a short story with the events of a generated one: see ``ShortStory`` and ``Story``.
///
/// When the events are over, whatever is in flight ends. Then everything should be released.
///
/// - Parameters:
///   - story: A generated story before its first event.
///   - rule: The rule that the short story shows, as a sentence for the learner.
///   - sourceLocation: The source location of issues.
///   - events: What happens.
public func story<S: Story>(
  _ story: S, _ rule: String, sourceLocation: SourceLocation = #_sourceLocation, _ events: (Scene<S>) async -> Void
) async {
  let scene = Scene(story, rule)
  await events(scene)
  await scene.end(sourceLocation)
}

/// A story that a test tells event by event.
public struct Scene<S: Story> {
  private let story: S
  private let short: ShortStory

  fileprivate init(_ story: S, _ rule: String) {
    self.story = story
    short = ShortStory(rule, setting: story.setting.joined(separator: " "), remarking: story.remark) { await story.observed }
  }

  /// Lets an event happen, and checks that it leads to certain effects, in any order, and to nothing else.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - effects: What it leads to, in the words of the story.
  ///   - place: The source location of issues.
  public func play(
    _ event: S.Event, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    await short.play(leadingTo: effects, sourceLocation: place) {
      guard let sentence = await story.play(event) else { return "This can't happen: \(event)." }
      // What was shown before the event is neither missing nor wrong until the code under test has had its time.
      await eventually { await story.observed.sorted() == story.expected.sorted() }
      return sentence
    }
  }

  /// Checks that nothing else happens, ends what is in flight, and checks that everything is released.
  fileprivate func end(_ place: SourceLocation) async {
    await mainQueueDrained()
    await short.play("Nothing else happens.", leadingTo: [], sourceLocation: place) {}
    if short.hasFailed { return }
    _ = story.release()
    for _ in 0..<64 {
      guard let event = story.nextEnding(), await story.play(event) != nil else { break }
    }
    await story.leaks.expectReleased(S.leakMessage, sourceLocation: place)
  }
}
