import Given

/// A feed loader that saves every feed, and returns the last saved one if a load fails.
///
/// This decorator handles the cache only. If the load succeeds, it returns what its decoratee returns.
struct FallbackFeedLoaderDecorator: AsyncFeedLoader {
  private let decoratee: any AsyncFeedLoader
  private let cache: any FeedCache

  /// - Parameters:
  ///   - decoratee: The loader to call first.
  ///   - cache: The cache that holds the last feed.
  init(decoratee: any AsyncFeedLoader, cache: any FeedCache) {
    self.decoratee = decoratee
    self.cache = cache
  }

  func feed() async throws -> [FeedImage] {
    let feed: [FeedImage]
    do {
      feed = try await decoratee.feed()
    } catch {
      // A canceled load ends with its own error, and not with an old feed.
      guard !Task.isCancelled, let saved = try? await cache.saved() else { throw error }
      return saved
    }

    // If the disk is full, the user still sees the new feed.
    try? await cache.save(feed)
    return feed
  }
}
