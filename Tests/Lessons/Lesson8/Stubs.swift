import Given
import TestSupport

/// A loader that does what a closure does.
final class LoaderStub: TransactionsLoading {
  private let load: LoadTransactions

  init(load: @escaping LoadTransactions) { self.load = load }

  func loadTransactions() async throws -> [Transaction] { try await load() }
}

/// A service that does what a closure does.
final class ItemServiceStub: ItemService {
  private let load: @Sendable () async throws -> [String]

  init(load: @escaping @Sendable () async throws -> [String]) { self.load = load }

  func loadItems() async throws -> [String] { try await load() }
}

/// A logger in memory: an inbox of its messages.
extension Inbox: Logging where Value == String {
  public func log(_ message: String) { receive(message) }
}

/// A tracker in memory: an inbox of the values of each call.
extension Inbox: Tracker where Value == [String] {
  public func track(values: [String]) { receive(values) }
}

extension Transaction {
  static let rent = Self(payee: "Rent", cents: -90_000)
  static let salary = Self(payee: "Salary", cents: 250_005)
}

extension Running {
  /// Starts work in a task that may have been canceled before.
  init(isCanceled: Bool, _ work: sending @escaping () async throws -> Value) {
    self.init {
      if isCanceled { withUnsafeCurrentTask { $0?.cancel() } }
      return try await work()
    }
  }
}
