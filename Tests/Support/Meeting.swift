import Foundation
import Given
import Synchronization

/// A place where two threads meet, so that both then enter the code under test at almost the same moment.
///
/// Some mistakes show only if one thread comes between two steps of another. Such a gap is a fraction of a microsecond wide, and a
/// sleeping thread needs much longer to wake up. So the threads wait without sleeping, they meet in hundreds of rounds, and in each
/// round, one of them is late by another fraction of the time that a call takes.
public final class Meeting: Sendable {
  private let round: Int
  private let arrivals = Atomic(0)
  /// Whether the round takes place: 0 as long as no thread has come so far, then 1 for yes and 2 for no.
  private let decision = Atomic(0)

  fileprivate init(round: Int) {
    self.round = round
  }

  /// Whether the round takes place. The thread that comes first decides for both.
  fileprivate func takesPlace(_ isInTime: Bool) -> Bool {
    let answer = isInTime ? 1 : 2
    let (isFirst, earlier) = decision.compareExchange(expected: 0, desired: answer, ordering: .sequentiallyConsistent)
    return (isFirst ? answer : earlier) == 1
  }

  /// Waits for the other thread. If that one is held back, or never comes, the wait ends after a moment.
  ///
  /// - Parameter thread: The thread that comes: 0 for the first, 1 for the second.
  public func come(_ thread: Int) {
    arrivals.add(1, ordering: .sequentiallyConsistent)
    var patience = 1_000_000
    while arrivals.load(ordering: .sequentiallyConsistent) < 2, patience > 0 { patience -= 1 }
    guard thread == round % 2 else { return }
    // The multiples of the golden ratio spread evenly.
    let turns = Int((Double(round) * 0.618_034).truncatingRemainder(dividingBy: 1) * 400)
    for _ in 0..<turns { _ = arrivals.load(ordering: .sequentiallyConsistent) }
  }
}

/// Lets two threads meet in many rounds. On a busy machine, there are fewer rounds, but the same ones for both threads.
///
/// - Parameters:
///   - rounds: The number of rounds.
///   - start: The number of rounds before these. Each round has another delay.
///   - first: What the first thread does in a round, starting from 0. It calls ``Meeting/come(_:)`` at the moment that matters.
///   - second: What the second thread does.
/// - Returns: The number of rounds; `nil` if a thread is stuck in one of them.
public func meet(
  _ rounds: Int, after start: Int = 0, first: @escaping (Int, Meeting) -> Void, second: @escaping (Int, Meeting) -> Void
) async -> Int? {
  // On a busy machine, the threads seldom run at the same time, so they get three seconds for what takes a fraction of one.
  let seconds: TimeInterval = 3
  let (meetings, ended, end) = ((start..<start + rounds).map(Meeting.init), Inbox<Void>(), DispatchTime.now() + seconds)
  for (thread, work) in [first, second].map(Handover.init).enumerated() {
    Thread.detachNewThread {
      useProcessor(thread)
      for (round, meeting) in meetings.enumerated() where meeting.takesPlace(round < 20 || DispatchTime.now() < end) {
        work.value(round, meeting)
      }
      ended.receive(())
    }
  }
  let isOver = await Patience.$current.withValue(Patience(seconds: Patience.seconds + seconds)) { await ended.receives(2) }
  guard isOver else { return nil }
  return meetings.count { $0.takesPlace(false) }
}

/// Lets something happen when the code under test reaches a moment.
public final class Interruption: Sendable {
  public enum Moment: Sendable {
    /// After the store has been read.
    case read
    /// When the current date is read.
    case check
    /// Before the new credentials are stored.
    case write
  }

  private let next = Locked<(moment: Moment, work: @Sendable () -> Void)?>(nil)

  public init() {}

  /// Lets something happen when a thread reaches a moment for the first time from now on.
  public func during(_ moment: Moment, _ work: @escaping @Sendable () -> Void) {
    next.withLock { $0 = (moment, work) }
  }

  /// Notes that a thread has reached a moment.
  public func reach(_ moment: Moment) {
    next.withLock { $0?.moment == moment ? $0.take() : nil }?.work()
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
public func meanwhile(for seconds: TimeInterval = 0.005, _ work: @escaping () -> Void) {
  let (hasBegun, hasEnded, work) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), Handover(work))
  DispatchQueue.newBackgroundQueue.async {
    hasBegun.signal()
    work.value()
    hasEnded.signal()
  }
  _ = hasBegun.wait(timeout: .now() + 1)
  _ = hasEnded.wait(timeout: .now() + seconds)
}

/// Ties the current thread to a processor: the scheduler of Linux may leave two threads on the same one.
private func useProcessor(_ number: Int) {
  #if canImport(Glibc)
    typealias Function = @convention(c) (pid_t, Int, UnsafePointer<UInt>) -> CInt
    guard let function = dlsym(nil, "sched_setaffinity") else { return }
    var processors: UInt = 1 << number
    _ = unsafeBitCast(function, to: Function.self)(0, MemoryLayout<UInt>.size, &processors)
  #endif
}
