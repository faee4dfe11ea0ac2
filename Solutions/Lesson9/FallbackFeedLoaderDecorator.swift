import Given

/// Keeps a copy of every feed, and shows the last one when a new one cannot be loaded.
///
/// Knows about the cache and nothing else: it returns what its decoratee returns as long as there is something.
struct FallbackFeedLoaderDecorator: AsyncFeedLoader {
  private let decoratee: any AsyncFeedLoader
  private let cache: any FeedCache

  /// - Parameters:
  ///   - decoratee: Whom to ask first.
  ///   - cache: Where the last feed is kept.
  init(decoratee: any AsyncFeedLoader, cache: any FeedCache) {
    self.decoratee = decoratee
    self.cache = cache
  }

  func feed() async throws -> [FeedImage] {
    let feed: [FeedImage]
    do {
      feed = try await decoratee.feed()
    } catch {
      // Nobody waits for the answer to a cancelled load.
      guard !isCancellation(error), let saved = try? await cache.saved() else { throw error }
      return saved
    }

    // A full disk is no reason to keep a feed from the user that has just come.
    try? await cache.save(feed)
    return feed
  }
}

/// Whether an error only means that the task was canceled. Some loaders, such as `URLSession`, have their own error for this.
private func isCancellation(_ error: any Error) -> Bool {
  error is CancellationError || Task.isCancelled
}
