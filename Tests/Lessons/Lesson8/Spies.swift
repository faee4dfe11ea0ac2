import Given
import TestSupport

/// A `TransactionsLoading` whose calls wait until the test completes them.
final class TransactionsLoaderSpy: TransactionsLoading, Sendable {
  /// The calls, to be completed by the test.
  let calls: AsyncCalls<Void, [Transaction]>

  /// - Parameter result: What each call ends with immediately, even in a canceled task; `nil` if the test completes it.
  init(endingWith result: Result<[Transaction], any Error>? = nil) {
    calls = AsyncCalls(to: "the loader", endsWhenCanceled: result == nil)
    if let result { calls.completesEachCall(with: result) }
  }

  func loadTransactions() async throws -> [Transaction] {
    try await calls.receive(())
  }
}

/// An `ItemService` whose calls wait until the test completes them.
final class ItemServiceSpy: ItemService, Sendable {
  /// The calls, to be completed by the test.
  let calls: AsyncCalls<Void, [String]>

  /// - Parameter result: What each call ends with immediately, even in a canceled task; `nil` if the test completes it.
  init(endingWith result: Result<[String], any Error>? = nil) {
    calls = AsyncCalls(to: "the service", endsWhenCanceled: result == nil)
    if let result { calls.completesEachCall(with: result) }
  }

  func loadItems() async throws -> [String] {
    try await calls.receive(())
  }
}

/// A logger in memory: an inbox of its messages.
extension Inbox: Logging where Value == String {
  public func log(_ message: String) {
    receive(message)
  }
}

/// A tracker in memory: an inbox of the values of each call.
extension Inbox: Tracker where Value == [String] {
  public func track(values: [String]) {
    receive(values)
  }
}
