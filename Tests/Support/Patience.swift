import Foundation
import Given
import Testing

/// The time that a test waits for events.
///
/// The first wait lasts far longer than any event takes on a busy machine. After a wait in vain, the test hardly waits at all:
/// if an event never happened, the events that should follow it will not happen either.
public final class Patience: Sendable {
  /// The patience of the running test. Without the trait ``Testing/Trait/patientOnce``, every wait is a long one.
  @TaskLocal package static var current: Patience?

  /// The time in seconds that a test waits for an event, until a wait is in vain.
  package static let long: TimeInterval = 2

  /// The time in seconds to wait for the next event.
  public static var seconds: TimeInterval {
    current?.left.withLock { $0 } ?? long
  }

  private let left: Locked<TimeInterval>

  /// Creates a patience.
  ///
  /// - Parameter seconds: The time in seconds to wait for an event, until a wait is in vain.
  package init(seconds: TimeInterval = long) {
    left = Locked(seconds)
  }

  /// Waits until something is over, or for some time, but longer on a busy machine.
  ///
  /// The time passes in short turns, and each of them needs a thread like the one that the code under test may be waiting for.
  /// If no thread is free at all, since something blocks them, the wait ends after four times as long.
  ///
  /// - Parameters:
  ///   - seconds: The time in seconds, on a machine that is not busy.
  ///   - isOver: A closure that returns whether the wait is no longer needed.
  ///   - end: A closure that is called if the time has passed. It may be called twice.
  static func wait(
    _ seconds: TimeInterval, until isOver: @escaping @Sendable () -> Bool, end: @escaping @Sendable () -> Void
  ) {
    let turn = 0.05
    Task.detached(priority: .utility) {
      for _ in 0..<Int((seconds / turn).rounded(.up)) where !isOver() {
        try? await Task.sleep(for: .seconds(turn))
      }
      end()
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + 4 * seconds, execute: end)
  }

  /// Shortens all further waits of the same test.
  func end() {
    left.withLock { $0 = min($0, 0.1) }
  }
}

/// Gives each test in a suite its own ``Patience``.
public struct PatientOnceTrait: SuiteTrait, TestTrait, TestScoping {
  public let isRecursive = true

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Patience.$current.withValue(Patience(), operation: function)
  }
}

extension Trait where Self == PatientOnceTrait {
  /// After its first wait in vain, a test hardly waits at all. Other tests are not affected.
  public static var patientOnce: Self { Self() }
}
