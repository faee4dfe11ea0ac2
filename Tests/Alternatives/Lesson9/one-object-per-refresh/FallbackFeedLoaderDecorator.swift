import Given

/// A feed loader that saves every feed in a task of its own, and returns the last saved one if a load fails.
actor FallbackFeedLoaderDecorator: AsyncFeedLoader {
  private let decoratee: any AsyncFeedLoader
  private let cache: any FeedCache

  init(decoratee: any AsyncFeedLoader, cache: any FeedCache) {
    self.decoratee = decoratee
    self.cache = cache
  }

  func feed() async throws -> [FeedImage] {
    let task = Task { [decoratee] in try await decoratee.feed() }
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    switch result {
    case .success(let feed):
      Task.detached { [cache] in try? await cache.save(feed) }
      return feed
    case .failure(let error):
      if Task.isCancelled { throw error }
      let saved: [FeedImage]?
      do { saved = try await cache.saved() } catch _ { saved = nil }
      if let saved { return saved }
      throw error
    }
  }
}
