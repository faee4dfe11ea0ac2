import Given

/// Stage 3: the view model no longer logs.
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
        let transactions = try await loader.loadTransactions()
        items = transactions.map(TransactionsListItem.init)
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
@MainActor
final class LoggingTransactionsLoaderDecorator: TransactionsLoading {
  nonisolated(unsafe) private let decoratee: any TransactionsLoading
  nonisolated(unsafe) private let logger: any Logging
  nonisolated(unsafe) private let now: () -> ContinuousClock.Instant

  /// - Parameters:
  ///   - decoratee: The loader to forward calls to.
  ///   - logger: The logger that receives the messages.
  ///   - now: A closure that returns the current instant, as on a stopwatch.
  nonisolated init(decoratee: any TransactionsLoading, logger: any Logging, now: @escaping () -> ContinuousClock.Instant) {
    self.decoratee = decoratee
    self.logger = logger
    self.now = now
  }

  func loadTransactions() async throws -> [Transaction] {
    let report = Self.stopwatch(logger, now)
    do {
      let transactions = try await decoratee.loadTransactions()
      report { LoadMessage.loaded(transactions.count, in: $0) }
      return transactions
    } catch {
      report { LoadMessage.failed(after: $0) }
      throw error
    }
  }

  /// Starts to measure one load.
  ///
  /// - Returns: A closure that logs a message about the time since then.
  private static func stopwatch(
    _ logger: any Logging, _ now: @escaping () -> ContinuousClock.Instant
  ) -> (_ message: (Duration) -> String) -> Void {
    let start = now()
    return { message in logger.log(message(start.duration(to: now()))) }
  }
}
