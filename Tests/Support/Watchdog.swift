import Foundation
import Given
import Testing

/// Ends a run with a sentence if it would never end: if code under test never returns, nothing would be reported at all.
package final class Watchdog: Sendable {
  package static let ofThisProcess: Watchdog = {
    let watchdog = Watchdog()
    // A thread of its own runs even if code under test blocks all others. It counts, and reads no clock, so no time passes while a
    // debugger has stopped the process at a breakpoint.
    Thread.detachNewThread {
      while true {
        Thread.sleep(forTimeInterval: 0.5)
        if let complaint = watchdog.halfASecondHasPassed() { fail(complaint) }
        Task.detached { watchdog.taskHasRun() }
      }
    }
    return watchdog
  }()

  /// The number of half seconds without progress after which a run ends: 20 seconds, or 60 if no task can run.
  package static let limit = 40

  private struct State {
    /// The names of the suites and tests that are running.
    var running: [Test.ID: String] = [:]
    /// For how many half seconds nothing has made progress, those in which a task has run, and the others.
    var silence = (withTasks: 0, without: 0)
    /// Whether a task has run in this half second. If not, something blocks all threads, or the machine is very busy.
    var taskHasRun = true
  }

  private let state = Locked(State())

  package init() {}

  /// Notes that a suite or a test begins.
  package func begin(_ test: Test) {
    state.withLock { state in
      state.running[test.id] = test.isSuite ? "" : test.displayName ?? test.name
      state.silence = (0, 0)
    }
  }

  /// Notes that a suite or a test has ended.
  package func end(_ test: Test) {
    state.withLock { state in
      state.running[test.id] = nil
      state.silence = (0, 0)
    }
  }

  /// Notes that a test has come a step further.
  package func noteProgress() {
    state.withLock { $0.silence = (0, 0) }
  }

  /// Notes that a task has run, so that not everything is blocked.
  package func taskHasRun() {
    state.withLock { $0.taskHasRun = true }
  }

  /// Counts half a second.
  ///
  /// - Returns: What to say if the run has to end; `nil` if it may go on.
  package func halfASecondHasPassed() -> String? {
    state.withLock { state in
      if state.taskHasRun { state.silence.withTasks += 1 } else { state.silence.without += 1 }
      state.taskHasRun = false
      let (withTasks, without) = state.silence
      // If no task can run, another test may be the reason, so a test gets three times as long.
      guard !state.running.isEmpty, 3 * withTasks + without > 3 * Self.limit else { return nil }
      return "no test made progress for \((withTasks + without) / 2) seconds\(Self.during(state.running)). "
        + "Look for an endless loop, for code that blocks its thread, such as a semaphore, a lock, or `sync`, "
        + "and for an `await` that nothing ends, such as a continuation that is never resumed."
    }
  }

  /// ` while "one call sends one request" was running`
  private static func during(_ running: [Test.ID: String]) -> String {
    // With `KATA_ALL`, there can be hundreds. The first three have to do.
    let names = running.values.filter { !$0.isEmpty }.sorted().prefix(3).map { "\"\($0)\"" }
    return names.isEmpty ? "" : " while \(names.joined(separator: " and ")) \(names.count == 1 ? "was" : "were") running"
  }

  /// Ends the process, and makes `swift test` fail.
  private static func fail(_ complaint: String) {
    // `kata` and `.ci/variants` look for these words.
    FileHandle.standardError.write(Data("\n↳ This run has failed: \(complaint)\n".utf8))
    fflush(nil)
    _exit(1)
  }
}
