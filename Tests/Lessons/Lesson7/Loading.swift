import Given
import TestSupport
import Testing

@testable import Exercise7

/// The four protocols that the decorator serves.
enum Loading: CaseIterable {
  case profile
  case userData
  case feed
  case imageData

  /// All but the one of step 1.
  static let others: [Self] = [.userData, .feed, .imageData]

  /// A decorated loader that nobody keeps, and a spy inside of it.
  func begin() -> Load {
    let arrivals = Inbox<Arrival>()
    func take(_ value: Any) {
      arrivals.receive(Arrival(words: "\(value)", isOnMainQueue: MainQueue.isCurrent))
    }

    switch self {
    case .profile:
      let spy = ProfileServiceSpy()
      MainQueueDispatchDecorator<any ProfileService>(decoratee: spy).getProfile { take($0) }
      return Load(spy.calls, arrivals, success: .success(.ada), failure: .failure(HTTPClientError.signedOut))
    case .userData:
      let spy = UserLoaderSpy()
      MainQueueDispatchDecorator<any UserLoader>(decoratee: spy).fetchUserData { take($0) }
      return Load(spy.calls, arrivals, success: "user data loaded", failure: "no user data")
    case .feed:
      let spy = FeedLoaderSpy()
      MainQueueDispatchDecorator<any FeedLoader>(decoratee: spy).load { take($0) }
      return Load(spy.calls, arrivals, success: .success([.cat, .dog]), failure: .failure(HTTPClientError.signedOut))
    case .imageData:
      let spy = FeedImageDataLoaderSpy()
      _ = MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: spy).loadImageData(from: FeedImage.cat.url) { take($0) }
      return Load(spy.calls, arrivals, success: .success(Data("cat".utf8)), failure: .failure(HTTPClientError.signedOut))
    }
  }
}

/// What came to a completion, and where.
struct Arrival: Equatable {
  let words: String
  let isOnMainQueue: Bool
}

/// A load that is under way: how to answer it, and what has arrived.
struct Load {
  /// How often the decoratee was asked.
  let calls: () -> Int
  /// Answers on the queue of the caller.
  let answer: (_ isSuccess: Bool) -> Void
  /// What the answer is, in words.
  let words: (_ isSuccess: Bool) -> String

  private let inbox: Inbox<Arrival>

  var arrivals: [Arrival] {
    inbox.values
  }

  init<Argument, Answer>(
    _ calls: Calls<Argument, Answer>, _ inbox: Inbox<Arrival>, success: Answer, failure: Answer
  ) {
    self.calls = { calls.count }
    self.inbox = inbox
    answer = { calls.complete(with: $0 ? success : failure) }
    words = { "\($0 ? success : failure)" }
  }

  /// Checks that the answer has come, as it is, once, and on the main queue.
  func expectOneArrival(_ isSuccess: Bool, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let arrivals = arrivals
    let arrival = try #require(
      arrivals.first, "The completion was never called: a weak self loses the answer when nobody keeps the decorator.",
      sourceLocation: sourceLocation)
    #expect(
      arrivals.count == 1, "The completion was called \(arrivals.count) times: one answer, one call.",
      sourceLocation: sourceLocation)
    #expect(
      arrival.isOnMainQueue, "The answer came on another queue: the completion has to be called on the main queue.",
      sourceLocation: sourceLocation)
    #expect(arrival.words == words(isSuccess), "The answer has to arrive as it is.", sourceLocation: sourceLocation)
  }
}

/// Runs work on another queue while we stay on the main queue and nothing else runs there.
///
/// - Returns: Whether the work came to its end without the main queue.
@MainActor
func returns(_ work: @escaping () -> Void) -> Bool {
  let isDone = DispatchSemaphore(value: 0)
  DispatchQueue.global().async {
    work()
    isDone.signal()
  }
  let hasReturned = isDone.wait(timeout: .now() + patience) == .success
  // Who has waited in vain once will do so again: there is no sense in waiting long for it.
  if !hasReturned { patience = 0.1 }
  return hasReturned
}

@MainActor private var patience = defaultDeadline
