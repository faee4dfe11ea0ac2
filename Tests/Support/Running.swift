import Given
import Testing

/// Work that runs while the test continues.
public struct Running<Value: Sendable>: Sendable {
  private let outcomes = Inbox<Result<Value, any Error>>()
  private let task: Task<Void, Never>

  /// Starts work.
  ///
  /// - Parameter work: The work. It inherits the test's priority, task-local values, and actor isolation.
  public init(_ work: sending @escaping @isolated(any) () async throws -> Value) {
    task = Task { [outcomes] in
      do {
        outcomes.receive(.success(try await work()))
      } catch {
        outcomes.receive(.failure(error))
      }
    }
  }

  /// Starts work on an executor.
  ///
  /// - Parameters:
  ///   - executor: The executor to run the work on.
  ///   - work: The work.
  public init(on executor: some TaskExecutor, _ work: sending @escaping () async throws -> Value) {
    task = Task(executorPreference: executor) { [outcomes] in
      do {
        outcomes.receive(.success(try await work()))
      } catch {
        outcomes.receive(.failure(error))
      }
    }
  }

  /// Cancels the work.
  public func cancel() {
    task.cancel()
  }

  /// Whether the work has ended.
  public var hasEnded: Bool {
    !outcomes.values.isEmpty
  }

  /// Waits for the work to end.
  ///
  /// - Parameters:
  ///   - comment: The message for the learner if it does not end.
  ///   - sourceLocation: The source location of issues.
  /// - Returns: The value that the work returned, or the error that it threw.
  /// - Throws: An error if the work has not ended in time. It has been reported as an issue.
  public func outcome(
    _ comment: Comment =
      "The call has not returned. If the test has ended everything that it may wait for, it is waiting for something else.",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Result<Value, any Error> {
    await outcomes.receives(1)
    let outcome = outcomes.values.first
    return try #require(outcome, comment, sourceLocation: sourceLocation)
  }
}
