import Given
import TestSupport
import Testing

/// Plays a short story on the stage of a generated one: see ``ShortStory`` and ``Story``.
///
/// - Parameters:
///   - stage: A generated story before its first event.
///   - rule: The rule that the short story shows, as a sentence for the learner.
///   - sourceLocation: The source location of issues.
///   - events: What happens.
func story<Stage: Story>(
  _ stage: Stage, _ rule: String, sourceLocation: SourceLocation = #_sourceLocation, _ events: (Scene<Stage>) async -> Void
) async {
  let scene = Scene(stage, rule)
  await events(scene)
  await scene.end(sourceLocation)
}

/// The stage of a generated story, and a short story that is told on it.
struct Scene<Stage: Story> {
  let stage: Stage
  private let short: ShortStory

  fileprivate init(_ stage: Stage, _ rule: String) {
    self.stage = stage
    short = ShortStory(rule, setting: stage.setting.joined(separator: " "), remarking: stage.remark) { await stage.observed }
  }

  /// Lets an event happen.
  ///
  /// - Parameters:
  ///   - event: The event. Without a position, it is about the newest call in flight; 1 is the one before it.
  ///   - effects: What it leads to.
  ///   - place: The source location of issues.
  func play(_ event: Stage.Event, leadsTo effects: String..., at place: SourceLocation = #_sourceLocation) async {
    await short.play(leadingTo: effects, sourceLocation: place) {
      guard let sentence = await stage.play(event) else { return "This can't happen: \(event)." }
      // What was shown before the event is neither missing nor wrong until the code under test has had its time.
      await eventually { await stage.observed.sorted() == stage.expected.sorted() }
      return sentence
    }
  }

  /// Checks that nothing else happens, and ends what is in flight.
  fileprivate func end(_ place: SourceLocation) async {
    await mainQueueDrained()
    await short.play("Nothing else happens.", leadingTo: [], sourceLocation: place) {}
    _ = stage.release()
    for _ in 0..<64 where !short.hasFailed {
      guard let event = stage.nextEnding(), await stage.play(event) != nil else { return }
    }
  }
}

extension Array {
  /// The element at a position that counts from the newest, 0, modulo the number of elements; `nil` if there is none.
  ///
  /// The position names the same element after older ones have been removed from a story.
  func newest(_ position: Int) -> Element? {
    isEmpty ? nil : self[count - 1 - position % count]
  }
}

extension Trouble {
  /// The troubles that have nothing to do with a cancellation.
  static let notCanceled = allCases.filter { !$0.error.isCancellation }
}

extension Error {
  /// Whether the error is one that canceled tasks throw.
  var isCancellation: Bool {
    self is CancellationError || (self as? URLError)?.code == .cancelled
  }
}
