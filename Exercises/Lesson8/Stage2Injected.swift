import Given

/// Stage 2: the logger is injected.
enum Injected {
  /// Shows the transactions, and logs how long they took.
  final class TransactionsListViewModel {
    /// What the list shows.
    private(set) var items: [TransactionsListItem] = []
    /// What went wrong; `nil` when nothing did.
    private(set) var message: String?

    private let loader: any TransactionsLoading
    private let logger: any Logging
    private let now: () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - loader: Where the transactions come from.
    ///   - logger: Where the messages go.
    ///   - now: Reads the stopwatch. The tests bring one of their own.
    init(loader: any TransactionsLoading, logger: any Logging, now: @escaping () -> ContinuousClock.Instant) {
      self.loader = loader
      self.logger = logger
      self.now = now
    }

    func loadTransactions() async {
      // Step 1: log through the logger, and measure with the stopwatch.
      let start = Date()
      do {
        let transactions = try await loader.loadTransactions()
        Logger.shared.log(LoadMessage.loaded(transactions.count, in: .seconds(Date().timeIntervalSince(start))))
        items = transactions.map(TransactionsListItem.init)
        message = nil
      } catch {
        Logger.shared.log(LoadMessage.failed(after: .seconds(Date().timeIntervalSince(start))))
        message = error.localizedDescription
      }
    }
  }
}
