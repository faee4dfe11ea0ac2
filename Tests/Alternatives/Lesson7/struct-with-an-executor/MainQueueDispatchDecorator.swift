// The decorator is a struct, and the hop to the main queue is a closure that is passed to its initializer.

import Given

/// A decorator that delivers on the main queue what its decoratee delivers on any queue.
///
/// This decorator only dispatches to the main queue. It forwards every call and every result unchanged. It is generic over the
/// type that it wraps: an extension for each protocol forwards that protocol's calls.
struct MainQueueDispatchDecorator<T> {
  private let decoratee: T
  private let deliver: (@escaping () -> Void) -> Void

  /// - Parameters:
  ///   - decoratee: The object to forward calls to. It may deliver on any queue.
  ///   - deliver: A function that runs the completion on the main queue.
  init(decoratee: T, deliver: @escaping (@escaping () -> Void) -> Void = onMainQueue) {
    self.decoratee = decoratee
    self.deliver = deliver
  }
}

/// Runs work on the main queue. If this is the main queue already, the work runs synchronously.
func onMainQueue(_ work: @escaping () -> Void) {
  guard !MainQueue.isCurrent else { return work() }
  DispatchQueue.main.async(execute: work)
}

extension MainQueueDispatchDecorator: ProfileService where T == any ProfileService {
  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    decoratee.getProfile { [deliver] result in
      deliver { completion(result) }
    }
  }
}

extension MainQueueDispatchDecorator: UserLoader where T == any UserLoader {
  func fetchUserData(completion: @escaping (String) -> Void) {
    decoratee.fetchUserData { [deliver] data in
      deliver { completion(data) }
    }
  }
}

extension MainQueueDispatchDecorator: FeedLoader where T == any FeedLoader {
  func load(completion: @escaping (Result<[FeedImage], any Error>) -> Void) {
    decoratee.load { [deliver] result in
      deliver { completion(result) }
    }
  }
}

extension MainQueueDispatchDecorator: FeedImageDataLoader where T == any FeedImageDataLoader {
  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    decoratee.loadImageData(from: url) { [deliver] result in
      deliver { completion(result) }
    }
  }
}
