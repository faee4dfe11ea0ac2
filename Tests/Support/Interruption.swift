import Foundation
import Given
import Testing

/// Lets another thread do something while the current one waits.
///
/// A correct solution may hold a lock that keeps the other thread from coming so far. Then the wait ends after a moment, which
/// begins when the other thread does. On a busy machine, the moment may be too short, so a test repeats it.
///
/// - Parameters:
///   - seconds: The longest time that the other thread may take, in seconds.
///   - work: What the other thread does.
/// - Returns: Whether the other thread has done it in that time.
@discardableResult
public func onAnotherThread(for seconds: TimeInterval = 0.005, _ work: @escaping () -> Void) -> Bool {
  let (hasBegun, hasEnded, work) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), Handover(work))
  DispatchQueue.newBackgroundQueue.async {
    hasBegun.signal()
    work.value()
    hasEnded.signal()
  }
  hasBegun.wait(atMost: 1)
  return hasEnded.wait(atMost: seconds)
}

/// Lets something happen when the code under test reads or writes the credentials, or reads the clock.
public final class Interruption: Sendable {
  /// A moment at which something can happen.
  public enum Moment: Sendable {
    /// After the store has been read.
    case read
    /// When the current date is read.
    case check
    /// Before the new credentials are stored.
    case write
  }

  private let next = Locked<(moment: Moment, work: @Sendable () -> Void)?>(nil)

  /// Creates an interruption that does nothing yet.
  public init() {}

  /// Lets something happen when a thread reaches a moment for the first time from now on.
  public func during(_ moment: Moment, _ work: @escaping @Sendable () -> Void) {
    next.withLock { $0 = (moment, work) }
  }

  /// A store whose reads and writes are moments.
  public func store(_ credentials: Credentials) -> CredentialsStoreSpy {
    CredentialsStoreSpy(credentials, afterRead: { self.reach(.read) }, beforeWrite: { _ in self.reach(.write) })
  }

  /// The date of a new clock. Reading it is a moment.
  @Sendable public func now() -> Date {
    reach(.check)
    return ManualClock().date
  }

  private func reach(_ moment: Moment) {
    next.withLock { $0?.moment == moment ? $0.take() : nil }?.work()
  }
}
