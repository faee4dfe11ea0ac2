import Given
import Testing

/// A `FeedLoader` that keeps the completions.
public final class FeedLoaderSpy: FeedLoader, Sendable {
  /// The calls, to be answered by the test.
  public let calls = Calls<Void, Result<[FeedImage], any Error>>(to: "the feed loader")

  public init() {}

  public func load(completion: @escaping (Result<[FeedImage], any Error>) -> Void) {
    calls.receive((), completion)
  }
}

/// A `FeedImageDataLoader` that keeps the completions.
public final class FeedImageDataLoaderSpy: FeedImageDataLoader, Sendable {
  /// The calls with their URLs, to be answered by the test.
  public let calls = Calls<URL, Result<Data, any Error>>(to: "the image loader")

  private let cancelled = Locked<[URL]>([])

  public init() {}

  /// The URLs of the loads that were cancelled, in the order in which they were.
  public var cancelledURLs: [URL] {
    cancelled.withLock { $0 }
  }

  public func loadImageData(
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

extension FeedImage {
  public static let cat = FeedImage(title: "A cat", url: URL(string: "https://example.com/cat.jpg")!)
  public static let dog = FeedImage(title: "A dog", url: URL(string: "https://example.com/dog.jpg")!)
}
