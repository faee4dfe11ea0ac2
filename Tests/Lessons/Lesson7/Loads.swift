import Given
import TestSupport

/// What can be loaded: one kind for each protocol.
enum Kind: String, CaseIterable, Sendable {
  case profile, feed, image
  case userData = "user data"

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

/// How a load ends. User data never fails: instead of an error, it has a value.
enum Ending: Equatable, Sendable {
  /// With a value that no other load has.
  case value
  /// With a value that other loads have, too.
  case sameValue
  case emptyValue
  case failure(SampleError)

  var isFailure: Bool {
    if case .failure = self { true } else { false }
  }

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

/// The loads that have reached the real services. The test decides when, where, and how each of them ends.
final class Loads {
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
    var begun: [(kind: Kind, url: URL)] = []
    var open: [Int: Load] = [:]
    var canceled: Set<Int> = []
    var onArrival: [Int: () -> Void] = [:]
    /// The loads that a block of the main queue is ending, one inside of another.
    var ending: [Int] = []
  }

  /// What neither a service nor a completion can show.
  let notes = Inbox<String>()
  /// Tracks the loads.
  var leaks: LeakTracker?
  private let state = Locked(State())

  /// The number of loads so far.
  var count: Int { state.withLock { $0.begun.count } }

  /// The indexes of the loads that have not ended.
  var open: [Int] { state.withLock { $0.open.keys.sorted() } }

  /// The indexes of the loads that have been canceled.
  var canceled: Set<Int> { state.withLock { $0.canceled } }

  /// What each load requests.
  var observed: [String] {
    state.withLock { $0.begun }.enumerated().map { "load \($0.offset + 1) requests \($0.element.kind.inWords($0.element.url))" }
  }

  func kind(_ index: Int) -> Kind { state.withLock { $0.begun[index].kind } }

  /// Whether a block of the main queue is ending a load.
  func isEndingOnMainQueue(_ index: Int) -> Bool {
    MainQueue.isCurrent && state.withLock { $0.ending.contains(index) }
  }

  /// Decides how and where the next load ends before the call returns, if it does.
  func prepare(early ending: Ending?, at place: Place = .mainQueue, within seconds: TimeInterval) {
    state.withLock { state in
      let next = state.begun.count
      state.onArrival[next] = ending.map { ending in
        { self.run(at: place, within: seconds) { self.end(next, with: ending) } }
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

  /// Runs work at a place. Call it on the place's queue, or on the main queue.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - seconds: The time that the main queue waits for another queue, in seconds.
  ///   - work: The work.
  func run(at place: Place, within seconds: TimeInterval, _ work: @escaping () -> Void) {
    place.run(within: seconds, noting: notes, ifSafe: decoratorsHop(within: seconds), work)
  }

  /// Whether the decorators get results to the main queue without `main.sync`. Other decorators try it, once.
  private func decoratorsHop(within seconds: TimeInterval) -> Bool {
    if Self.decoratorsHop.withLock({ $0 }) { return true }
    let probe = Loads()
    let decorators = Decorators(around: Loaders(probe))
    let hops = Place.otherQueueWhileMainIsBusy.run(within: seconds, noting: notes) {
      for ending in [Ending.value, .failure(.offline)] {
        for kind in Kind.allCases { _ = decorators.load(kind) { _ in } }
        for index in probe.open { probe.end(index, with: ending) }
      }
    }
    if hops { Self.decoratorsHop.withLock { $0 = true } }
    return hops
  }

  private static let decoratorsHop = Locked(false)

  fileprivate func begin<Value>(
    _ kind: Kind, from url: URL = FeedImage.cat.url, _ value: @escaping (String) -> Value,
    completion: @escaping (Result<Value, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    let (load, onArrival) = state.withLock { state in
      let index = state.begun.count
      let load = Load(index, self) { completion($0.result(kind, index, value)) }
      state.begun.append((kind, url))
      state.open[index] = load
      return (load, state.onArrival.removeValue(forKey: index))
    }
    leaks?.track(load, as: "the decoratee's task")
    onArrival?()
    return load
  }

  private func cancel(_ index: Int) {
    _ = state.withLock { state in
      state.canceled.insert(index)
      return state.open.removeValue(forKey: index)
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
    _ = loads.begin(.profile, { Profile(userName: $0, address: $0) }, completion: completion)
  }

  func fetchUserData(completion: @escaping (String) -> Void) {
    _ = loads.begin(.userData, { $0 }, completion: { result in (try? result.get()).map(completion) })
  }

  func load(completion: @escaping (Result<[FeedImage], any Error>) -> Void) {
    let feed = { (title: String) in title.isEmpty ? [] : [FeedImage(title: title, url: FeedImage.cat.url), .dog] }
    _ = loads.begin(.feed, feed, completion: completion)
  }

  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    loads.begin(.image, from: url, { Data($0.utf8) }, completion: completion)
  }
}

/// Performs work on a queue, and lets the main queue run what the work submits to it: a hop that does something by mistake belongs
/// to this event of a story, not to the next one.
func performWithHops(_ name: String, on queue: DispatchQueue, _ work: @escaping () -> Void) async {
  guard await perform(name, on: queue, work) else { return }
  if await !mainQueueDrains(after: {}) { await perform("a closure on the main queue", on: .main) {} }
}
