import Given

/// A decorator that delivers on the main queue what its decoratee delivers on any queue.
///
/// This decorator only dispatches to the main queue. It forwards every call and every result unchanged. It is generic over the
/// type that it wraps: an extension for each protocol forwards that protocol's calls.
final class MainQueueDispatchDecorator<T> {
  private let decoratee: T

  /// - Parameter decoratee: The object to forward calls to. It may deliver on any queue.
  init(decoratee: T) {
    self.decoratee = decoratee
  }
}

extension MainQueueDispatchDecorator: ProfileService where T == any ProfileService {
  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    // Step 1: call the completion on the main queue: synchronously if the result arrives there, with a hop otherwise.
    decoratee.getProfile(completion: completion)
  }
}

extension MainQueueDispatchDecorator: UserLoader where T == any UserLoader {
  func fetchUserData(completion: @escaping (String) -> Void) {
    // Step 2: the same for another protocol.
    decoratee.fetchUserData(completion: completion)
  }
}

extension MainQueueDispatchDecorator: FeedLoader where T == any FeedLoader {
  func load(completion: @escaping (Result<[FeedImage], any Error>) -> Void) {
    // Step 2: the same for another protocol.
    decoratee.load(completion: completion)
  }
}

extension MainQueueDispatchDecorator: FeedImageDataLoader where T == any FeedImageDataLoader {
  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    // Step 2: the same for another protocol. The returned task cancels the decoratee's task.
    decoratee.loadImageData(from: url, completion: completion)
  }
}
