import Given

/// The suspension of a task until a test resumes it, or until it is canceled.
final class Suspension<Value: Sendable>: Sendable {
  private let state = Locked<(continuation: CheckedContinuation<Value, any Error>?, isCanceled: Bool)>((nil, false))

  /// Whether the task was canceled while it was suspended.
  var isCanceled: Bool {
    state.withLock { $0.isCanceled }
  }

  /// Whether the task is suspended.
  var isSuspended: Bool {
    state.withLock { $0.continuation != nil }
  }

  /// Suspends the current task.
  ///
  /// - Parameters:
  ///   - endsWhenCanceled: Whether a cancellation resumes the task. If not, only the test does.
  ///   - onSuspended: A closure that is called as soon as the task can be resumed.
  /// - Returns: The value that the test resumes the task with.
  /// - Throws: The error that the test resumes the task with, or a `CancellationError` if the task is canceled first.
  func wait(endsWhenCanceled: Bool = true, _ onSuspended: () -> Void) async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state in
          let isOver = state.isCanceled && endsWhenCanceled
          if !isOver { state.continuation = continuation }
          return isOver
        }
        if isOver { continuation.resume(throwing: CancellationError()) }
        onSuspended()
      }
    } onCancel: {
      state.withLock { $0.isCanceled = true }
      if endsWhenCanceled { resume(with: .failure(CancellationError())) }
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
