import Given

/// Delivers on the main queue what its decoratee delivers on any.
///
/// Knows about the main queue and nothing else: it forwards every call and every answer untouched. It is generic over what it
/// wraps: an extension for each protocol says how.
final class MainQueueDispatchDecorator<T> {
  private let decoratee: T

  /// - Parameter decoratee: Whom to ask. It may answer on any queue.
  init(decoratee: T) {
    self.decoratee = decoratee
  }
}

extension MainQueueDispatchDecorator: ProfileService where T == any ProfileService {
  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    // Step 1: call the completion on the main queue, at once if we are there already.
    // Step 3: "there already" is a question about the queue.
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
    // Step 2: the same, and nothing is delivered after a cancel.
    decoratee.loadImageData(from: url, completion: completion)
  }
}
