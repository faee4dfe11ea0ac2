import Given
import Testing

/// Collects the values that a callback delivers on any queue, and waits for them with a deadline.
///
/// Pass ``receive(_:)`` as the completion, and then await ``only(_:settled:sourceLocation:)``.
public final class Inbox<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value] = []
    var waiting: [Int: (count: Int, continuation: CheckedContinuation<Bool, Never>)] = [:]
    /// The number of waits so far. Each wait gets the next number.
    var waits = 0
  }

  private let state = Locked(State())

  /// Creates an empty inbox.
  public init() {}

  /// The values delivered so far, oldest first.
  public var values: [Value] {
    state.withLock { $0.values }
  }

  /// Adds a value, and resumes the tests that wait for it.
  public func receive(_ value: Value) {
    let arrived: [CheckedContinuation<Bool, Never>] = state.withLock { state in
      state.values.append(value)
      if state.waiting.isEmpty { return [] }
      let arrived = state.waiting.filter { state.values.count >= $0.value.count }
      for id in arrived.keys { state.waiting[id] = nil }
      return arrived.values.map { $0.continuation }
    }
    for continuation in arrived { continuation.resume(returning: true) }
  }

  /// Waits until a number of values have been delivered, or until the test's ``Deadline`` ends.
  ///
  /// - Parameter count: The number of values to wait for, including the ones that have been delivered already.
  /// - Returns: Whether the values were delivered in time.
  @discardableResult
  public func receives(_ count: Int) async -> Bool {
    let seconds = Deadline.seconds
    let isInTime = await withCheckedContinuation { continuation in
      let id: Int? = state.withLock { state in
        guard state.values.count < count else { return nil }
        state.waits += 1
        state.waiting[state.waits] = (count, continuation)
        return state.waits
      }
      if let id {
        Countdown.begin(
          seconds, until: { [weak self] in self?.state.withLock { $0.waiting[id] } == nil },
          end: { [weak self] in
            self?.state.withLock { $0.waiting.removeValue(forKey: id) }?.continuation.resume(returning: false)
          })
      } else {
        continuation.resume(returning: true)
      }
    }
    Watchdog.ofThisProcess.noteProgress()
    if !isInTime { Deadline.current?.end() }
    return isInTime
  }

  /// Waits for the one value that a completion delivers, and checks that no second value follows.
  ///
  /// - Parameters:
  ///   - comment: The message for the learner if no value is delivered.
  ///   - settled: A closure that returns when all work that could deliver a second value has ended.
  ///   - sourceLocation: The source location of issues.
  /// - Returns: The first value.
  /// - Throws: An error if no value was delivered in time. It has been reported as an issue.
  public func only(
    _ comment: @autoclosure () -> Comment,
    settled: () async -> Void = { await mainQueueDrained() },
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Value {
    await receives(1)
    let delivered = values.first
    let value = try #require(delivered, comment(), sourceLocation: sourceLocation)
    await settled()
    let count = values.count
    #expect(
      count == 1, "The completion was called \(count) times. Call it exactly once on every path.",
      sourceLocation: sourceLocation)
    return value
  }
}

/// Makes an inbox of records usable as an in-memory log.
extension Inbox: HTTPLog where Value == HTTPLogRecord {
  public func add(_ record: HTTPLogRecord) {
    receive(record)
  }
}
