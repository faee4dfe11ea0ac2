import Given

/// A clock that stands still until a test advances it.
public final class ManualClock: Sendable {
  private let start: (date: Date, instant: Instant)
  private let state = Locked<(elapsed: Duration, sleepers: [(deadline: Instant, suspension: Suspension<Void>)])>((.zero, []))

  /// The durations of the sleeps that have begun so far, oldest first.
  public let sleeps = Inbox<Duration>()

  /// Creates a clock.
  ///
  /// - Parameter date: The initial date.
  public init(date: Date = Date(timeIntervalSinceReferenceDate: 0)) {
    start = (date, ContinuousClock.now)
  }

  /// The date, as on a wall clock. Use it to decide whether credentials have expired.
  public var date: Date {
    let elapsed = state.withLock { $0.elapsed.components }
    // Multiples of a quarter of a second have an exact binary representation, so the date has no rounding error.
    return start.date + TimeInterval(elapsed.seconds) + TimeInterval(elapsed.attoseconds) / 1e18
  }

  /// The instant, as on a stopwatch. Use it to measure durations.
  public var now: ContinuousClock.Instant {
    start.instant + state.withLock { $0.elapsed }
  }

  /// Advances the clock, and resumes the tasks whose sleep has ended.
  ///
  /// - Parameter seconds: The time to advance, in seconds.
  public func advance(by seconds: TimeInterval) {
    let due = state.withLock { state in
      state.elapsed += .seconds(seconds)
      return state.sleepers.filter { $0.deadline <= start.instant + state.elapsed }
    }
    for sleeper in due { sleeper.suspension.resume(with: .success(())) }
  }
}

extension ManualClock: Clock {
  public typealias Instant = ContinuousClock.Instant

  public var minimumResolution: Duration { .zero }

  /// Waits until the test has advanced the clock far enough. Throws a `CancellationError` if the task is canceled first,
  /// and does not even begin to wait if it has been canceled already.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    let suspension = Suspension<Void>()
    try await suspension.wait {
      let remaining = state.withLock { state in
        state.sleepers.append((deadline, suspension))
        return (start.instant + state.elapsed).duration(to: deadline)
      }
      if remaining <= .zero { suspension.resume(with: .success(())) }
      sleeps.receive(remaining)
    }
  }
}
