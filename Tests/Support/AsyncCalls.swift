import Given
import Testing

/// The core of every spy with async functions: it records the calls, and each waits until the test completes it.
public final class AsyncCalls<Argument: Sendable, Value: Sendable>: Sendable {
  private let name: String
  private let calls = Inbox<(argument: Argument, suspension: Suspension<Value>)>()
  /// What every call ends with, once that has been decided.
  private let standing = Locked<Result<Value, any Error>?>(nil)

  /// - Parameter name: What is called, as a sentence needs it: `"the loader"`.
  public init(to name: String) {
    self.name = name
  }

  /// The argument of each call, oldest first.
  public var arguments: [Argument] {
    calls.values.map(\.argument)
  }

  /// How often it was called.
  public var count: Int {
    calls.values.count
  }

  /// Which calls were canceled while they waited: 0 is the first.
  public var cancelled: [Int] {
    calls.values.enumerated().filter(\.element.suspension.isCanceled).map(\.offset)
  }

  /// Records a call, and waits for its completion. Throws a `CancellationError` when its task is canceled first.
  public func receive(_ argument: Argument) async throws -> Value {
    let suspension = Suspension<Value>()
    return try await suspension.wait {
      calls.receive((argument, suspension))
      if let result = standing.withLock({ $0 }) { suspension.resume(with: result) }
    }
  }

  /// Waits for a number of calls: see ``Inbox/receives(_:)``.
  @discardableResult
  public func receives(_ count: Int) async -> Bool {
    await calls.receives(count)
  }

  /// Completes all calls that wait, and from now on each call immediately.
  ///
  /// - Parameter result: What they return or throw.
  public func answersEachCall(with result: Result<Value, any Error>) {
    standing.withLock { $0 = result }
    for call in calls.values { call.suspension.resume(with: result) }
  }

  /// Completes a call. If its task was canceled, the call has ended already, and nothing happens.
  ///
  /// - Parameters:
  ///   - index: Which call: 0 is the first.
  ///   - result: What it returns or throws.
  ///   - sourceLocation: Where to report that there was no such call, or that it has ended.
  public func complete(
    _ index: Int = 0, with result: Result<Value, any Error>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let calls = calls.values
    let isOver =
      calls.indices.contains(index) && (calls[index].suspension.resume(with: result) || calls[index].suspension.isCanceled)
    if !isOver { recordMissingCall(index, of: calls.count, to: name, sourceLocation: sourceLocation) }
  }
}
