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

  /// A load by a decorator that nobody keeps, with a spy inside of it.
  func begin() -> Load {
    begin(1, order: Inbox())[0]
  }

  /// Loads by one decorator that nobody keeps, with a spy inside of it.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - order: Takes the number of each load whose answer arrives: 0 is the first.
  private func begin(_ count: Int, order: Inbox<Int>) -> [Load] {
    func loads<Argument, Answer>(
      _ calls: Calls<Argument, Answer>, success: Answer, failure: Answer, start: (@escaping (Answer) -> Void) -> Void
    ) -> [Load] {
      (0..<count).map { number in
        let arrivals = Inbox<Arrival>()
        start { answer in
          arrivals.receive(Arrival(words: "\(answer)", isOnMainQueue: MainQueue.isCurrent))
          order.receive(number)
        }
        return Load(number, calls, arrivals, success: success, failure: failure)
      }
    }

    switch self {
    case .profile:
      let spy = ProfileServiceSpy()
      let sut = MainQueueDispatchDecorator<any ProfileService>(decoratee: spy)
      return loads(spy.calls, success: .success(.ada), failure: .failure(HTTPClientError.signedOut)) {
        sut.getProfile(completion: $0)
      }
    case .userData:
      let spy = UserLoaderSpy()
      let sut = MainQueueDispatchDecorator<any UserLoader>(decoratee: spy)
      return loads(spy.calls, success: "user data loaded", failure: "no user data") { sut.fetchUserData(completion: $0) }
    case .feed:
      let spy = FeedLoaderSpy()
      let sut = MainQueueDispatchDecorator<any FeedLoader>(decoratee: spy)
      return loads(spy.calls, success: .success([.cat, .dog]), failure: .failure(HTTPClientError.signedOut)) {
        sut.load(completion: $0)
      }
    case .imageData:
      let spy = FeedImageDataLoaderSpy()
      let sut = MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: spy)
      return loads(spy.calls, success: .success(Data("cat".utf8)), failure: .failure(HTTPClientError.signedOut)) {
        _ = sut.loadImageData(from: FeedImage.cat.url, completion: $0)
      }
    }
  }

  /// Checks that answers which leave a background queue one after the other arrive in that order.
  func expectOrder(sourceLocation: SourceLocation = #_sourceLocation) async {
    let order = Inbox<Int>()
    let loads = begin(500, order: order)

    await finished(on: .global(), sourceLocation: sourceLocation) {
      for load in loads { load.answer(.success) }
    }
    await mainQueueDrained(sourceLocation: sourceLocation)

    #expect(order.values.count == 500, "All 500 answers have to arrive.", sourceLocation: sourceLocation)
    let isInOrder = order.values == order.values.sorted()
    #expect(
      isInOrder, "The answers overtake each other: they have to arrive in the order that they had.",
      sourceLocation: sourceLocation)
    let elsewhere = loads.filter { $0.arrivals.contains { !$0.isOnMainQueue } }.count
    #expect(elsewhere == 0, "Each answer has to arrive on the main queue.", sourceLocation: sourceLocation)
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
  let answer: (Outcome) -> Void
  /// What the answer is, in words.
  let words: (Outcome) -> String

  private let inbox: Inbox<Arrival>

  var arrivals: [Arrival] {
    inbox.values
  }

  fileprivate init<Argument, Answer>(
    _ number: Int, _ calls: Calls<Argument, Answer>, _ inbox: Inbox<Arrival>, success: Answer, failure: Answer
  ) {
    self.calls = { calls.count }
    self.inbox = inbox
    answer = { calls.complete(number, with: $0 == .success ? success : failure) }
    words = { "\($0 == .success ? success : failure)" }
  }

  /// Checks that the answer has come, as it is, once, and on the main queue.
  func expectOneArrival(_ outcome: Outcome, sourceLocation: SourceLocation = #_sourceLocation) throws {
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
    #expect(arrival.words == words(outcome), "The answer has to arrive as it is.", sourceLocation: sourceLocation)
  }
}

/// How a load ends.
enum Outcome: CaseIterable {
  case success
  case failure
}
