import Given

/// Stage 4: the same with functions.
enum Functional {
  /// Shows the transactions.
  final class TransactionsListViewModel {
    /// What the list shows.
    private(set) var items: [TransactionsListItem] = []
    /// What went wrong; `nil` when nothing did.
    private(set) var message: String?

    private let load: LoadTransactions

    /// - Parameter load: Loads the transactions.
    init(load: @escaping LoadTransactions) {
      self.load = load
    }

    func loadTransactions() async {
      do {
        items = try await load().map(TransactionsListItem.init)
        message = nil
      } catch {
        message = error.localizedDescription
      }
    }
  }

  /// Makes a function that logs every load of the transactions, and how long it took.
  ///
  /// - Parameters:
  ///   - load: What to call.
  ///   - logger: Where the messages go.
  ///   - now: Reads the stopwatch. The tests bring one of their own.
  /// - Returns: A function that returns what `load` returns, and throws what it throws.
  static func logged(
    _ load: @escaping LoadTransactions, logger: any Logging, now: @escaping () -> ContinuousClock.Instant
  ) -> LoadTransactions {
    {
      let start = now()
      do {
        let transactions = try await load()
        logger.log(LoadMessage.loaded(transactions.count, in: start.duration(to: now())))
        return transactions
      } catch {
        logger.log(LoadMessage.failed(after: start.duration(to: now())))
        throw error
      }
    }
  }
}
