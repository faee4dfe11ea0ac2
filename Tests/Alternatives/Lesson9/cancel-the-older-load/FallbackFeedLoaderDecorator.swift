// A new load cancels the older one, canceled bridge calls return immediately, and saving and falling back are two decorators.

import Given

/// A feed loader that saves every feed, and returns the last saved one if a load fails.
struct FallbackFeedLoaderDecorator: AsyncFeedLoader {
  private let loader: any AsyncFeedLoader

  /// - Parameters:
  ///   - decoratee: The loader to call first.
  ///   - cache: The cache that holds the last feed.
  init(decoratee: any AsyncFeedLoader, cache: any FeedCache) {
    loader = FallbackLoader(primary: SavingDecorator(decoratee: decoratee, cache: cache), fallback: CachedFeed(cache: cache))
  }

  func feed() async throws -> [FeedImage] {
    try await loader.feed()
  }
}

/// Saves every feed.
private struct SavingDecorator: AsyncFeedLoader {
  let decoratee: any AsyncFeedLoader
  let cache: any FeedCache

  func feed() async throws -> [FeedImage] {
    let feed = try await decoratee.feed()
    Task { try await cache.save(feed) }
    return feed
  }
}

/// Loads from the fallback if the primary loader fails.
private struct FallbackLoader: AsyncFeedLoader {
  let primary: any AsyncFeedLoader
  let fallback: any AsyncFeedLoader

  func feed() async throws -> [FeedImage] {
    do {
      return try await primary.feed()
    } catch  where !Task.isCancelled {
      guard let feed = try? await fallback.feed() else { throw error }
      return feed
    }
  }
}

/// Loads the saved feed.
private struct CachedFeed: AsyncFeedLoader {
  struct Empty: Error {}

  let cache: any FeedCache

  func feed() async throws -> [FeedImage] {
    guard let feed = try await cache.saved() else { throw Empty() }
    return feed
  }
}
