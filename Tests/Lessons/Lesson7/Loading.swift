import Given
import TestSupport
import Testing

@testable import Exercise7

/// The four protocols that the decorator conforms to.
enum Loading: CaseIterable {
  case profile
  case userData
  case feed
  case imageData

  /// Starts a load by a decorator that nothing else retains. Its decoratee is a spy.
  func begin() -> Load {
    begin(1, order: Inbox())[0]
  }

  /// Starts loads by one decorator that nothing else retains. Its decoratee is a spy.
  ///
  /// - Parameters:
  ///   - count: The number of loads.
  ///   - order: Receives the number of each load whose result is delivered: 0 is the first.
  private func begin(_ count: Int, order: Inbox<Int>) -> [Load] {
    func loads<Argument, Output>(
      _ calls: Calls<Argument, Output>, _ output: @escaping (LoadEnding) -> Output, start: (@escaping (Output) -> Void) -> Void
    ) -> [Load] {
      (0..<count).map { number in
        let deliveries = Inbox<Delivery>()
        start { output in
          deliveries.receive(Delivery(words: "\(output)", isOnMainQueue: MainQueue.isCurrent))
          order.receive(number)
        }
        return Load(number, calls, deliveries, output)
      }
    }

    switch self {
    case .profile:
      let spy = ProfileServiceSpy()
      let sut = MainQueueDispatchDecorator<any ProfileService>(decoratee: spy)
      return loads(spy.calls, \.profile) { sut.getProfile(completion: $0) }
    case .userData:
      let spy = UserLoaderSpy()
      let sut = MainQueueDispatchDecorator<any UserLoader>(decoratee: spy)
      return loads(spy.calls, \.userData) { sut.fetchUserData(completion: $0) }
    case .feed:
      let spy = FeedLoaderSpy()
      let sut = MainQueueDispatchDecorator<any FeedLoader>(decoratee: spy)
      return loads(spy.calls, \.feed) { sut.load(completion: $0) }
    case .imageData:
      let spy = FeedImageDataLoaderSpy()
      let sut = MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: spy)
      return loads(spy.calls, \.imageData) { _ = sut.loadImageData(from: FeedImage.cat.url, completion: $0) }
    }
  }

  /// Checks that results from one background queue are delivered in order.
  func expectOrder(sourceLocation: SourceLocation = #_sourceLocation) async {
    let order = Inbox<Int>()
    let loads = begin(500, order: order)

    await finished(on: .background, sourceLocation: sourceLocation) {
      for load in loads { load.complete(.value) }
    }
    await mainQueueDrained(sourceLocation: sourceLocation)

    #expect(
      order.values.count == 500,
      "500 loads ended, so 500 results should be delivered. Check what happens to results that are waiting for their hop.",
      sourceLocation: sourceLocation)
    let isInOrder = order.values == order.values.sorted()
    #expect(
      isInOrder, "The results were delivered out of order. Dispatch them to the main queue in the order in which they arrive.",
      sourceLocation: sourceLocation)
    let elsewhere = loads.filter { $0.deliveries.contains { !$0.isOnMainQueue } }.count
    #expect(
      elsewhere == 0, "\(elsewhere) results were delivered on another queue. Call every completion on the main queue.",
      sourceLocation: sourceLocation)
  }

  /// Checks that decorator, decoratee, and captures of the completion are released after a load.
  @MainActor
  func expectReleased(after ending: Ending, sourceLocation: SourceLocation = #_sourceLocation) async {
    await TestSupport.expectReleased(
      "After the load, something retains its decorator, decoratee, or completion. Check your closures and stored properties.",
      sourceLocation: sourceLocation
    ) { leaks in
      let loader = leaks.track(ForgettingLoader())
      let captured = leaks.track(Captured())
      switch self {
      case .profile:
        MainQueueDispatchDecorator<any ProfileService>(decoratee: loader).getProfile { _ in captured.use() }
      case .userData:
        MainQueueDispatchDecorator<any UserLoader>(decoratee: loader).fetchUserData { _ in captured.use() }
      case .feed:
        MainQueueDispatchDecorator<any FeedLoader>(decoratee: loader).load { _ in captured.use() }
      case .imageData:
        let task = MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: loader)
          .loadImageData(from: FeedImage.cat.url) { _ in captured.use() }
        if ending == .cancel { task.cancel() }
      }

      switch ending {
      case .resultOnTheMainQueue: loader.complete(.value)
      case .resultOnABackgroundQueue, .cancel: await finished(on: .background) { loader.complete(.value) }
      case .errorOnABackgroundQueue: await finished(on: .background) { loader.complete(.failure(.notHTTP)) }
      }
      await mainQueueDrained()
    }
  }

  /// How a load ends whose objects should be released.
  enum Ending: CaseIterable {
    case resultOnTheMainQueue
    case resultOnABackgroundQueue
    case errorOnABackgroundQueue
    /// The caller cancels. The result follows anyway.
    case cancel

    /// The endings of a load that cannot be canceled.
    static let results: [Self] = [.resultOnTheMainQueue, .resultOnABackgroundQueue, .errorOnABackgroundQueue]
  }

  /// An object that a completion captures, as a completion captures its screen.
  private final class Captured {
    func use() {}
  }
}

