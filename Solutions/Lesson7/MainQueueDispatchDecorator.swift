import Given

/// A decorator that delivers on the main queue what its decoratee delivers on any queue.
///
/// This decorator only dispatches to the main queue. It forwards every call and every result unchanged. It is generic over the
/// type that it wraps: an extension for each protocol forwards that protocol's calls.
///
/// A result that arrives on the main queue is delivered at once, and so before earlier ones that still wait there. One that waits is
/// delivered even if its load has been canceled since.
final class MainQueueDispatchDecorator<T> {
  private let decoratee: T

  /// - Parameter decoratee: The object to forward calls to. It may deliver on any queue.
  init(decoratee: T) {
    self.decoratee = decoratee
  }
}

/// Runs work on the main queue. If this is the main queue already, the work runs synchronously.
private func onMainQueue(_ work: @escaping () -> Void) {
  if MainQueue.isCurrent {
    work()
  } else {
    DispatchQueue.main.async(execute: work)
  }
}

extension MainQueueDispatchDecorator: ProfileService where T == any ProfileService {
  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    decoratee.getProfile { result in
      onMainQueue { completion(result) }
    }
  }
}

extension MainQueueDispatchDecorator: UserLoader where T == any UserLoader {
  func fetchUserData(completion: @escaping (String) -> Void) {
    decoratee.fetchUserData { data in
      onMainQueue { completion(data) }
    }
  }
}

extension MainQueueDispatchDecorator: FeedLoader where T == any FeedLoader {
  func load(completion: @escaping (Result<[FeedImage], any Error>) -> Void) {
    decoratee.load { result in
      onMainQueue { completion(result) }
    }
  }
}

extension MainQueueDispatchDecorator: FeedImageDataLoader where T == any FeedImageDataLoader {
  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    decoratee.loadImageData(from: url) { result in
      onMainQueue { completion(result) }
    }
  }
}
