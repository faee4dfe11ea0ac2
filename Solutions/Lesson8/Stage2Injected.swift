import Given

/// Stage 2: the view model logs through an injected logger. Read this file, and leave it unchanged.
enum Injected {
  /// Shows the transactions, and logs every load and its duration.
  @MainActor
  final class TransactionsListViewModel {
    /// The rows of the list.
    private(set) var items: [TransactionsListItem] = []
    /// The message about the last error, or `nil` if there is none.
    private(set) var message: String?

    private let loader: any TransactionsLoading
    private let logger: any Logging
    private let now: () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - loader: The loader of the transactions.
    ///   - logger: The logger that receives the messages.
    ///   - now: A closure that returns the current instant, as on a stopwatch.
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