/// What a completion received, and where.
struct Delivery: Equatable {
  let words: String
  let isOnMainQueue: Bool
}

/// A load that is in flight: a way to complete it, and what has been delivered.
struct Load {
  /// How often the decoratee was called.
  let calls: () -> Int
  /// Completes the load on the current queue.
  let complete: (LoadEnding) -> Void

  private let words: (LoadEnding) -> String
  private let inbox: Inbox<Delivery>

  var deliveries: [Delivery] {
    inbox.values
  }

  fileprivate init<Argument, Output>(
    _ number: Int, _ calls: Calls<Argument, Output>, _ inbox: Inbox<Delivery>, _ output: @escaping (LoadEnding) -> Output
  ) {
    self.calls = { calls.count }
    self.inbox = inbox
    complete = { calls.complete(number, with: output($0)) }
    words = { "\(output($0))" }
  }

  /// Checks that the result was delivered unchanged, once, and on the main queue.
  func expectOneDelivery(_ ending: LoadEnding, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let deliveries = deliveries
    let delivery = try #require(
      deliveries.first,
      """
      The completion was never called. During this load, nothing else retained the decorator or, for an image, the task that it \
      returned. Look for a weak reference to one of them.
      """,
      sourceLocation: sourceLocation)
    #expect(
      deliveries.count == 1, "The completion was called \(deliveries.count) times. Call it once for each result.",
      sourceLocation: sourceLocation)
    let isOnMainQueue = delivery.isOnMainQueue
    #expect(
      isOnMainQueue, "The completion was called on another queue. Dispatch the call to the main queue.",
      sourceLocation: sourceLocation)
    #expect(
      delivery.words == words(ending), "The completion should receive the decoratee's result. Pass it on unchanged.",
      sourceLocation: sourceLocation)
  }
}

extension LoadEnding: CustomStringConvertible {
  var profile: Result<Profile, any Error> { result(.ada, Profile(userName: "", address: "")) }
  var feed: Result<[FeedImage], any Error> { result([.cat, .dog], []) }
  var imageData: Result<Data, any Error> { result(Data("cat".utf8), Data()) }
  /// User data has no errors.
  var userData: String { (try? result("user data", "").get()) ?? "the error text of \(self)" }

  var description: String {
    switch self {
    case .value: "a value"
    case .emptyValue: "an empty value"
    case .failure(let trouble): trouble.inWords
    }
  }

  private func result<Value>(_ value: Value, _ emptyValue: Value) -> Result<Value, any Error> {
    switch self {
    case .value: .success(value)
    case .emptyValue: .success(emptyValue)
    case .failure(let trouble): .failure(trouble.error)
    }
  }
}
