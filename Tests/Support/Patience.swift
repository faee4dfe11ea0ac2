import Given
import Testing

/// How long one test waits for events: first far longer than anything takes on a busy machine, and once it has waited in vain,
/// hardly at all. What follows an event that never happened does not happen either.
public final class Patience: Sendable {
  /// The patience of the running test. Without the trait ``Testing/Trait/patientOnce``, every wait is a long one.
  @TaskLocal package static var current: Patience?

  /// For how many seconds a test waits for an event, unless it has waited in vain.
  package static let long: TimeInterval = 2

  /// For how many seconds to wait for the next event.
  static var seconds: TimeInterval {
    current?.left.withLock { $0 } ?? long
  }

  private let left: Locked<TimeInterval>

  /// - Parameter seconds: For how long to wait, in seconds, until a wait is in vain.
  package init(seconds: TimeInterval = long) {
    left = Locked(seconds)
  }

  /// Shortens all other waits of the same test.
  func end() {
    left.withLock { $0 = min($0, 0.1) }
  }
}

/// Gives each test of a suite a ``Patience`` of its own.
public struct PatientOnceTrait: SuiteTrait, TestTrait, TestScoping {
  public let isRecursive = true

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Patience.$current.withValue(Patience(), operation: function)
  }
}

extension Trait where Self == PatientOnceTrait {
  /// After the first wait in vain, a test hardly waits for anything else. Other tests are not affected.
  public static var patientOnce: Self { Self() }
}
