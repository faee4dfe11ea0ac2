import Foundation
import Given
import Synchronization
import Testing

/// Lets two threads enter the code under test at almost the same moment, in many rounds.
///
/// Some mistakes show only if one thread comes between two steps of another. Such a gap is a fraction of a microsecond wide, and a
/// sleeping thread needs much longer to wake up. So the threads wait without sleeping, there are hundreds of rounds, and in each one,
/// one of the threads is late by another fraction of the time that a call takes. On a busy machine, there are fewer rounds.
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
  // The code under test may need a thread for each object, so there are never many objects.
  for start in stride(from: 0, to: 1500, by: 50) where DispatchTime.now() < end {
    var subjects: [Subject] = []
    for _ in 1...50 {
      guard let subject = await make() else { return }
      subjects.append(subject)
    }
    let rounds = await meet(
      subjects.count, after: start, first: { [subjects] in first(subjects[$0], $0, $1) },
      second: { [subjects] in second(subjects[$0], $1) })
    guard let rounds else {
      Issue.record(stuck, sourceLocation: sourceLocation)
      return
    }
    for subject in subjects.prefix(rounds) {
      guard try await isRight(subject) else { return }
    }
  }
}

/// Repeats a check whose outcome depends on the order of two threads: in one round, a mistake may stay hidden by luck.
///
/// - Parameter isRight: Plays one round, and reports what is wrong with it. After a round that is wrong, the check is over.
/// - Throws: The error that `isRight` throws.
public func inManyRounds(_ isRight: () async throws -> Bool) async rethrows {
  for _ in 1...75 {
    guard try await isRight() else { return }
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

/// Lets two threads meet in many rounds.
///
/// - Parameters:
///   - rounds: The number of rounds.
///   - start: The number of rounds before these. Each round has another delay.
///   - first: What the first thread does in a round, starting from 0. It calls the closure that is passed at the moment that matters.
///   - second: What the second thread does.
/// - Returns: The number of rounds that took place; `nil` if a thread is stuck in one of them.
func meet(
  _ rounds: Int, after start: Int = 0, first: @escaping (Int, @escaping @Sendable () -> Void) -> Void,
  second: @escaping (Int, @escaping @Sendable () -> Void) -> Void
) async -> Int? {
  // On a busy machine, the threads seldom run at the same time, so they get three seconds for what takes a fraction of one.
  let seconds: TimeInterval = 3
  let (meetings, ended, end) = ((start..<start + rounds).map(Meeting.init), Inbox<Void>(), DispatchTime.now() + seconds)
  for (thread, work) in [first, second].map(Handover.init).enumerated() {
    Thread.detachNewThread {
      useProcessor(thread)
      for (round, meeting) in meetings.enumerated() where meeting.takesPlace(round < 20 || DispatchTime.now() < end) {
        work.value(round) { meeting.arrive(thread) }
      }
      ended.receive(())
    }
  }
  let isOver = await Deadline.$current.withValue(Deadline(seconds: Deadline.seconds + seconds)) { await ended.receives(2) }
  guard isOver else { return nil }
  return meetings.count { $0.takesPlace(false) }
}

/// A round in which two threads meet.
private final class Meeting: Sendable {
  private let round: Int
  private let arrivals = Atomic(0)
  /// Whether the round takes place: 0 as long as no thread has come so far, then 1 for yes and 2 for no.
  private let decision = Atomic(0)

  init(round: Int) {
    self.round = round
  }

  /// Whether the round takes place. The thread that comes first decides for both.
  func takesPlace(_ isInTime: Bool) -> Bool {
    let answer = isInTime ? 1 : 2
    let (isFirst, earlier) = decision.compareExchange(expected: 0, desired: answer, ordering: .sequentiallyConsistent)
    return (isFirst ? answer : earlier) == 1
  }

  /// Waits for the other thread. If that one is held back, or never comes, the wait ends after a moment.
  ///
  /// - Parameter thread: The thread that arrives: 0 for the first, 1 for the second.
  func arrive(_ thread: Int) {
    arrivals.add(1, ordering: .sequentiallyConsistent)
    var turnsLeft = 1_000_000
    while arrivals.load(ordering: .sequentiallyConsistent) < 2, turnsLeft > 0 { turnsLeft -= 1 }
    guard thread == round % 2 else { return }
    // The multiples of the golden ratio spread evenly.
    let turns = Int((Double(round) * 0.618_034).truncatingRemainder(dividingBy: 1) * 400)
    for _ in 0..<turns { _ = arrivals.load(ordering: .sequentiallyConsistent) }
  }
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
