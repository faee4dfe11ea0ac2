import Foundation
import Synchronization
import Testing

/// Runs a scene, and reports every tracked object that outlives it.
///
/// - Parameters:
///   - comment: What to tell the learner about an object that is still alive.
///   - sourceLocation: Where to report.
///   - scene: Makes the objects, hands them to the tracker, and lets go of them.
/// - Throws: What the scene throws.
public func expectReleased(
  _ comment: Comment,
  sourceLocation: SourceLocation = #_sourceLocation,
  isolation: isolated (any Actor)? = #isolation,
  after scene: (LeakTracker) async throws -> Void
) async rethrows {
  let tracker = LeakTracker()
  try await scene(tracker)
  await mainQueueDrained()
  // Work on other queues may be on its last lines, and still hold what it captured: give it its turn.
  for _ in 0..<500 where !tracker.alive.isEmpty {
    await finished(on: .global(qos: .utility)) {}
    await mainQueueDrained()
  }
  #expect(tracker.alive.isEmpty, comment, sourceLocation: sourceLocation)
}

/// Knows the objects of a scene without keeping them.
public final class LeakTracker {
  private var objects: [() -> AnyObject?] = []

  init() {}

  /// Tracks an object.
  ///
  /// - Returns: The same object.
  @discardableResult
  public func track<Object: AnyObject>(_ object: Object) -> Object {
    objects.append { [weak object] in object }
    return object
  }

  /// The types of the tracked objects that are still alive.
  var alive: [String] {
    objects.compactMap { $0() }.map { "\(type(of: $0))" }
  }
}
