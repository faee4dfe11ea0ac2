import Given

/// A clock that stands still until a test moves it.
public final class ManualClock: Sendable {
  private let time: Locked<Date>

  /// - Parameter now: The time that the clock starts at.
  public init(now: Date = Date(timeIntervalSinceReferenceDate: 0)) {
    time = Locked(now)
  }

  /// The time on the clock.
  public var now: Date {
    time.withLock { $0 }
  }

  /// Moves the clock on.
  ///
  /// - Parameter seconds: By how much.
  public func advance(by seconds: TimeInterval) {
    time.withLock { $0 += seconds }
  }
}
