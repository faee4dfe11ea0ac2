import Given
import TestSupport

/// A `FeedLoader` that stores the completions.
final class FeedLoaderSpy: FeedLoader, Sendable {
  /// The calls, to be completed by the test.
  let calls: Calls<Void, Result<[FeedImage], any Error>>

  /// - Parameter response: What a call gets before it returns; `nil` if the test completes it.
  init(responding response: (() -> Result<[FeedImage], any Error>?)? = nil) {
    calls = Calls(to: "the feed loader", responding: response.map { response in { _ in response() } })
  }

  func load(completion: @escaping (Result<[FeedImage], any Error>) -> Void) {
    calls.receive((), completion)
  }
}

/// A `FeedImageDataLoader` that stores the completions.
final class FeedImageDataLoaderSpy: FeedImageDataLoader, Sendable {
  /// The calls with their URLs, to be completed by the test.
  let calls: Calls<URL, Result<Data, any Error>>

  private let canceled = Locked<[URL]>([])

  /// - Parameter response: What a call gets before it returns; `nil` if the test completes it.
  init(responding response: ((URL) -> Result<Data, any Error>?)? = nil) {
    calls = Calls(to: "the image loader", responding: response)
  }

  /// The URLs of the canceled loads, in the order in which they were canceled.
  var canceledURLs: [URL] {
    canceled.withLock { $0 }
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
      spy.canceled.withLock { $0.append(url) }
    }
  }
}

/// A loader of everything that releases each completion when it calls it, as `URLSession` does.
final class ForgettingLoader: ProfileService, UserLoader, FeedLoader, FeedImageDataLoader {
  private let completions = Locked<[(LoadEnding) -> Void]>([])

  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    add { completion($0.profile) }
  }

  func fetchUserData(completion: @escaping (String) -> Void) {
    add { completion($0.userData) }
  }

  func load(completion: @escaping (Result<[FeedImage], any Error>) -> Void) {
    add { completion($0.feed) }
  }

  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    add { completion($0.imageData) }
    return Task(loader: self)
  }

  /// Completes all loads that are in flight, on the current queue.
  func complete(_ ending: LoadEnding) {
    let completions = completions.withLock { stored in
      defer { stored = [] }
      return stored
    }
    for completion in completions { completion(ending) }
  }

  private func add(_ completion: @escaping (LoadEnding) -> Void) {
    completions.withLock { $0.append(completion) }
  }

  /// A task that ignores `cancel()`, so that the result follows anyway.
  private struct Task: FeedImageDataLoaderTask {
    let loader: ForgettingLoader

    func cancel() {}
  }
}
