import Given
import Testing

/// Work that runs beside the test.
public struct Running<Value: Sendable>: Sendable {
  private let outcomes = Inbox<Result<Value, any Error>>()
  private let task: Task<Void, Never>

  /// - Parameter work: What to run. It inherits the test's priority and task-local values, and its actor if it is bound to one.
  public init(_ work: sending @escaping @isolated(any) () async throws -> Value) {
    task = Task { [outcomes] in
      do {
        outcomes.receive(.success(try await work()))
      } catch {
        outcomes.receive(.failure(error))
      }
    }
  }

  /// - Parameters:
  ///   - executor: Where to run it.
  ///   - work: What to run.
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

  /// Waits for the end of the work.
  ///
  /// - Parameters:
  ///   - comment: What to tell the learner when it does not end.
  ///   - sourceLocation: Where to report.
  /// - Returns: What it returned or threw.
  /// - Throws: When it has not ended in time, which is reported by then.
  public func outcome(
    _ comment: Comment = "The call has not come back: it waits for something that never comes, or it has asked a second time.",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Result<Value, any Error> {
    await outcomes.receives(1)
    let outcome = outcomes.values.first
    return try #require(outcome, comment, sourceLocation: sourceLocation)
  }
}
