import Given
import TestSupport

/// What can be loaded: one kind for each protocol.
enum Kind: String, CaseIterable, Sendable {
  case profile, feed, image
  case userData = "user data"
}

/// How a load ends. User data never fails: instead of an error, it has a value.
enum Ending: Equatable, Sendable {
  /// With a value that no other load has.
  case value
  /// With a value that other loads have, too.
  case sameValue
  case emptyValue
  case failure(Trouble)

  /// Makes up an ending for a story.
  static func random(using random: inout SeededRandom) -> Self {
    switch Int.random(in: 0..<9, using: &random) {
    case 0..<4: .value
    case 4: .sameValue
    case 5: .emptyValue
    default: .failure(.random(using: &random))
    }
  }

  /// What a load delivers, in words.
  ///
  /// - Parameters:
  ///   - kind: What is loaded.
  ///   - index: The index of the load.
  func inWords(_ kind: Kind, _ index: Int) -> String {
    switch self {
    case .failure(let trouble) where kind != .userData: trouble.inWords
    case .value, .failure: "\(kind.rawValue) \(index + 1)"
    case .sameValue: "the same \(kind.rawValue)"
    case .emptyValue: "an empty value"
    }
  }

  fileprivate func result<Value>(_ kind: Kind, _ index: Int, _ value: (String) -> Value) -> Result<Value, any Error> {
    if kind != .userData, case .failure(let trouble) = self { return .failure(trouble.error) }
    return .success(value(self == .emptyValue ? "" : inWords(kind, index)))
  }
}

/// Where a service calls a completion.
enum Place: CaseIterable, Sendable {
  case mainQueue, otherQueue, otherQueueWhileMainIsBusy, blockThatMainWaitsFor

  /// The queue on which this begins.
  var queue: DispatchQueue { self == .otherQueue ? .newBackgroundQueue : .main }

  var inWords: String {
    switch self {
    case .mainQueue: "on the main queue"
    case .otherQueue: "on another queue"
    case .otherQueueWhileMainIsBusy: "on another queue, while the main queue is busy"
    case .blockThatMainWaitsFor: "inside a `sync` block on another queue, while the main queue waits"
    }
  }
}

/// What a load gets before the call that starts it returns.
struct Early: Sendable {
  var ending: Ending
  var place = Place.mainQueue
}

/// The loads that have reached the real services. The test decides when, where, and how each of them ends.
final class Loads {
  /// What a load does when it is canceled.
  enum AfterCancel: CaseIterable, Sendable {
    case endsSilently, failsImmediately, continues
  }

  /// A load. It retains its completion for as long as it lives, as some tasks do.
  private final class Load: FeedImageDataLoaderTask {
    let index: Int
    let complete: (Ending) -> Void
    private weak var loads: Loads?

    init(_ index: Int, _ loads: Loads, complete: @escaping (Ending) -> Void) {
      (self.index, self.loads, self.complete) = (index, loads, complete)
    }

    func cancel() {
      loads?.cancel(index)
    }
  }

  private struct State {
    var begun: [(kind: Kind, what: String)] = []
    var open: [Int: Load] = [:]
    var canceled: Set<Int> = []
    var afterCancel: [Int: AfterCancel] = [:]
    var onArrival: [Int: () -> Void] = [:]
    /// The loads that a block of the main queue is ending, one inside of another.
    var ending: [Int] = []
  }

  /// What neither a service nor a completion can show.
  let notes = Inbox<String>()
  private let leaks: LeakTracker
  private let state = Locked(State())

  init(_ leaks: LeakTracker) {
    self.leaks = leaks
  }

  /// The number of loads so far.
  var count: Int { state.withLock { $0.begun.count } }

  /// The indexes of the loads that have not ended.
  var open: [Int] { state.withLock { $0.open.keys.sorted() } }

  /// The indexes of the loads that have been canceled.
  var canceled: Set<Int> { state.withLock { $0.canceled } }

  /// What each load requests.
  var observed: [String] {
    state.withLock { $0.begun }.enumerated().map { "load \($0.offset + 1) requests \($0.element.what)" }
  }

  func kind(_ index: Int) -> Kind { state.withLock { $0.begun[index].kind } }

  /// Whether a block of the main queue is ending a load.
  func isEndingOnMainQueue(_ index: Int) -> Bool {
    MainQueue.isCurrent && state.withLock { $0.ending.contains(index) }
  }

  /// Decides what the next load does when it is canceled, and what it gets before the call returns.
  func prepare(_ afterCancel: AfterCancel, _ early: Early?, within seconds: TimeInterval) {
    state.withLock { state in
      let next = state.begun.count
      state.afterCancel[next] = afterCancel
      state.onArrival[next] = early.map { early in
        { self.run(at: early.place, within: seconds) { self.end(next, with: early.ending) } }
      }
    }
  }

