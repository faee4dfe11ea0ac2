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

/// Lets each task come as far as it can: a task with a low priority runs when no other can.
///
/// - Parameter holds: A condition that holds once the tasks have come so far.
public func tasksSettled(until holds: () -> Bool = { false }) async {
  for round in 0..<20 where round < 1 || !holds() { await Countdown.threadIsFree(for: .utility) }
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
  return isDone.wait(atMost: seconds)
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
