import Given
import Testing

/// A `TransactionsLoading` whose calls wait for the test.
public final class TransactionsLoaderSpy: TransactionsLoading, Sendable {
  /// The calls, to be answered by the test.
  public let calls = AsyncCalls<Void, [Transaction]>(to: "the loader")

  public init() {}

  public func loadTransactions() async throws -> [Transaction] {
    try await calls.receive(())
  }
}

/// An `ItemService` whose calls wait for the test.
public final class ItemServiceSpy: ItemService, Sendable {
  /// The calls, to be answered by the test.
  public let calls = AsyncCalls<Void, [String]>(to: "the service")

  public init() {}

  public func loadItems() async throws -> [String] {
    try await calls.receive(())
  }
}

/// A `Logging` in memory.
public final class LoggingSpy: Logging, Sendable {
  private let log = Locked<[String]>([])

  public init() {}

  /// The messages so far, oldest first.
  public var messages: [String] {
    log.withLock { $0 }
  }

  public func log(_ message: String) {
    log.withLock { $0.append(message) }
  }
}

/// A `Tracker` in memory.
public final class TrackerSpy: Tracker, Sendable {
  private let tracked = Locked<[[String]]>([])

  public init() {}

  /// The values of each call so far, oldest first.
  public var values: [[String]] {
    tracked.withLock { $0 }
  }

  public func track(values: [String]) {
    tracked.withLock { $0.append(values) }
  }
}
