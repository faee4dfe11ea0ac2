import Given
import TestSupport

@testable import Exercise7

/// The learner's decorators, one for each protocol.
struct Decorators {
  private let profiles: any ProfileService
  private let users: any UserLoader
  private let feeds: any FeedLoader
  private let images: any FeedImageDataLoader

  init(around loaders: Loaders) {
    profiles = MainQueueDispatchDecorator<any ProfileService>(decoratee: loaders)
    users = MainQueueDispatchDecorator<any UserLoader>(decoratee: loaders)
    feeds = MainQueueDispatchDecorator<any FeedLoader>(decoratee: loaders)
    images = MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: loaders)
  }

  func track(with leaks: LeakTracker) {
    for decorator in [profiles as AnyObject, users as AnyObject, feeds as AnyObject, images as AnyObject] {
      leaks.track(decorator)
    }
  }

  /// Starts a load.
  ///
  /// - Parameters:
  ///   - kind: What to load.
  ///   - url: The URL of an image.
  ///   - deliver: Receives the result, in words.
  /// - Returns: The task of an image load.
  func load(
    _ kind: Kind, _ url: URL = FeedImage.cat.url, deliver: @escaping (String) -> Void
  ) -> (any FeedImageDataLoaderTask)? {
    func deliverInWords<Value>(_ words: @escaping (Value) -> String) -> (Result<Value, any Error>) -> Void {
      { result in
        switch result {
        case .success(let value): deliver(words(value).isEmpty ? "an empty value" : words(value))
        case .failure(let error): deliver(error.inWords)
        }
      }
    }
    switch kind {
    case .profile: profiles.getProfile(completion: deliverInWords { $0.userName == $0.address ? $0.userName : "\($0)" })
    case .userData: users.fetchUserData { deliverInWords { $0 }(.success($0)) }
    case .feed:
      feeds.load(completion: deliverInWords { $0.isEmpty || $0.dropFirst() == [.dog] ? $0.first?.title ?? "" : "\($0)" })
    case .image: return images.loadImageData(from: url, completion: deliverInWords { String(decoding: $0, as: UTF8.self) })
    }
    return nil
  }
}

/// An app that loads with the learner's decorators, and everything that can be observed.
///
/// Each event returns a sentence about it.
final class DispatchWorld {
  /// What the app does in a completion.
  enum Reaction: Sendable {
    case nothing, loadsAgain, loadsAgainFromACache, cancelsAllImages
  }

  /// How a load goes, apart from how it ends later.
  struct Plan: Sendable {
    var url = FeedImage.cat.url
    var isOnMainQueue = true
    /// How and where the load ends before the call returns; `nil` if it ends later.
    var early: Early?
    var reaction = Reaction.nothing
    var afterCancel = Loads.AfterCancel.endsSilently
    /// Whether the app cancels the load before the main queue runs anything else.
    var isCanceled = false
  }

  /// What else happens when a load ends. The numbers are indexes of loads, or, in an event of a story, positions.
  enum FollowUp: Sendable {
    /// In the same block of the main queue, the app cancels a load.
    case cancel(Int)
    /// In the same block of the main queue, another load ends.
    case end(Int, Ending)
    /// While the completion runs, another load ends on another queue.
    case endDuringTheDelivery(Int, Ending)
  }

  /// What the app has, and what it has seen.
  private struct App {
    var decorators: Decorators?
    var loads = 0
    var deliveries: [(load: Int, words: String)] = []
    var tasks: [Int: any FeedImageDataLoaderTask] = [:]
    /// The loads that have been canceled, and those of them whose result had been delivered.
    var canceled: Set<Int> = []
    var canceledTooLate: Set<Int> = []
    var captures: [Int: () -> AnyObject?] = [:]
    var duringDelivery: [Int: () -> Void] = [:]
    /// Loads that one queue has ended in this order.
    var batches: [[Int]] = []
  }

