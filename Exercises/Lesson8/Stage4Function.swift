import Given

/// Stage 4: the logging moves from the view model to a function.
enum Functional {
  /// Shows the transactions.
  @MainActor
  final class TransactionsListViewModel {
    /// The rows of the list.
    private(set) var items: [TransactionsListItem] = []
    /// The message about the last error, or `nil` if there is none.
    private(set) var message: String?

    private let load: LoadTransactions

    /// - Parameter load: A function that loads the transactions.
    init(load: @escaping LoadTransactions) {
      self.load = load
    }

    func loadTransactions() async {
      // Step 4: remove the logging here. What the view model shows stays unchanged.
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

  /// Makes a function that logs every load of the transactions and its duration.
  ///
  /// - Parameters:
  ///   - load: The function to call.
  ///   - logger: The logger that receives the messages.
  ///   - now: A closure that returns the current instant, as on a stopwatch.
  /// - Returns: A function that returns what `load` returns and throws what `load` throws.
  static func logged(
    _ load: @escaping LoadTransactions, logger: any Logging, now: @escaping @Sendable () -> ContinuousClock.Instant
  ) -> LoadTransactions {
    // Step 4: return a function that does what the decorator of step 1 does.
    load
  }
}
