import Given
import Testing

/// Collects what a callback delivers, from whatever queue, and waits for it with a deadline.
///
/// Pass ``receive(_:)`` where a completion is wanted, then ask for ``only(_:settled:sourceLocation:)``.
public final class Inbox<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value] = []
    var waiting: [UUID: (count: Int, continuation: CheckedContinuation<Bool, Never>)] = [:]
  }

  private let state = Locked(State())

  public init() {}

  /// Everything delivered so far, oldest first.
  public var values: [Value] {
    state.withLock { $0.values }
  }

  /// Takes a value and wakes those who wait for it.
  public func receive(_ value: Value) {
    let arrived = state.withLock { state in
      state.values.append(value)
      let arrived = state.waiting.filter { state.values.count >= $0.value.count }
      for id in arrived.keys { state.waiting[id] = nil }
      return arrived.values.map(\.continuation)
    }
    for continuation in arrived { continuation.resume(returning: true) }
  }

  /// Waits until a number of values has been delivered, for as long as the test's ``Patience`` lasts.
  ///
  /// - Parameter count: The number of values to wait for, including those that have been delivered already.
  /// - Returns: Whether they were delivered in time.
  @discardableResult
  public func receives(_ count: Int) async -> Bool {
    let id = UUID()
    let deadline = Patience.seconds
    let isInTime = await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.values.count >= count { return true }
        state.waiting[id] = (count, continuation)
        return false
      }
      if isThere {
        continuation.resume(returning: true)
      } else {
        DispatchQueue.global().asyncAfter(deadline: .now() + deadline) { [weak self] in
          self?.state.withLock { $0.waiting.removeValue(forKey: id) }?.continuation.resume(returning: false)
        }
      }
    }
    if !isInTime { Patience.current?.end() }
    return isInTime
  }

  /// Waits for the one value that a completion delivers, and checks that no second one follows.
  ///
  /// - Parameters:
  ///   - comment: What to tell the learner when nothing comes.
  ///   - settled: Returns when all work that could deliver a second value has been done.
  ///   - sourceLocation: Where to report.
  /// - Returns: The first value.
  /// - Throws: When nothing came in time, which it has reported by then.
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
      count == 1, "The completion was called \(count) times. Its caller counts on exactly one answer.",
      sourceLocation: sourceLocation)
    return value
  }
}

/// A log in memory is an inbox for its records.
extension Inbox: HTTPLog where Value == HTTPLogRecord {
  public func add(_ record: HTTPLogRecord) {
    receive(record)
  }
}
