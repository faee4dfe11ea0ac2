import Foundation
import Given
import Synchronization
import Testing

/// Lets two threads enter the code under test at almost the same moment, in many rounds.
///
/// Some mistakes show only if one thread comes between two steps of another. Such a gap is a fraction of a microsecond wide, and a
/// sleeping thread needs much longer to wake up. So the threads wait without sleeping, there are many rounds, and in each one, one
/// of the threads is late by another fraction of the time that a call takes. On a busy machine, there are fewer rounds.
///
/// - Parameters:
///   - make: Makes what a round is about; `nil` if that has failed, and has been reported.
///   - first: What the first thread does in a round, whose number is passed. It calls the last argument at the moment that matters.
///   - second: What the second thread does.
///   - isRight: Checks a round, and reports what is wrong with it. After a round that is wrong, the race is over.
///   - stuck: The message for the learner if a thread never ends its round.
///   - sourceLocation: The source location of issues.
/// - Throws: The error that `isRight` throws.
public func race<Subject>(
  in make: () async -> Subject?, first: @escaping (Subject, _ round: Int, _ arrive: @escaping @Sendable () -> Void) -> Void,
  second: @escaping (Subject, _ arrive: @escaping @Sendable () -> Void) -> Void, isRight: (Subject) async throws -> Bool,
  stuck: Comment, sourceLocation: SourceLocation = #_sourceLocation
) async rethrows {
  let end = DispatchTime.now() + 5
  for round in 0..<1500 where DispatchTime.now() < end {
    guard let subject = await make() else { return }
    let (meeting, haveEnded) = (Meeting(), Inbox<Void>())
    // In each round, one of the threads is late by another number of turns.
    let late = (thread: round % 2, turns: round * 37 % 400)
    let works = [
      Handover { first(subject, round) { meeting.arrive(late.thread == 0 ? late.turns : 0) } },
      Handover { second(subject) { meeting.arrive(late.thread == 1 ? late.turns : 0) } },
    ]
    for work in works {
      Thread.detachNewThread {
        work.value()
        haveEnded.receive(())
      }
    }
    guard await haveEnded.receives(2) else {
      Issue.record(stuck, sourceLocation: sourceLocation)
      return
    }
    guard try await isRight(subject) else { return }
  }
}

/// A moment at which two threads meet.
private final class Meeting: Sendable {
  private let arrivals = Atomic(0)

  /// Waits for the other thread, and then for a number of turns. If the other one is held back, or never comes, the wait ends after
  /// a moment.
  func arrive(_ turns: Int) {
    arrivals.add(1, ordering: .sequentiallyConsistent)
    var turnsLeft = 1_000_000
    while arrivals.load(ordering: .sequentiallyConsistent) < 2, turnsLeft > 0 { turnsLeft -= 1 }
    for _ in 0..<turns { _ = arrivals.load(ordering: .sequentiallyConsistent) }
  }
}

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
  _ = hasBegun.wait(timeout: .now() + 1)
  return hasEnded.wait(timeout: .now() + seconds) == .success
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
