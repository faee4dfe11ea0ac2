import Given
import TestSupport

import class Given.Locked

/// An `AsyncProfileService` that suspends each call until the test ends it, even if the call is canceled.
struct AsyncProfileServiceSpy: AsyncProfileService {
  let calls = AsyncCalls<Void, Profile>(to: "the service", endsWhenCanceled: false)

  func profile() async throws -> Profile { try await calls.receive(()) }
}

/// An `AsyncCredentialsRefresher` that suspends each call until the test ends it, even if the call is canceled.
struct AsyncCredentialsRefresherSpy: AsyncCredentialsRefresher {
  let calls = AsyncCalls<String, Credentials>(to: "the refresher", endsWhenCanceled: false)

  func refresh(with refreshToken: String) async throws -> Credentials { try await calls.receive(refreshToken) }
}

/// Runs a task on the current thread until it is suspended, and later on a queue.
///
/// So a test can tell when a call has come as far as it can, and lets two threads meet inside of two calls.
final class CurrentThread: TaskExecutor {
  /// One queue for all tasks: thousands of tasks are resumed at almost the same moment, and each busy queue needs a thread.
  private static let queue = DispatchQueue(label: "the tasks of a test")

  private let state = Locked<(jobs: [UnownedJob], isOver: Bool)>(([], false))

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isLater = state.withLock { state in
      if !state.isOver { state.jobs.append(job) }
      return state.isOver
    }
    if isLater { Self.queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
  }

  func runsUntilSuspended() {
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func next() -> UnownedJob? {
    state.withLock { state in
      state.isOver = state.jobs.isEmpty
      return state.isOver ? nil : state.jobs.removeFirst()
    }
  }
}
