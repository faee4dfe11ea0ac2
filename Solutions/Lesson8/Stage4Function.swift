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
      do {
        items = try await load().map(TransactionsListItem.init)
        message = nil
      } catch {
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
