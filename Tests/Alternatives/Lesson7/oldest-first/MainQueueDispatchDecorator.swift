// A result on the main queue first delivers the results of the same decorator that wait for a hop.

import Given

/// A decorator that delivers on the main queue what its decoratee delivers on any queue.
///
/// This decorator only dispatches to the main queue. It forwards every call and every result unchanged. It is generic over the
/// type that it wraps: an extension for each protocol forwards that protocol's calls.
final class MainQueueDispatchDecorator<T> {
  private let decoratee: T
  private let line = Line()

  /// - Parameter decoratee: The object to forward calls to. It may deliver on any queue.
  init(decoratee: T) {
    self.decoratee = decoratee
  }
}

/// Work that waits for the main queue, oldest first.
private final class Line {
  private let waiting = Locked<[() -> Void]>([])

  /// Runs work on the main queue, after the work that is waiting. If this is the main queue already, it runs synchronously.
  func onMainQueue(_ work: @escaping () -> Void) {
    waiting.withLock { $0.append(work) }
    if MainQueue.isCurrent {
      runAll()
    } else {
      OperationQueue.main.addOperation(runAll)
    }
  }

  private func runAll() {
    while let next = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { next() }
  }
}

extension MainQueueDispatchDecorator: ProfileService where T == any ProfileService {
  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    decoratee.getProfile { [line] result in
      line.onMainQueue { completion(result) }
    }
  }
}

extension MainQueueDispatchDecorator: UserLoader where T == any UserLoader {
  func fetchUserData(completion: @escaping (String) -> Void) {
    decoratee.fetchUserData { [line] data in
      line.onMainQueue { completion(data) }
    }
  }
}

extension MainQueueDispatchDecorator: FeedLoader where T == any FeedLoader {
  func load(completion: @escaping (Result<[FeedImage], any Error>) -> Void) {
    decoratee.load { [line] result in
      line.onMainQueue { completion(result) }
    }
  }
}

extension MainQueueDispatchDecorator: FeedImageDataLoader where T == any FeedImageDataLoader {
  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    let interest = Interest()
    let task = decoratee.loadImageData(from: url) { [line] result in
      line.onMainQueue {
        if interest.isAlive { completion(result) }
      }
    }
    return DispatchedTask(decoratee: task, interest: interest)
  }
}

/// Whether the caller still needs the result. Read and written on the main queue only.
private final class Interest {
  var isAlive = true
}

/// The decoratee's task. Canceling it also stops a result that has been dispatched to the main queue.
private struct DispatchedTask: FeedImageDataLoaderTask {
  let decoratee: any FeedImageDataLoaderTask
  let interest: Interest

  func cancel() {
    dispatchPrecondition(condition: .onQueue(.main))
    interest.isAlive = false
    decoratee.cancel()
  }
}
