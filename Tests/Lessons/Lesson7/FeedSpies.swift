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

/// A `UserLoader` that stores the completions.
final class UserLoaderSpy: UserLoader, Sendable {
  /// The calls, to be completed by the test.
  let calls: Calls<Void, String>

  /// Creates a spy without calls.
  ///
  /// - Parameter response: What a call gets before it returns; `nil` if the test completes it.
  init(responding response: (() -> String?)? = nil) {
    calls = Calls(to: "the loader", responding: response.map { response in { _ in response() } })
  }

  func fetchUserData(completion: @escaping (String) -> Void) {
    calls.receive((), completion)
  }
}
