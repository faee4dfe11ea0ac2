import Given

/// The suspension of a task until a test resumes it, or until it is canceled.
final class Suspension<Value: Sendable>: Sendable {
  private let state = Locked<(continuation: CheckedContinuation<Value, any Error>?, isCanceled: Bool)>((nil, false))

  /// Whether the task was canceled while it was suspended.
  var isCanceled: Bool {
    state.withLock { $0.isCanceled }
  }

  /// Suspends the current task.
  ///
  /// - Parameter onSuspended: A closure that is called as soon as the task can be resumed.
  /// - Returns: The value that the test resumes the task with.
  /// - Throws: The error that the test resumes the task with, or a `CancellationError` if the task is canceled first.
  func wait(_ onSuspended: () -> Void) async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCanceled = state.withLock { state in
          if !state.isCanceled { state.continuation = continuation }
          return state.isCanceled
        }
        if isCanceled { continuation.resume(throwing: CancellationError()) }
        onSuspended()
      }
    } onCancel: {
      state.withLock { $0.isCanceled = true }
      resume(with: .failure(CancellationError()))
    }
  }

  /// Resumes the task, if it is suspended.
  ///
  /// - Returns: Whether the task was suspended.
  @discardableResult
  func resume(with result: Result<Value, any Error>) -> Bool {
    let continuation = state.withLock { $0.continuation.take() }
    continuation?.resume(with: result)
    return continuation != nil
  }
}