  /// An object that a completion captures, as a completion captures its screen.
  private final class Captured {
    func use() {}
  }

  let loads: Loads
  private let app = Locked(App())

  /// Creates a world without loads.
  ///
  /// - Parameter leaks: The tracker of everything that the learner's code may retain.
  init(_ leaks: LeakTracker) {
    loads = Loads(leaks)
    let decorators = Decorators(around: leaks.track(Loaders(loads), as: "the decoratee"))
    decorators.track(with: leaks)
    app.withLock { $0.decorators = decorators }
  }

  /// The indexes of the loads whose results have been delivered, in this order.
  var delivered: [Int] { app.withLock { $0.deliveries.map { $0.load } } }

  var observed: [String] {
    let (app, open) = (app.withLock { $0 }, loads.open)
    let delivered = app.deliveries.map { $0.load }
    let retained = app.captures.keys.sorted().filter { load in
      !open.contains(load) && app.tasks[load] == nil && (app.canceled.contains(load) || delivered.contains(load))
        && app.captures[load]?() != nil
    }
    return loads.observed
      + app.deliveries.map { "load \($0.load + 1) delivers \($0.words)" }
      + app.batches.map { batch in Self.order(delivered.filter(batch.contains)) }
      + loads.canceled.subtracting(app.canceledTooLate).sorted().map { "the image loader cancels load \($0 + 1)" }
      + retained.map {
        "the completion of load \($0 + 1) is still retained, by a closure that captures it or by an object that stores it or its task"
      }
      + loads.notes.values
  }

  static func order(_ loads: [Int]) -> String {
    "the order of delivery is \(loads.map { "\($0 + 1)" }.joined(separator: ", "))"
  }

  func load(_ kind: Kind, _ plan: Plan) async -> String {
    let (index, seconds) = (loads.count, Patience.seconds / 2)
    let queue = plan.isOnMainQueue ? "" : " on another queue"
    var sentence = "The app loads \(kind.inWords(plan.url))\(queue) (load \(index + 1))."
    if let early = plan.early {
      sentence +=
        " Before the call returns, load \(index + 1) ends with \(early.ending.inWords(kind, index)), \(early.place.inWords)."
    }
    sentence += plan.reaction.inWords
    if plan.isCanceled { sentence += " Before the main queue runs anything else, the app cancels load \(index + 1)." }
    loads.prepare(plan.afterCancel, plan.early, within: seconds)
    await performWithHops("the call for load \(index + 1)", on: plan.isOnMainQueue ? .main : .newBackgroundQueue) { [self] in
      start(kind, plan.url, plan.reaction)
      if plan.isCanceled { cancelTask(index) }
    }
    return sentence
  }

  /// One or more loads end, one after another.
  func end(_ indexes: [Int], with ending: Ending, at place: Place, then next: FollowUp? = nil) async -> String {
    let seconds = Patience.seconds / 2
    let results = indexes.map { "load \($0 + 1) ends with \(ending.inWords(loads.kind($0), $0))" }.joined(separator: ", then ")
    let sentence = results.prefix(1).uppercased() + results.dropFirst() + ", \(place.inWords)." + inWords(next, of: indexes[0])
    app.withLock { app in
      if indexes.count > 1 { app.batches.append(indexes) }
      if case .endDuringTheDelivery(let other, let ending) = next {
        app.duringDelivery[indexes[0]] = { [loads] in
          loads.run(at: .otherQueue, within: seconds) { loads.end(other, with: ending) }
        }
      }
    }
    await performWithHops("the completion of load \(indexes[0] + 1)", on: place.queue) { [self] in
      loads.run(at: place, within: seconds) {
        for index in indexes { self.loads.end(index, with: ending) }
      }
      switch next {
      case .cancel(let index): cancelTask(index)
      case .end(let index, let ending): loads.run(at: .mainQueue, within: seconds) { self.loads.end(index, with: ending) }
      case .endDuringTheDelivery, nil: break
      }
    }
    app.withLock { $0.duringDelivery = [:] }
    return sentence
  }

