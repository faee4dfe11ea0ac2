import Given
import TestSupport

/// A `FeedLoader` that stores the completions.
final class FeedLoaderSpy: FeedLoader, Sendable {
  /// The calls, to be completed by the test.
  let calls = Calls<Void, Result<[FeedImage], any Error>>(to: "the feed loader")

  func load(completion: @escaping (Result<[FeedImage], any Error>) -> Void) {
    calls.receive((), completion)
  }
}

/// A `FeedImageDataLoader` that stores the completions.
final class FeedImageDataLoaderSpy: FeedImageDataLoader, Sendable {
  /// The calls with their URLs, to be completed by the test.
  let calls = Calls<URL, Result<Data, any Error>>(to: "the image loader")

  private let cancelled = Locked<[URL]>([])

  /// The URLs of the loads that were cancelled, in the order in which they were.
  var cancelledURLs: [URL] {
    cancelled.withLock { $0 }
  }

  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    calls.receive(url, completion)
    return Task(url: url, spy: self)
  }

  private struct Task: FeedImageDataLoaderTask {
    let url: URL
    let spy: FeedImageDataLoaderSpy

    func cancel() {
      spy.cancelled.withLock { $0.append(url) }
    }
  }
}
