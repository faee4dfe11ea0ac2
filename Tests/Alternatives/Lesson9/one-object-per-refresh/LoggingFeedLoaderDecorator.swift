import Given

/// A feed loader that logs how each load ends.
final class LoggingFeedLoaderDecorator: AsyncFeedLoader {
  private let decoratee: any AsyncFeedLoader
  private let log: any LoadLog

  init(decoratee: any AsyncFeedLoader, log: any LoadLog) {
    self.decoratee = decoratee
    self.log = log
  }

  func feed() async throws -> [FeedImage] {
    let result: Result<[FeedImage], any Error>
    do { result = .success(try await decoratee.feed()) } catch { result = .failure(error) }
    let event: LoadEvent =
      if Task.isCancelled { .cancelled } else if case .success(let feed) = result { .loaded(feed.count) } else { .failed }
    log.add(event)
    return try result.get()
  }
}
