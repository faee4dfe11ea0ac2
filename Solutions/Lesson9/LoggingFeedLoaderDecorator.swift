import Given

/// A feed loader that logs how each load ends.
///
/// This decorator handles the log only. It returns what its decoratee returns, and throws what its decoratee throws.
struct LoggingFeedLoaderDecorator: AsyncFeedLoader {
  private let decoratee: any AsyncFeedLoader
  private let log: any LoadLog

  /// - Parameters:
  ///   - decoratee: The loader to forward calls to.
  ///   - log: The log that records the events.
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
      log.add(Task.isCancelled ? .cancelled : .failed)
      throw error
    }
  }
}
