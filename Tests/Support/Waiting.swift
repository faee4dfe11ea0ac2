import Foundation
import Given
import Testing

/// Waits until the main queue has run everything that was submitted to it before this call: blocks, operations, and main-actor
/// jobs.
///
/// Call it before you check that something was shown, that it was not, or that an object was released. A block that the main
/// queue has yet to run retains what it captured.
public func mainQueueDrained(sourceLocation: SourceLocation = #_sourceLocation) async {
  let isDrained = await mainQueueDrains {}
  #expect(
    isDrained, "The main queue is blocked. Look for code that blocks it, such as a call to `sync` or a wait on a semaphore.",
    sourceLocation: sourceLocation)
}

/// Runs work on the main queue, and waits until the main queue has run everything that the work submitted to it, or until the
/// test's ``Deadline`` ends.
///
/// - Parameter work: The work to run.
/// - Returns: Whether the main queue has run everything in time.
func mainQueueDrains(after work: @escaping () -> Void) async -> Bool {
  let drained = Inbox<Void>()
  let work = Handover(work)
  DispatchQueue.main.async {
    work.value()
    // The main operation queue submits an operation only after the previous one has ended, so a block alone could run too early.
    OperationQueue.main.addOperation {
      DispatchQueue.main.async { drained.receive(()) }
    }
  }
  return await drained.receives(1)
}

/// Performs the work of a run's event on a queue, and waits until it has returned.
///
/// A ``RandomRun`` calls the learner's code this way, so that a deadlock in it ends no process. If the work does not return in time,
/// the run has gone wrong, and reads nothing anymore: the work may still be changing what it would read.
///
/// - Parameters:
///   - name: What the work is, as the subject of a sentence.
///   - queue: The queue to perform the work on.
///   - work: The work.
/// - Returns: Whether the work has returned in time.
@discardableResult
public func perform(_ name: String, on queue: DispatchQueue = .newBackgroundQueue, _ work: @escaping () -> Void) async -> Bool {
  let isDone = await returns(on: queue, work)
  if !isDone { Deadline.current?.note(stuck: name) }
  return isDone
}

/// Runs work on a queue, and waits until it has returned, or until the test's ``Deadline`` ends.
///
/// - Parameters:
///   - queue: The queue to run the work on.
///   - work: The work to run.
/// - Returns: Whether the work returned in time.
public func returns(on queue: DispatchQueue = .newBackgroundQueue, _ work: @escaping () -> Void) async -> Bool {
  let done = Inbox<Void>()
  let work = Handover(work)
  queue.async {
    work.value()
    done.receive(())
  }
  return await done.receives(1)
}

/// Waits until a condition holds, or until the test's ``Deadline`` ends. Other queues and tasks run between two checks.
///
/// - Parameter condition: The condition.
/// - Returns: Whether it held in time.
@discardableResult
public func eventually(isolation: isolated (any Actor)? = #isolation, _ condition: () async -> Bool) async -> Bool {
  if await condition() { return true }
  let limit = TimeLimit(seconds: Deadline.seconds)
  var turns = 0
  repeat {
    if limit.isOver {
      Deadline.current?.end()
      return false
    }
    // Nearly all conditions hold after a few turns. After that, leave the processor to others.
    turns += 1
    if turns < 5 {
      await Task.yield()
      continue
    }
    if turns > 50 { try? await Task.sleep(for: .milliseconds(5)) }
    let turn = Inbox<Void>()
    DispatchQueue.global(qos: .utility).async {
      DispatchQueue.main.async { turn.receive(()) }
    }
    await turn.receives(1)
  } while !(await condition())
  return true
}

/// Waits until a condition holds, or until no work is left that could make it hold.
///
/// A solution may choose how it reaches the main queue: with a block, an operation, a task on the main actor, or several of them in a
/// row. Use this function in place of ``eventually(isolation:_:)`` if nothing may be late: it does not wait for timers, so a delay
/// counts as a missing outcome.
///
/// - Parameter holds: The condition.
public func settled(isolation: isolated (any Actor)? = #isolation, until holds: () -> Bool) async {
  for _ in 0..<20 where !holds() {
    _ = await returns(on: .global(qos: .utility)) {}
    await Task.detached(priority: .utility) {}.value
    await mainQueueDrained()
  }
}

/// Runs work on another queue while the main queue waits and runs nothing else.
///
/// It does not wait long, since no other test can use the main queue during that time.
///
/// - Parameters:
///   - seconds: The time to wait, in seconds.
///   - work: The work to run.
/// - Returns: Whether the work ended without needing the main queue.
@MainActor
public func returnsWithoutMainQueue(within seconds: TimeInterval = 1, _ work: @escaping () -> Void) -> Bool {
  let isDone = DispatchSemaphore(value: 0)
  let work = Handover(work)
  DispatchQueue.newBackgroundQueue.async {
    work.value()
    isDone.signal()
  }
  return isDone.wait(timeout: .now() + seconds) == .success
}

extension DispatchQueue {
  /// A new serial queue. Code that blocks it, such as a deadlock, takes no thread from other queues and tasks.
  public static var newBackgroundQueue: DispatchQueue {
    DispatchQueue(label: "a background queue")
  }
}

/// Passes a value to another queue. The caller must make sure that only one queue uses the value at a time.
struct Handover<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

