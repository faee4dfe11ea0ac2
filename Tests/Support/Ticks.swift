import Foundation
import Given

// Time is counted in ticks here, and no clock is read: while a debugger has stopped the process, or while the machine sleeps, one tick
// passes at most.

/// Ends each wait when its time is up, and gives all waits more time on a busy machine.
///
/// The time is counted in short turns. In each turn, a task of each priority and a block on the main queue have to run, as the
/// code under test has to. If something blocks the main queue, so that a turn never ends, a wait lasts three times as long. If no
/// task runs, it lasts nine times as long: on a busy machine, other tests may occupy all threads of tasks for seconds. One countdown
/// serves all waits, since nearly all of them are over before their first turn.
enum Countdown {
  private struct Wait {
    /// How many turns it lasts.
    let length: Int
    /// How many turns have passed.
    var turns = 0
    /// How many ticks have passed in the current step of a turn.
    var ticks = 0
    let isOver: @Sendable () -> Bool
    let end: @Sendable () -> Void
  }

  private static let waits = Locked<[Wait]>([])
  /// The length of a tick in seconds. A turn is a tick, and the steps after it.
  private static let tick = 0.05

  /// Counts as long as the process lives, from the first wait on. Nothing blocks a thread of its own.
  private static let start: Void = Thread.detachNewThread {
    while true {
      Thread.sleep(forTimeInterval: tick)
      step(lasting: 9) { end in
        Task.detached {
          for priority in [TaskPriority.high, .medium, .utility] { await threadIsFree(for: priority) }
          end()
        }
      }
      step(lasting: 3) { end in DispatchQueue.main.async { Task.detached(operation: end) } }
      count { wait in
        wait.turns += 1
        return wait.turns > wait.length
      }
    }
  }

  /// Begins a wait.
  ///
  /// - Parameters:
  ///   - seconds: The time in seconds after which it ends, on a machine that is not busy.
  ///   - isOver: A closure that returns whether the wait is no longer needed.
  ///   - end: A closure that ends the wait.
  static func begin(
    _ seconds: TimeInterval, until isOver: @escaping @Sendable () -> Bool, end: @escaping @Sendable () -> Void
  ) {
    let wait = Wait(length: Int((seconds / tick).rounded(.up)), isOver: isOver, end: end)
    waits.withLock { $0.append(wait) }
    _ = start
  }

  /// Waits until a task with a priority has run. To await its value would raise the priority.
  ///
  /// Never wait for one with the priority `background`: Apple's systems can hold it back without end.
  static func threadIsFree(for priority: TaskPriority) async {
    await withCheckedContinuation { continuation in
      Task.detached(priority: priority) { continuation.resume() }
    }
  }

  /// Performs a step of a turn, and waits until it ends. If it does not, waits last longer: `factor` times, and half a second.
  private static func step(lasting factor: Int, _ perform: (_ end: @escaping @Sendable () -> Void) -> Void) {
    let hasEnded = DispatchSemaphore(value: 0)
    perform { hasEnded.signal() }
    while hasEnded.wait(timeout: .now() + tick) == .timedOut {
      count { wait in
        wait.ticks += 1
        return wait.ticks > factor * wait.length + 10
      }
    }
    count { wait in
      wait.ticks = 0
      return false
    }
  }

  /// Counts in each wait, and ends those whose time is up.
  private static func count(_ timeIsUp: (inout Wait) -> Bool) {
    let ended = waits.withLock { waits in
      waits.removeAll { $0.isOver() }
      return waits.indices.reversed().compactMap { timeIsUp(&waits[$0]) ? waits.remove(at: $0) : nil }
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

extension DispatchSemaphore {
  /// Waits for a signal. The time is counted in ticks, so it does not end while a debugger has stopped the process.
  ///
  /// - Parameter seconds: The longest time to wait, in seconds.
  /// - Returns: Whether there was a signal in time.
  @discardableResult
  public func wait(atMost seconds: TimeInterval) -> Bool {
    let tick = max(0.001, seconds / 100)
    return stride(from: 0, to: seconds, by: tick).contains { _ in wait(timeout: .now() + tick) == .success }
  }
}

/// Measures time in ticks: none passes while a debugger has stopped the process, or while the machine sleeps.
public final class Stopwatch: Sendable {
  private static let tick = 0.01
  private let ticks = Locked(0)

  /// Starts a stopwatch.
  public init() {
    Thread.detachNewThread { [weak self] in
      repeat { Thread.sleep(forTimeInterval: Self.tick) } while self?.ticks.withLock { $0 += 1 } != nil
    }
  }

  /// The time since the start in seconds, rounded up to a tick.
  public var seconds: TimeInterval {
    ticks.withLock { Double($0 + 1) * Self.tick }
  }
}
