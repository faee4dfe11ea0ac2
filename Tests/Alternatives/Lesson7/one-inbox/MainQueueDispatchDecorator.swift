// One inbox collects the work of all decorators for the main queue, and a locked object stands for each image load.

import Given

/// A decorator that delivers on the main queue what its decoratee delivers on any queue.
///
/// This decorator handles the main queue only. It forwards every call and every result unchanged. It is generic over the type
/// that it wraps: an extension for each protocol forwards that protocol's calls.
final class MainQueueDispatchDecorator<T> {
  private let decoratee: T

  /// - Parameter decoratee: The object to forward calls to. It may deliver on any queue.
  init(decoratee: T) {
    self.decoratee = decoratee
  }
}

extension MainQueueDispatchDecorator: ProfileService where T == any ProfileService {
  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    decoratee.getProfile { result in Inbox.shared.perform { completion(result) } }
  }
}

extension MainQueueDispatchDecorator: UserLoader where T == any UserLoader {
  func fetchUserData(completion: @escaping (String) -> Void) {
    decoratee.fetchUserData { data in Inbox.shared.perform { completion(data) } }
  }
}

extension MainQueueDispatchDecorator: FeedLoader where T == any FeedLoader {
  func load(completion: @escaping (Result<[FeedImage], any Error>) -> Void) {
    decoratee.load { result in Inbox.shared.perform { completion(result) } }
  }
}

extension MainQueueDispatchDecorator: FeedImageDataLoader where T == any FeedImageDataLoader {
  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    let load = ImageLoad(completion)
    let task = decoratee.loadImageData(from: url) { result in
      Inbox.shared.perform { load.finish(with: result) }
    }
    load.didStart(task)
    return load
  }
}

/// Collects work from all queues for the main queue. Work that arrives together shares one hop.
///
/// There is one inbox for all decorators, so that the results of different decoratees stay in order, too.
final class Inbox: @unchecked Sendable {
  static let shared = Inbox()

  private let lock = NSLock()
  private var waiting: [() -> Void] = []

  /// Runs the work now if this is the main queue, and otherwise after the work that is already waiting.
  func perform(_ work: @escaping () -> Void) {
    if MainQueue.isCurrent { return work() }

    lock.lock()
    waiting.append(work)
    let isFirst = waiting.count == 1
    lock.unlock()

    if isFirst { DispatchQueue.main.async { self.empty() } }
  }

  private func empty() {
    lock.lock()
    let works = waiting
    waiting = []
    lock.unlock()

    for work in works { work() }
  }
}

/// One load of an image, and the task that the caller can cancel.
private final class ImageLoad: FeedImageDataLoaderTask {
  typealias Completion = (Result<Data, any Error>) -> Void

  private enum Phase {
    case starting(Completion)
    case loading(Completion, any FeedImageDataLoaderTask)
    case over
  }

  private let lock = NSLock()
  private var phase: Phase

  init(_ completion: @escaping Completion) {
    phase = .starting(completion)
  }

  func didStart(_ task: any FeedImageDataLoaderTask) {
    lock.lock()
    defer { lock.unlock() }
    if case .starting(let completion) = phase { phase = .loading(completion, task) }
  }

  func finish(with result: Result<Data, any Error>) {
    switch end() {
    case .starting(let completion), .loading(let completion, _): completion(result)
    case .over: break
    }
  }

  func cancel() {
    if case .loading(_, let task) = end() { task.cancel() }
  }

  /// Ends the load, and returns the phase that it was in.
  private func end() -> Phase {
    lock.lock()
    defer { lock.unlock() }
    let last = phase
    phase = .over
    return last
  }
}
