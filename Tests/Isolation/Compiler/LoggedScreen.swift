// The page about Swift 6 mode links to this code. It compiles in Swift 5 and Swift 6 mode. With `-D WITHOUT_SENDABLE`, only in Swift 5 mode.

#if WITHOUT_SENDABLE
  protocol TransactionsLoading {
    func loadTransactions() async throws -> [String]
  }
#else
  protocol TransactionsLoading: Sendable {
    func loadTransactions() async throws -> [String]
  }
#endif

protocol Logging: Sendable {
  func log(_ message: String)
}

final class LoggingTransactionsLoaderDecorator: TransactionsLoading {
  private let decoratee: any TransactionsLoading
  private let logger: any Logging
  private let now: @Sendable () -> ContinuousClock.Instant

  init(decoratee: any TransactionsLoading, logger: any Logging, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    (self.decoratee, self.logger, self.now) = (decoratee, logger, now)
  }

  func loadTransactions() async throws -> [String] {
    let start = now()
    defer { logger.log("It took \(start.duration(to: now())).") }
    return try await decoratee.loadTransactions()
  }
}

@MainActor
final class TransactionsListViewModel {
  private(set) var items: [String] = []
  private let loader: any TransactionsLoading

  init(loader: any TransactionsLoading) {
    self.loader = loader
  }

  func loadTransactions() async {
    items = (try? await loader.loadTransactions()) ?? []
  }
}
