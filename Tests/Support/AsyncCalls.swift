import Given
import Testing

/// What every spy with async functions does: it writes down the calls, and each waits until the test answers it.
public final class AsyncCalls<Argument: Sendable, Value: Sendable>: Sendable {
  private struct Call {
    let argument: Argument
    var continuation: CheckedContinuation<Value, any Error>?
    var isCancelled = false
  }

  private struct State {
    var calls: [Call] = []
    /// What every call is answered with, once that has been decided.
    var standing: Result<Value, any Error>?
  }

  private let name: String
  private let state = Locked(State())
  private let arrivals = Inbox<Void>()

  /// - Parameter name: Who is called, as a sentence needs it: `"the loader"`.
  public init(to name: String) {
    self.name = name
  }

  /// What came with each call, oldest first.
  public var arguments: [Argument] {
    state.withLock { $0.calls.map(\.argument) }
  }

  /// How often it was called.
  public var count: Int {
    state.withLock { $0.calls.count }
  }

  /// Which calls were cancelled while they waited: 0 is the first.
  public var cancelled: [Int] {
    state.withLock { state in state.calls.indices.filter { state.calls[$0].isCancelled } }
  }

  /// Takes a call, and waits for its answer. Throws a `CancellationError` when its task is cancelled first.
  public func receive(_ argument: Argument) async throws -> Value {
    let index = state.withLock { state in
      state.calls.append(Call(argument: argument))
      return state.calls.count - 1
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer = state.withLock { state -> Result<Value, any Error>? in
          if state.calls[index].isCancelled { return .failure(CancellationError()) }
          if state.standing == nil { state.calls[index].continuation = continuation }
          return state.standing
        }
        if let answer { continuation.resume(with: answer) }
        arrivals.receive(())
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.calls[index].isCancelled = true
        return state.calls[index].continuation.take()
      }
      continuation?.resume(throwing: CancellationError())
    }
  }

  /// Waits for a number of calls: see ``Inbox/receives(_:)``.
  @discardableResult
  public func receives(_ count: Int) async -> Bool {
    await arrivals.receives(count)
  }

  /// Answers all calls that wait, and from now on each at once.
  ///
  /// - Parameter result: What they return or throw.
  public func answersEachCall(with result: Result<Value, any Error>) {
    let waiting = state.withLock { state in
      state.standing = result
      return state.calls.indices.compactMap { state.calls[$0].continuation.take() }
    }
    for continuation in waiting { continuation.resume(with: result) }
  }

  /// Answers a call.
  ///
  /// - Parameters:
  ///   - index: Which call: 0 is the first.
  ///   - result: What it returns or throws.
  ///   - sourceLocation: Where to report that there was no such call, or that it has ended.
  public func complete(
    _ index: Int = 0, with result: Result<Value, any Error>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let continuation = state.withLock { state in
      state.calls.indices.contains(index) ? state.calls[index].continuation.take() : nil
    }
    guard let continuation else {
      Issue.record(
        "There is nothing to answer: calls to \(name) so far: \(count). This test was about to answer number \(index + 1).",
        sourceLocation: sourceLocation)
      return
    }
    continuation.resume(with: result)
  }
}

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
