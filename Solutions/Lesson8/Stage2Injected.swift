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
      let start = now()
      do {
        let transactions = try await loader.loadTransactions()
        logger.log(LoadMessage.loaded(transactions.count, in: start.duration(to: now())))
        items = transactions.map(TransactionsListItem.init)
        message = nil
      } catch {
        logger.log(LoadMessage.failed(after: start.duration(to: now())))
        message = error.localizedDescription
      }
    }
  }
}
