import Given

/// Stage 3: the view model does not log any more.
enum Decorated {
  /// Shows the transactions.
  final class TransactionsListViewModel {
    /// What the list shows.
    private(set) var items: [TransactionsListItem] = []
    /// What went wrong; `nil` when nothing did.
    private(set) var message: String?

    private let loader: any TransactionsLoading

    /// - Parameter loader: Where the transactions come from.
    init(loader: any TransactionsLoading) {
      self.loader = loader
    }

    func loadTransactions() async {
      // Step 2: show, and nothing else.
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

/// Logs every load of the transactions, and how long it took.
///
/// Knows about the log and nothing else: it hands over what its decoratee loads, and throws what it throws.
final class LoggingTransactionsLoaderDecorator: TransactionsLoading {
  private let decoratee: any TransactionsLoading
  private let logger: any Logging
  private let now: () -> ContinuousClock.Instant

  /// - Parameters:
  ///   - decoratee: Whom to ask.
  ///   - logger: Where the messages go.
  ///   - now: Reads the stopwatch. The tests bring one of their own.
  init(decoratee: any TransactionsLoading, logger: any Logging, now: @escaping () -> ContinuousClock.Instant) {
    self.decoratee = decoratee
    self.logger = logger
    self.now = now
  }

  func loadTransactions() async throws -> [Transaction] {
    // Step 2: one message for each load.
    try await decoratee.loadTransactions()
  }
}
