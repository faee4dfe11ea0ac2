import Given

/// A clock that stands still until a test moves it.
public final class ManualClock: Sendable {
  private let start: (date: Date, instant: ContinuousClock.Instant)
  private let elapsed = Locked(Duration.zero)

  /// - Parameter date: The date that the clock starts at.
  public init(date: Date = Date(timeIntervalSinceReferenceDate: 0)) {
    start = (date, ContinuousClock.now)
  }

  /// What a clock on the wall shows: good for saying whether credentials have expired.
  public var date: Date {
    start.date + elapsed.withLock { $0 } / .seconds(1)
  }

  /// What a stopwatch shows: good for measuring how long something takes.
  public var now: ContinuousClock.Instant {
    start.instant + elapsed.withLock { $0 }
  }

  /// Moves the clock on.
  ///
  /// - Parameter seconds: By how much.
  public func advance(by seconds: TimeInterval) {
    elapsed.withLock { $0 += .seconds(seconds) }
  }
}
