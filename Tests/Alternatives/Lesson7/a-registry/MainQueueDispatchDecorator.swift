// The decorator registers its image loads by number, and the first of result and cancel removes the load.

import Given

/// A decorator that delivers on the main queue what its decoratee delivers on any queue.
final class MainQueueDispatchDecorator<T> {
  private let decoratee: T
  private let registry = Registry()

  init(decoratee: T) {
    self.decoratee = decoratee
  }
}

/// The completions of the image loads that are in flight.
private final class Registry {
  private let lock = NSLock()
  private var next = 0
  private var loads: [Int: (Result<Data, any Error>) -> Void] = [:]

  func add(_ completion: @escaping (Result<Data, any Error>) -> Void) -> Int {
    lock.withLock {
      next += 1
      loads[next] = completion
      return next
    }
  }

  func remove(_ id: Int) -> ((Result<Data, any Error>) -> Void)? {
    lock.withLock { loads.removeValue(forKey: id) }
  }
}

/// Runs work on the main queue. If this is the main queue already, the work runs synchronously.
private func hop(_ work: @escaping () -> Void) {
  guard MainQueue.isCurrent else { return OperationQueue.main.addOperation(work) }
  work()
}

extension MainQueueDispatchDecorator: ProfileService where T == any ProfileService {
  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    decoratee.getProfile { result in hop { completion(result) } }
  }
}

extension MainQueueDispatchDecorator: UserLoader where T == any UserLoader {
  func fetchUserData(completion: @escaping (String) -> Void) {
    decoratee.fetchUserData { data in hop { completion(data) } }
  }
}

extension MainQueueDispatchDecorator: FeedLoader where T == any FeedLoader {
  func load(completion: @escaping (Result<[FeedImage], any Error>) -> Void) {
    decoratee.load { result in hop { completion(result) } }
  }
}

extension MainQueueDispatchDecorator: FeedImageDataLoader where T == any FeedImageDataLoader {
  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    let id = registry.add(completion)
    let task = decoratee.loadImageData(from: url) { [registry] result in
      hop { registry.remove(id)?(result) }
    }
    return Wrapper { [registry] in
      if registry.remove(id) != nil { task.cancel() }
    }
  }
}

/// A task that cancels at most once.
private final class Wrapper: FeedImageDataLoaderTask {
  private var action: (() -> Void)?

  init(_ action: @escaping () -> Void) {
    self.action = action
  }

  func cancel() {
    action?()
    action = nil
  }
}
