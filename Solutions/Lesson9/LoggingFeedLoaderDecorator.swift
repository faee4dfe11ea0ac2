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
    do {
      let feed = try await decoratee.feed()
      log.add(.loaded(feed.count))
      return feed
    } catch {
      log.add(isCancellation(error) ? .cancelled : .failed)
      throw error
    }
  }
}

/// Whether an error only means that the task was canceled. Some loaders, such as `URLSession`, have their own error for this.
private func isCancellation(_ error: any Error) -> Bool {
  error is CancellationError || Task.isCancelled
}
