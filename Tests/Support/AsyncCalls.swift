import Given
import Testing

/// The core of every spy with async functions. It records calls, and suspends each one until the test completes it.
public final class AsyncCalls<Argument: Sendable, Value: Sendable>: Sendable {
  private let name: String
  private let endsWhenCanceled: Bool
  private let calls = Inbox<(argument: Argument, suspension: Suspension<Value>)>()
  /// The result of every further call, once a test has set it.
  private let standing = Locked<Result<Value, any Error>?>(nil)

  /// Creates a core without calls.
  ///
  /// - Parameters:
  ///   - name: The name of the spy's role in messages, for example `"the loader"`.
  ///   - endsWhenCanceled: Whether a cancellation ends a call. If not, only the test does.
  public init(to name: String, endsWhenCanceled: Bool = true) {
    (self.name, self.endsWhenCanceled) = (name, endsWhenCanceled)
  }

  /// The argument of each call, oldest first.
  public var arguments: [Argument] {
    calls.values.map { $0.argument }
  }

  /// The number of calls.
  public var count: Int {
    calls.values.count
  }

  /// The indexes of the calls that were canceled while they were suspended.
  public var canceled: [Int] {
    let calls = calls.values
    return calls.indices.filter { calls[$0].suspension.isCanceled }
  }

  /// Records a call, and waits for the test to complete it.
  ///
  /// - Parameter argument: The argument of the call.
  /// - Returns: The value that the test completes the call with.
  /// - Throws: The error that the test completes the call with, or a `CancellationError` if the task is canceled first.
  public func receive(_ argument: Argument) async throws -> Value {
    let suspension = Suspension<Value>()
    return try await suspension.wait(endsWhenCanceled: endsWhenCanceled) {
      calls.receive((argument, suspension))
      if let result = standing.withLock({ $0 }) { suspension.resume(with: result) }
    }
  }

  /// The indexes of the calls that are suspended.
  public var unfinished: [Int] {
    let calls = calls.values
    return calls.indices.filter { calls[$0].suspension.isSuspended }
  }

  /// Waits for a number of calls. See ``Inbox/receives(_:)``.
  @discardableResult
  public func receives(_ count: Int) async -> Bool {
    await calls.receives(count)
  }

  /// Completes every suspended call, and every further call immediately.
  ///
  /// - Parameter result: The result of the calls.
  public func completesEachCall(with result: Result<Value, any Error>) {
    standing.withLock { $0 = result }
    for call in calls.values { call.suspension.resume(with: result) }
  }

  /// Completes a call. Reports an issue if there is no such call, or if it has been completed. A canceled call has ended already:
  /// nothing happens.
  ///
  /// - Parameters:
  ///   - index: The index of the call; 0 is the first.
  ///   - result: The result of the call.
  ///   - sourceLocation: The source location of issues.
  public func complete(
    _ index: Int = 0, with result: Result<Value, any Error>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let calls = calls.values
    let isOver =
      calls.indices.contains(index) && (calls[index].suspension.resume(with: result) || calls[index].suspension.isCanceled)
    if !isOver { recordMissingCall(index, of: calls.count, to: name, sourceLocation: sourceLocation) }
  }
}

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
