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

/// Runs work on the main queue: at once if we are there already.
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
    let interest = Interest()
    let task = decoratee.loadImageData(from: url) { result in
      onMainQueue {
        if interest.isAlive { completion(result) }
      }
    }
    return DispatchedTask(decoratee: task, interest: interest)
  }
}

/// Whether somebody still wants the answer. Read and written on the main queue only.
private final class Interest {
  var isAlive = true
}

/// The decoratee's task. A cancel also stops an answer that is on its way to the main queue.
private struct DispatchedTask: FeedImageDataLoaderTask {
  let decoratee: any FeedImageDataLoaderTask
  let interest: Interest

  func cancel() {
    dispatchPrecondition(condition: .onQueue(.main))
    interest.isAlive = false
    decoratee.cancel()
  }
}