/// The time that a test waits for events.
///
/// The first wait lasts far longer than any event takes on a busy machine. Once a wait has timed out, the test hardly waits at
/// all: if an event never happened, the events that should follow it will not happen either.
public final class Deadline: Sendable {
  /// The patience of the running test. Without ``OneAtATimeTrait``, every wait is a long one.
  @TaskLocal package static var current: Deadline?

  /// The time in seconds that a test waits for an event, as long as no wait has timed out. The environment variable
  /// `KATA_PATIENCE` sets another one, for machines with much else to do.
  package static let long = ProcessInfo.processInfo.environment["KATA_PATIENCE"].flatMap(TimeInterval.init) ?? 2

  /// The time in seconds to wait for the next event.
  public static var seconds: TimeInterval {
    current?.left.withLock { $0 } ?? long
  }

  private let left: Locked<TimeInterval>
  /// The name of the work that has not returned in time: see ``perform(_:on:_:)``.
  private let stuckWork = Locked<String?>(nil)

  /// Creates a `Deadline`.
  ///
  /// - Parameter seconds: The time in seconds to wait for an event, as long as no wait has timed out.
  package init(seconds: TimeInterval = long) {
    left = Locked(seconds)
  }

  /// What is stuck, in words; `nil` as long as all work has returned in time.
  var stuck: String? {
    stuckWork.withLock { $0.map { "\($0) has not returned" } }
  }

  /// Notes that some work has not returned in time.
  func note(stuck name: String) {
    stuckWork.withLock { $0 = $0 ?? name }
  }

  /// Shortens all further waits of the same test.
  func end() {
    left.withLock { $0 = min($0, 0.1) }
  }
}

/// Ends each wait when its time is up, and gives all waits more time on a busy machine.
///
/// The time is counted in short turns. In each turn, a task of each priority and a block on the main queue have to run, as the
/// code under test has to. If something blocks the main queue, so that a turn never ends, a wait lasts three times as long. If no
/// task runs, it lasts nine times as long: on a busy machine, other tests may occupy all threads of tasks for seconds. One countdown
/// serves all waits, since nearly all of them are over before their first turn.
enum Countdown {
  private struct Wait {
    var turns: Int
    /// The longest time that the main queue may take in a turn.
    let limit: Duration
    let began = ContinuousClock.now
    let isOver: @Sendable () -> Bool
    let end: @Sendable () -> Void
  }

  /// The current waits, the beginning of the turn, and whether its tasks have run, so that only the main queue is left.
  private static let state = Locked<(waits: [Wait], turnBegan: ContinuousClock.Instant, tasksRun: Bool)>(([], .now, false))
  private static let turn = 0.05

  /// Counts as long as the process lives, from the first wait on.
  private static let start: Void = {
    Task.detached {
      while true {
        try? await Task.sleep(for: .seconds(turn))
        for priority in [TaskPriority.medium, .utility, .background] { await threadIsFree(for: priority) }
        state.withLock { ($0.turnBegan, $0.tasksRun) = (.now, true) }
        await mainQueueIsFree()
        pass(turns: 1)
      }
    }
    // Nothing blocks a thread of its own, so it notices a turn that never ends.
    Thread.detachNewThread {
      while true {
        Thread.sleep(forTimeInterval: 10 * turn)
        pass(turns: 0)
      }
    }
  }()

  /// Begins a wait.
  ///
  /// - Parameters:
  ///   - seconds: The time in seconds after which it ends, on a machine that is not busy.
  ///   - isOver: A closure that returns whether the wait is no longer needed.
  ///   - end: A closure that ends the wait.
  static func begin(
    _ seconds: TimeInterval, until isOver: @escaping @Sendable () -> Bool, end: @escaping @Sendable () -> Void
  ) {
    let wait = Wait(
      turns: Int((seconds / turn).rounded(.up)), limit: .seconds(3 * seconds), isOver: isOver, end: end)
    state.withLock { $0.waits.append(wait) }
    _ = start
  }

  /// Waits until a task with a priority has run. To await its value would raise the priority.
  static func threadIsFree(for priority: TaskPriority) async {
    await withCheckedContinuation { continuation in
      Task.detached(priority: priority) { continuation.resume() }
    }
  }

  private static func mainQueueIsFree() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }

  /// Counts down by a number of turns, and ends the waits whose time is up.
  private static func pass(turns: Int) {
    let ended = state.withLock { state -> [Wait] in
      state.waits.removeAll { $0.isOver() }
      for index in state.waits.indices { state.waits[index].turns -= turns }
      let (now, turnBegan, factor) = (ContinuousClock.now, state.turnBegan, state.tasksRun ? 1 : 3)
      if turns > 0 { (state.turnBegan, state.tasksRun) = (now, false) }
      let isEnded = { (wait: Wait) in wait.turns < 0 || now - max(wait.began, turnBegan) > wait.limit * factor }
      defer { state.waits.removeAll(where: isEnded) }
      return state.waits.filter(isEnded)
    }
    for wait in ended { wait.end() }
  }
}

/// The end of a period that lasts longer on a busy machine: see ``Countdown``.
final class TimeLimit: Sendable {
  private let state = Locked(false)

  /// Begins the period.
  ///
  /// - Parameter seconds: Its length in seconds, on a machine that is not busy.
  init(seconds: TimeInterval) {
    Countdown.begin(seconds, until: { [weak self] in self == nil }, end: { [weak self] in self?.state.withLock { $0 = true } })
  }

  /// Whether the period has ended.
  var isOver: Bool {
    state.withLock { $0 }
  }
}
