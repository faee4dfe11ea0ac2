import Foundation
import Given
import Testing

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
