import Foundation
import Given
import Testing

/// Makes a run fail with a sentence if it would end too early, or never.
///
/// If code under test calls `exit(0)`, `swift test` would report a success. If it never returns, nothing would be reported at all.
package final class Watchdog: Sendable {
  package static let ofThisProcess = Watchdog(startsThread: true)

  /// The time without progress after which a run ends, in turns of half a second.
  ///
  /// A turn is counted in the thread of the watchdog. So no turn passes while a debugger has stopped the process at a breakpoint,
  /// and turns last longer on a busy machine.
  package static let limit = 40

  private struct State {
    /// The names of the suites and tests that are running.
    var running: [Test.ID: String] = [:]
    var turnsWithoutProgress = 0
    /// Whether a task has run since the last turn. If not, something blocks all threads, or the machine is very busy.
    var threadIsFree = true
    var isStarted = false
  }

  private let state = Locked(State())
  private let startsThread: Bool

  package init(startsThread: Bool = false) {
    self.startsThread = startsThread
  }

  /// Notes that a suite or a test begins.
  package func begin(_ test: Test) {
    let isFirst = state.withLock { state in
      defer { state.isStarted = true }
      state.running[test.id] = test.isSuite ? "" : test.displayName ?? test.name
      state.turnsWithoutProgress = 0
      return !state.isStarted
    }
    guard isFirst, startsThread else { return }
    atexit { Watchdog.ofThisProcess.fail(Watchdog.ofThisProcess.complaintAboutExit) }
    Thread.detachNewThread {
      while true {
        Thread.sleep(forTimeInterval: 0.5)
        self.fail(self.turn())
        Task.detached { self.state.withLock { $0.threadIsFree = true } }
      }
    }
  }

  /// Notes that a suite or a test has ended.
  package func end(_ test: Test) {
    state.withLock { state in
      state.running[test.id] = nil
      state.turnsWithoutProgress = 0
    }
  }

  /// Notes that a test has come a step further.
  package func noteProgress() {
    state.withLock { $0.turnsWithoutProgress = 0 }
  }

  /// What to say if the process exits now; `nil` if nothing is running.
  package var complaintAboutExit: String? {
    state.withLock { state in
      state.running.isEmpty
        ? nil : "the test process exited\(Self.during(state.running)). Look for a call to `exit`."
    }
  }

  /// Counts a turn.
  ///
  /// - Returns: What to say if the run has to end; `nil` if it may go on.
  package func turn() -> String? {
    state.withLock { state in
      guard !state.running.isEmpty else { return nil }
      // If no task can run, another test may be the reason, so a turn counts for a third.
      state.turnsWithoutProgress += state.threadIsFree ? 3 : 1
      state.threadIsFree = false
      guard state.turnsWithoutProgress > 3 * Self.limit else { return nil }
      return "no test made progress for \(Self.limit / 2) seconds\(Self.during(state.running)). "
        + "Look for an endless loop, for code that blocks its thread, such as a semaphore, a lock, or `sync`, "
        + "and for an `await` that nothing ends, such as a continuation that is never resumed."
    }
  }

  /// ` while "one call sends one request" was running`
  private static func during(_ running: [Test.ID: String]) -> String {
    let names = running.values.filter { !$0.isEmpty }.sorted().map { "\"\($0)\"" }
    switch names.count {
    case 0: return ""
    case 1...3: return " while \(names.joined(separator: " and ")) \(names.count == 1 ? "was" : "were") running"
    default: return " while \(names[0]) and \(names.count - 1) other tests were running"
    }
  }

  /// Ends the process, and makes `swift test` fail.
  private func fail(_ complaint: String?) {
    guard let complaint else { return }
    // `kata` looks for these words.
    FileHandle.standardError.write(Data("\n↳ This run has failed: \(complaint)\n".utf8))
    fflush(nil)
    _exit(1)
  }
}
