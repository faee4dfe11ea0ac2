import Given
import TestSupport

/// An `AsyncProfileService` whose calls the test completes.
final class AsyncProfileServiceSpy: AsyncProfileService {
  /// The calls, to be completed by the test.
  let calls: AsyncCalls<Void, Profile>

  /// - Parameter endsWhenCanceled: Whether a cancellation ends a call. If not, only the test does.
  init(endsWhenCanceled: Bool = true) {
    calls = AsyncCalls(to: "the service", endsWhenCanceled: endsWhenCanceled)
  }

  func profile() async throws -> Profile {
    try await calls.receive(())
  }
}

/// An `AsyncFeedLoader` whose calls the test completes.
final class AsyncFeedLoaderSpy: AsyncFeedLoader {
  /// The calls, to be completed by the test.
  let calls: AsyncCalls<Void, [FeedImage]>

  /// - Parameter endsWhenCanceled: Whether a cancellation ends a call. If not, only the test does.
  init(endsWhenCanceled: Bool = true) {
    calls = AsyncCalls(to: "the loader", endsWhenCanceled: endsWhenCanceled)
  }

  /// Creates a loader that returns a feed immediately, even in a canceled task.
  convenience init(returning feed: [FeedImage]) {
    self.init(endsWhenCanceled: false)
    calls.completesEachCall(with: .success(feed))
  }

  func feed() async throws -> [FeedImage] {
    try await calls.receive(())
  }
}

/// A log in memory is an inbox for its events.
extension Inbox: LoadLog where Value == LoadEvent {
  public func add(_ event: LoadEvent) {
    receive(event)
  }
}

extension Profile {
  static let grace = Profile(userName: "Grace Hopper", address: "Arlington, Virginia")
}

/// How a feed loader ends a call whose task is canceled.
enum CanceledLoad: CaseIterable {
  case withACancellationError
  case withAnErrorOfItsOwn
  case withAnErrorLikeAnyOther

  /// A loader around a spy that ends canceled calls in this way.
  func loader(around spy: AsyncFeedLoaderSpy) -> any AsyncFeedLoader {
    switch self {
    case .withACancellationError: spy
    case .withAnErrorOfItsOwn: CancellationReplacer(decoratee: spy, error: URLError(.cancelled))
    case .withAnErrorLikeAnyOther: CancellationReplacer(decoratee: spy, error: HTTPClientError.notHTTP)
    }
  }

  /// Whether an error is the one that the loader throws.
  func isCause(of error: (any Error)?) -> Bool {
    switch self {
    case .withACancellationError: error is CancellationError
    case .withAnErrorOfItsOwn: (error as? URLError)?.code == .cancelled
    case .withAnErrorLikeAnyOther: error as? HTTPClientError == .notHTTP
    }
  }
}

/// Ends canceled calls with an error of its own, as `URLSession` does.
private struct CancellationReplacer: AsyncFeedLoader {
  let decoratee: any AsyncFeedLoader
  let error: any Error

  func feed() async throws -> [FeedImage] {
    do {
      return try await decoratee.feed()
    } catch is CancellationError {
      throw error
    }
  }
}

extension Trouble {
  /// The troubles that have nothing to do with a cancellation.
  static let notCanceled = allCases.filter { !$0.error.isCancellation }
}

extension Error {
  /// Whether the error is one that canceled tasks throw.
  var isCancellation: Bool {
    self is CancellationError || (self as? URLError)?.code == .cancelled
  }
}

extension Array {
  /// The element at a position that counts from the newest, 0, modulo the number of elements; `nil` if there is none.
  ///
  /// The position names the same element after older ones have been removed from a story.
  func newest(_ position: Int) -> Element? {
    isEmpty ? nil : self[count - 1 - position % count]
  }
}
