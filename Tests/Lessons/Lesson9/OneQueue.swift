import Given
import TestSupport
import Testing

/// Runs tasks on one queue, so that a test can tell when all of them wait for something.
///
/// A task that was started on it runs here up to its next wait, and what it calls as well, actors included.
final class OneQueue: TaskExecutor {
  private let queue = DispatchQueue(label: "one queue for all tasks of a test")
  private let pending = Locked(0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pending.withLock { $0 += 1 }
    queue.async { [self] in
      job.runSynchronously(on: asUnownedTaskExecutor())
      pending.withLock { $0 -= 1 }
    }
  }

  /// Waits until no task has anything to do here: each has ended, or waits for somebody else.
  func settled() async {
    repeat {
      await finished(on: queue) {}
    } while pending.withLock({ $0 }) > 0
  }
}
