import Given
import TestSupport
import Testing

/// Runs tasks on one queue, so that a test can tell when all of them are suspended.
///
/// A task that starts on it runs here until it's suspended, and so does everything that it calls, actors included.
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

  /// Waits until no task can continue here: each has ended, or is suspended until something else resumes it.
  ///
  /// It gives up if a task blocks the queue. That task never ends, which the test or the story then notices.
  func settled() async {
    let isSettled = Inbox<Void>()
    check(for: isSettled)
    await isSettled.receives(1)
  }

  private func check(for isSettled: Inbox<Void>) {
    queue.async { [self, weak isSettled] in
      guard let isSettled else { return }
      if pending.withLock({ $0 }) == 0 { isSettled.receive(()) } else { check(for: isSettled) }
    }
  }
}
