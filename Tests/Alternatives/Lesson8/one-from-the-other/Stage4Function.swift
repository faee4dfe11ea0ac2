import Given

/// Stage 4: a function logs in place of the decorator.
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
  /// - Returns: A function that returns what `load` returns and throws what it throws.
  static func logged(
    _ load: @escaping LoadTransactions, logger: any Logging, now: @escaping () -> ContinuousClock.Instant
  ) -> LoadTransactions {
    {
      let start = now()
      let result: Result<[Transaction], any Error>
      do { result = .success(try await load()) } catch { result = .failure(error) }

      let duration = start.duration(to: now())
      switch result {
      case .success(let transactions): logger.log(LoadMessage.loaded(transactions.count, in: duration))
      case .failure: logger.log(LoadMessage.failed(after: duration))
      }
      return try result.get()
    }
  }
}
