import Given

/// A clock that stands still until a test moves it.
public final class ManualClock: Sendable {
  private struct State {
    var elapsed = Duration.zero
    var sleepers: [UUID: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var cancelled: Set<UUID> = []
  }

  private let start: (date: Date, instant: Instant)
  private let state = Locked(State())
  private let sleeps = Inbox<Duration>()

  /// - Parameter date: The date that the clock starts at.
  public init(date: Date = Date(timeIntervalSinceReferenceDate: 0)) {
    start = (date, ContinuousClock.now)
  }

  /// What a clock on the wall shows: good for saying whether credentials have expired.
  public var date: Date {
    start.date + state.withLock { $0.elapsed } / .seconds(1)
  }

  /// What a stopwatch shows: good for measuring how long something takes.
  public var now: ContinuousClock.Instant {
    start.instant + state.withLock { $0.elapsed }
  }

  /// Moves the clock on, and wakes those whose time has come.
  ///
  /// - Parameter seconds: By how much.
  public func advance(by seconds: TimeInterval) {
    let woken = state.withLock { state in
      state.elapsed += .seconds(seconds)
      let due = state.sleepers.filter { $0.value.deadline <= start.instant + state.elapsed }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  /// For how long each sleep was to last that has begun so far, oldest first.
  public var sleepDurations: [Duration] {
    sleeps.values
  }

  /// Waits for a number of sleeps: see ``Inbox/receives(_:)``.
  @discardableResult
  public func sleeps(_ count: Int) async -> Bool {
    await sleeps.receives(count)
  }
}

extension ManualClock: Clock {
  public typealias Instant = ContinuousClock.Instant

  public var minimumResolution: Duration { .zero }

  /// Waits until the test has moved the clock far enough; throws when the task is cancelled first.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = UUID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (isCancelled, remaining) = state.withLock { state in
          let remaining = (start.instant + state.elapsed).duration(to: deadline)
          let isCancelled = state.cancelled.contains(id)
          if !isCancelled, remaining > .zero { state.sleepers[id] = (deadline, continuation) }
          return (isCancelled, remaining)
        }
        if isCancelled {
          continuation.resume(throwing: CancellationError())
        } else if remaining <= .zero {
          continuation.resume()
        }
        sleeps.receive(remaining)
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.cancelled.insert(id)
        return state.sleepers.removeValue(forKey: id)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
