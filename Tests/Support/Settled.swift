import Foundation
import Testing

/// Waits until a condition holds, or until no work is left that could make it hold.
///
/// A solution may choose how it reaches the main queue: with a block, an operation, a task on the main actor, or several of
/// them in a row. Call this function before you check the outcome. It does not wait for timers, so a delay counts as a
/// missing outcome.
///
/// - Parameters:
///   - holds: The condition. It is checked between rounds of work, and for the last time by the test itself.
///   - sourceLocation: The place to report that a queue is blocked.
public func settled(
  until holds: () -> Bool,
  sourceLocation: SourceLocation = #_sourceLocation,
  isolation: isolated (any Actor)? = #isolation
) async {
  for _ in 0..<20 where !holds() {
    await finished(on: .global(qos: .utility), sourceLocation: sourceLocation) {}
    await Task.detached(priority: .utility) {}.value
    await mainQueueDrained(sourceLocation: sourceLocation)
  }
}
