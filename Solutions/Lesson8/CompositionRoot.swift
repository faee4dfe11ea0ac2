import Given

/// Decides what is logged and what is tracked, in each context.
struct CompositionRoot {
  /// Where the app runs.
  enum Context: CaseIterable {
    /// On our own devices: it logs and tracks.
    case debug
    /// On our users' devices: it tracks.
    case release
    /// In tests: it does neither.
    case tests
  }

  let context: Context
  /// Where the messages go.
  let logger: any Logging
  /// Who counts the values.
  let tracker: any Tracker
  /// Reads the stopwatch. The tests bring one of their own.
  let now: () -> ContinuousClock.Instant

  /// What the list of transactions is to be given.
  ///
  /// - Parameter loader: Where the transactions come from.
  func transactionsLoader(_ loader: any TransactionsLoading) -> any TransactionsLoading {
    switch context {
    case .debug: LoggingTransactionsLoaderDecorator(decoratee: loader, logger: logger, now: now)
    case .release, .tests: loader
    }
  }

  /// What the shop is to be given.
  ///
  /// - Parameter service: Where the items come from.
  func itemService(_ service: any ItemService) -> any ItemService {
    switch context {
    case .debug, .release: AnalyticsItemServiceDecorator(decoratee: service, tracker: tracker)
    case .tests: service
    }
  }
}
