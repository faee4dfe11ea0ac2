import Given
import TestSupport

/// A `FeedLoader` that stores the completions.
final class FeedLoaderSpy: FeedLoader {
  let calls = Calls<Void, Result<[FeedImage], any Error>>(to: "the feed loader")

  func load(completion: @escaping (Result<[FeedImage], any Error>) -> Void) {
    calls.receive((), completion)
  }
}

/// A `FeedImageDataLoader` that stores the completions. A load can end even after it has been canceled.
final class FeedImageDataLoaderSpy: FeedImageDataLoader {
  private struct Task: FeedImageDataLoaderTask {
    func cancel() {}
  }

  let calls = Calls<URL, Result<Data, any Error>>(to: "the image loader")

  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    calls.receive(url, completion)
    return Task()
  }
}
