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
