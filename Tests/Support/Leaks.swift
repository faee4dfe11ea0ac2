import Foundation
import Testing

/// Runs a scene, and reports every tracked object that is alive afterward.
///
/// - Parameters:
///   - comment: The message for the learner about an object that is still alive.
///   - sourceLocation: The source location of issues.
///   - scene: A closure that makes objects, passes them to the tracker, and releases them.
/// - Throws: The error that the scene throws.
public func expectReleased(
  _ comment: Comment,
  sourceLocation: SourceLocation = #_sourceLocation,
  isolation: isolated (any Actor)? = #isolation,
  after scene: (LeakTracker) async throws -> Void
) async rethrows {
  let tracker = LeakTracker()
  try await scene(tracker)
  await tracker.expectReleased(comment, sourceLocation: sourceLocation)
}

/// Holds the objects of a scene weakly.
public final class LeakTracker {
  private var objects: [(name: String, object: () -> AnyObject?)] = []

  /// Creates a tracker without objects.
  public init() {}

  /// Tracks an object.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - name: What the learner calls it; `nil` for the name of its type.
  /// - Returns: The same object.
  @discardableResult
  public func track<Object: AnyObject>(_ object: Object, as name: String? = nil) -> Object {
    objects.append((name ?? "\(type(of: object))", { [weak object] in object }))
    return object
  }

  /// Makes and tracks an object for a closure to capture: it lives as long as that closure.
  ///
  /// - Parameter name: What the learner calls the closure.
  public func lifetime(of name: String) -> AnyObject & Sendable {
    track(Lifetime(), as: name)
  }

  /// Reports the tracked objects that are still alive when all work has ended.
  func expectReleased(
    _ comment: Comment, sourceLocation: SourceLocation, isolation: isolated (any Actor)? = #isolation
  ) async {
    await mainQueueDrained()
    // Work on other queues and in tasks may be about to return, and may still retain what it captured. Let it run.
    let limit = TimeLimit(seconds: 0.5)
    while !alive.isEmpty, !limit.isOver {
      _ = await returns(on: .global(qos: .utility)) {}
      await mainQueueDrained()
    }
    let alive = alive
    #expect(
      alive.isEmpty, "\(comment.rawValue) Still alive: \(Set(alive).sorted().joined(separator: ", ")).",
      sourceLocation: sourceLocation)
  }

  /// The names of the tracked objects that are still alive.
  var alive: [String] {
    objects.filter { $0.object() != nil }.map(\.name)
  }
}

private final class Lifetime: Sendable {}
