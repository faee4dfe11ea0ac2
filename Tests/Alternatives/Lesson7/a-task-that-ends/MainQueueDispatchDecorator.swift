// Completions retain the decorator and its task, and the task releases everything when the load ends.

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

  /// Runs work on the main queue. If this is the main queue already, the work runs synchronously.
  private func dispatch(_ work: @escaping () -> Void) {
    if MainQueue.isCurrent {
      work()
    } else {
      DispatchQueue.main.async(execute: work)
    }
  }
}

extension MainQueueDispatchDecorator: ProfileService where T == any ProfileService {
  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    decoratee.getProfile { result in
      self.dispatch { completion(result) }
    }
  }
}

extension MainQueueDispatchDecorator: UserLoader where T == any UserLoader {
  func fetchUserData(completion: @escaping (String) -> Void) {
    decoratee.fetchUserData { data in
      self.dispatch { completion(data) }
    }
  }
}

extension MainQueueDispatchDecorator: FeedLoader where T == any FeedLoader {
  func load(completion: @escaping (Result<[FeedImage], any Error>) -> Void) {
    decoratee.load { result in
      self.dispatch { completion(result) }
    }
  }
}

extension MainQueueDispatchDecorator: FeedImageDataLoader where T == any FeedImageDataLoader {
  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    let task = EndingTask(completion)
    let decoratee = decoratee.loadImageData(from: url) { result in
      self.dispatch { task.complete(with: result) }
    }
    task.retainUntilTheEnd(decoratee)
    return task
  }
}

/// A task that releases its completion and the decoratee's task when the load ends. Used on the main queue only.
private final class EndingTask: FeedImageDataLoaderTask {
  private var completion: ((Result<Data, any Error>) -> Void)?
  private var decoratee: (any FeedImageDataLoaderTask)?

  init(_ completion: @escaping (Result<Data, any Error>) -> Void) {
    self.completion = completion
  }

  /// Stores the decoratee's task, unless the load has ended.
  func retainUntilTheEnd(_ decoratee: any FeedImageDataLoaderTask) {
    if completion != nil { self.decoratee = decoratee }
  }

  func complete(with result: Result<Data, any Error>) {
    end().completion?(result)
  }

  func cancel() {
    end().decoratee?.cancel()
  }

  private func end() -> (completion: ((Result<Data, any Error>) -> Void)?, decoratee: (any FeedImageDataLoaderTask)?) {
    defer { (completion, decoratee) = (nil, nil) }
    return (completion, decoratee)
  }
}
