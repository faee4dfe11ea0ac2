import Given

/// Takes down how every load of the feed ended.
///
/// Knows about the log and nothing else: it returns what its decoratee returns, and throws what it throws.
struct LoggingFeedLoaderDecorator: AsyncFeedLoader {
  private let decoratee: any AsyncFeedLoader
  private let log: any LoadLog

  /// - Parameters:
  ///   - decoratee: Whom to ask.
  ///   - log: Where the events go.
  init(decoratee: any AsyncFeedLoader, log: any LoadLog) {
    self.decoratee = decoratee
    self.log = log
  }

  func feed() async throws -> [FeedImage] {
    // Step 2: add one event for each load.
    try await decoratee.feed()
  }
}
