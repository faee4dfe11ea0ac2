import Given

/// The place that decides what is logged and what is tracked in each context.
struct CompositionRoot {
  /// The context that the app runs in.
  enum Context: CaseIterable {
    /// On developers' devices, where the app logs and tracks.
    case debug
    /// On users' devices, where the app tracks.
    case release
    /// In tests, where the app neither logs nor tracks.
    case tests
  }

  let context: Context
  /// The logger that receives the messages.
  let logger: any Logging
  /// The tracker that counts the values.
  let tracker: any Tracker
  /// A closure that returns the current instant, as on a stopwatch.
  let now: @Sendable () -> ContinuousClock.Instant

  /// Returns the loader for the list of transactions.
  ///
  /// - Parameter loader: The loader of the transactions.
  func transactionsLoader(_ loader: any TransactionsLoading) -> any TransactionsLoading {
    // Step 3: in which contexts does the app log?
    loader
  }

  /// Returns the service for the shop.
  ///
  /// - Parameter service: The service that loads the items.
  func itemService(_ service: any ItemService) -> any ItemService {
    // Step 3: in which contexts does the app track?
    service
  }
}