  /// Ends a load on the current queue.
  func end(_ index: Int, with ending: Ending) {
    guard let load = state.withLock({ $0.open.removeValue(forKey: index) }) else { return }
    let isOnMainQueue = MainQueue.isCurrent
    if isOnMainQueue { state.withLock { $0.ending.append(index) } }
    load.complete(ending)
    if isOnMainQueue { state.withLock { $0.ending.removeAll { $0 == index } } }
  }

  /// Runs work at a place. Call it on the main queue, unless the place is another one.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - seconds: The time that the main queue waits for another queue, in seconds.
  ///   - work: The work.
  func run(at place: Place, within seconds: TimeInterval, _ work: @escaping () -> Void) {
    switch place {
    case .otherQueue where !MainQueue.isCurrent: work()
    case .otherQueue, .otherQueueWhileMainIsBusy: runWhileMainWaits(within: seconds, work)
    case .mainQueue where hops(within: seconds): work()
    case .blockThatMainWaitsFor where hops(within: seconds): DispatchQueue(label: "the service's queue").sync(execute: work)
    case .mainQueue, .blockThatMainWaitsFor: break
    }
  }

  @discardableResult
  private func runWhileMainWaits(within seconds: TimeInterval, _ work: @escaping () -> Void) -> Bool {
    let returns = MainActor.assumeIsolated { returnsWithoutMainQueue(within: seconds, work) }
    if !returns { notes.receive("a deadlock: a delivery and the main queue wait for each other (is `sync` used?)") }
    return returns
  }

  /// Whether the decorators hop without waiting. On the main queue, `main.sync` would end the process.
  private func hops(within seconds: TimeInterval) -> Bool {
    if Self.hops.withLock({ $0 }) { return true }
    let probe = Loads(LeakTracker())
    let decorators = Decorators(around: Loaders(probe))
    let hops = runWhileMainWaits(within: seconds) {
      for ending in [Ending.value, .failure(.offline)] {
        for kind in Kind.allCases { _ = decorators.load(kind) { _ in } }
        for index in probe.open { probe.end(index, with: ending) }
      }
    }
    if hops { Self.hops.withLock { $0 = true } }
    return hops
  }

  private static let hops = Locked(false)

  fileprivate func begin<Value>(
    _ kind: Kind, _ what: String, _ value: @escaping (String) -> Value,
    completion: @escaping (Result<Value, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    let (load, onArrival) = state.withLock { state in
      let index = state.begun.count
      let load = Load(index, self) { completion($0.result(kind, index, value)) }
      state.begun.append((kind, what))
      state.open[index] = load
      return (load, state.onArrival.removeValue(forKey: index))
    }
    leaks.track(load, as: "the decoratee's task")
    onArrival?()
    return load
  }

  private func cancel(_ index: Int) {
    let afterCancel = state.withLock { state in
      state.canceled.insert(index)
      return state.afterCancel[index]
    }
    switch afterCancel {
    case .endsSilently: _ = state.withLock { $0.open.removeValue(forKey: index) }
    case .failsImmediately: end(index, with: .failure(.canceled))
    case .continues, nil: break
    }
  }
}

/// The real loaders. Only the objects under test retain them.
final class Loaders: ProfileService, UserLoader, FeedLoader, FeedImageDataLoader {
  private let loads: Loads

  init(_ loads: Loads) {
    self.loads = loads
  }

  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    _ = loads.begin(.profile, "a profile", { Profile(userName: $0, address: $0) }, completion: completion)
  }

  func fetchUserData(completion: @escaping (String) -> Void) {
    _ = loads.begin(.userData, "user data", { $0 }, completion: { result in (try? result.get()).map(completion) })
  }

  func load(completion: @escaping (Result<[FeedImage], any Error>) -> Void) {
    let feed = { (title: String) in title.isEmpty ? [] : [FeedImage(title: title, url: FeedImage.cat.url), .dog] }
    _ = loads.begin(.feed, "the feed", feed, completion: completion)
  }

  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    loads.begin(.image, url.lastPathComponent, { Data($0.utf8) }, completion: completion)
  }
}

/// Performs work on a queue, and lets the main queue run what the work submits to it: a hop that does something by mistake belongs
/// to this event of a story, not to the next one.
func performWithHops(_ name: String, on queue: DispatchQueue, _ work: @escaping () -> Void) async {
  guard await perform(name, on: queue, work) else { return }
  if await !mainQueueDrains(after: {}) { await perform("a closure on the main queue", on: .main) {} }
}
