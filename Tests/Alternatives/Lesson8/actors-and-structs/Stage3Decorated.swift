import Given

/// Stage 3: the logging moves from the view model to a decorator.
enum Decorated {
  /// Shows the transactions.
  @MainActor
  final class TransactionsListViewModel {
    /// The rows of the list.
    private(set) var items: [TransactionsListItem] = []
    /// The message about the last error, or `nil` if there is none.
    private(set) var message: String?

    private let loader: any TransactionsLoading

    /// - Parameter loader: The loader of the transactions.
    init(loader: any TransactionsLoading) {
      self.loader = loader
    }

    func loadTransactions() async {
      do {
        items = try await loader.loadTransactions().map(TransactionsListItem.init)
        message = nil
      } catch {
        message = error.localizedDescription
      }
    }
  }
}

/// A loader that logs every load of the transactions and its duration.
///
/// This decorator handles the log only. It returns what its decoratee returns and throws what its decoratee throws.
actor LoggingTransactionsLoaderDecorator: TransactionsLoading {
  private let decoratee: any TransactionsLoading
  private let logger: any Logging
  private let now: @Sendable () -> ContinuousClock.Instant

  /// - Parameters:
  ///   - decoratee: The loader to forward calls to.
  ///   - logger: The logger that receives the messages.
  ///   - now: A closure that returns the current instant, as on a stopwatch.
  init(decoratee: any TransactionsLoading, logger: any Logging, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    self.decoratee = decoratee
    self.logger = logger
    self.now = now
  }

  func loadTransactions() async throws -> [Transaction] {
    let start = now()
    do {
      let transactions = try await decoratee.loadTransactions()
      logger.log(LoadMessage.loaded(transactions.count, in: start.duration(to: now())))
      return transactions
    } catch {
      logger.log(LoadMessage.failed(after: start.duration(to: now())))
      throw error
    }
  }
}
