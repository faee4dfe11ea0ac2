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
      // Step 3: show, and nothing else.
      let start = Date()
      do {
        let transactions = try await load()
        Logger.shared.log(LoadMessage.loaded(transactions.count, in: .seconds(Date().timeIntervalSince(start))))
        items = transactions.map(TransactionsListItem.init)
        message = nil
      } catch {
        Logger.shared.log(LoadMessage.failed(after: .seconds(Date().timeIntervalSince(start))))
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
    // Step 3: return a function that does what the decorator of step 2 does.
    load
  }
}