  func cancel(_ index: Int, twice: Bool = false) async -> String {
    await performWithHops("`cancel()`", on: .main) { [self] in
      cancelTask(index)
      if twice { cancelTask(index) }
    }
    return "The app cancels load \(index + 1)\(twice ? " twice" : "")."
  }

  func releaseTask(_ index: Int) -> String {
    _ = app.withLock { $0.tasks.removeValue(forKey: index) }
    return "The app releases the task of load \(index + 1)."
  }

  func releaseTasks() {
    let tasks = app.withLock { app in
      defer { app.tasks = [:] }
      return app.tasks
    }
    withExtendedLifetime(tasks) {}
  }

  func release() -> String {
    let decorators = app.withLock { $0.decorators.take() }
    return withExtendedLifetime(decorators) { "The app releases the decorators. Only the loads in flight still need them." }
  }

  /// Starts a load on the current queue.
  func start(_ kind: Kind, _ url: URL = FeedImage.cat.url, _ reaction: Reaction = .nothing) {
    guard let decorators = app.withLock({ $0.decorators }) else { return }
    let captured = Captured()
    let index = app.withLock { app in
      app.captures[app.loads] = { [weak captured] in captured }
      app.loads += 1
      return app.loads - 1
    }
    let task = decorators.load(kind, url) { [weak self] words in
      captured.use()
      self?.receive(words, of: index, kind, url, reaction)
    }
    app.withLock { $0.tasks[index] = task }
    if loads.count <= index { loads.notes.receive("the call for load \(index + 1) returns before the service is called") }
  }

  private func receive(_ words: String, of index: Int, _ kind: Kind, _ url: URL, _ reaction: Reaction) {
    let place = !MainQueue.isCurrent ? "on another queue" : loads.isEndingOnMainQueue(index) ? "synchronously" : "after a hop"
    let duringDelivery = app.withLock { app in
      app.deliveries.append((index, "\(words), \(place)"))
      return app.duringDelivery.removeValue(forKey: index)
    }
    guard MainQueue.isCurrent else { return }
    duringDelivery?()
    switch reaction {
    case .nothing: break
    case .loadsAgain: start(kind, url)
    case .loadsAgainFromACache:
      loads.prepare(.continues, Early(ending: .value), within: 0.5)
      start(kind, url)
    case .cancelsAllImages: for index in app.withLock({ $0.tasks.keys.sorted() }) { cancelTask(index) }
    }
  }

  private func cancelTask(_ index: Int) {
    let task = app.withLock { app in
      app.canceled.insert(index)
      if app.deliveries.contains(where: { $0.load == index }) { app.canceledTooLate.insert(index) }
      return app.tasks[index]
    }
    task?.cancel()
  }

  private func inWords(_ next: FollowUp?, of index: Int) -> String {
    switch next {
    case .cancel(let other): " Before the main queue runs anything else, the app cancels load \(other + 1)."
    case .end(let other, let ending):
      " In the same block of the main queue, load \(other + 1) then ends with \(ending.inWords(loads.kind(other), other))."
    case .endDuringTheDelivery(let other, let ending):
      " While the completion of load \(index + 1) runs, load \(other + 1) ends with \(ending.inWords(loads.kind(other), other)), on another queue."
    case nil: ""
    }
  }
}

extension Kind {
  /// What the app loads.
  func inWords(_ url: URL) -> String {
    switch self {
    case .profile: "a profile"
    case .userData: "user data"
    case .feed: "the feed"
    case .image: url.lastPathComponent
    }
  }
}

extension DispatchWorld.Reaction {
  fileprivate var inWords: String {
    switch self {
    case .nothing: ""
    case .loadsAgain: " The completion will start another load of the same thing."
    case .loadsAgainFromACache:
      " The completion will start another load of the same thing, which will end before its call returns."
    case .cancelsAllImages: " The completion cancels all image loads."
    }
  }
}
