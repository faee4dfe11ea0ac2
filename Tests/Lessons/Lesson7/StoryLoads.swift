import Given
import TestSupport

/// How a load ends.
enum LoadEnding: Equatable, Sendable {
  case value
  case emptyValue
  case failure(Trouble)

  /// The endings that tests go through.
  static let all = [value, emptyValue] + failures
  static let failures = [failure(.notHTTP), failure(.canceled), failure(.unexplained)]

  /// Any ending; half of them are values.
  static func any(using random: inout SeededRandom) -> Self {
    switch Int.random(in: 0..<8, using: &random) {
    case 0..<4: .value
    case 4: .emptyValue
    default: .failure(Trouble.random(using: &random))
    }
  }

  /// The result that a load ends with.
  ///
  /// - Parameters:
  ///   - name: The name of the load. It is in the value, so that no two loads have the same one.
  ///   - value: Makes a value from a text; an empty value from an empty one.
  func result<Value>(of name: String, _ value: (String) -> Value) -> Result<Value, any Error> {
    switch self {
    case .value: .success(value("the value of \(name)"))
    case .emptyValue: .success(value(""))
    case .failure(let failure): .failure(failure.error)
    }
  }
}

extension Result where Failure == any Error {
  /// The text of the value, or the error.
  func inWords(_ text: (Success) -> String) -> String {
    switch self {
    case .success(let value): text(value).isEmpty ? "an empty value" : text(value)
    case .failure(let error): error.inWords
    }
  }
}

/// The loads that have reached the real services. The story decides when each of them ends.
final class StoryLoads {
  /// What a load does when it is canceled. A result after a cancellation is always dropped.
  enum AfterCancel: CaseIterable, Sendable {
    case endsSilently, failsImmediately, continues
  }

  /// A load. It retains its completion for as long as it lives, as some tasks do.
  final class Load: FeedImageDataLoaderTask {
    let number: Int
    fileprivate let complete: (LoadEnding, String) -> Void
    private weak var loads: StoryLoads?

    fileprivate init(_ number: Int, _ loads: StoryLoads, complete: @escaping (LoadEnding, String) -> Void) {
      (self.number, self.loads, self.complete) = (number, loads, complete)
    }

    func cancel() {
      loads?.cancel(number)
    }
  }

  private struct State {
    var begun: [String] = []
    var open: [Int: Load] = [:]
    var canceled: Set<Int> = []
    var afterCancel: [Int: AfterCancel] = [:]
    var endsOnArrival: [Int: () -> Void] = [:]
    var ending: [Int] = []
  }

  /// Whether some code is blocking the main queue. As long as it is, no story can be played.
  private static let mainQueueIsBlocked = Locked(false)

  /// Whether the story has nothing to say: it began while the main queue was blocked.
  let isSilent = mainQueueIsBlocked.withLock { $0 }

  /// The time in seconds that the main queue waits for another queue. The story waits longer than that for the main queue.
  private let patience = Patience.seconds / 2

  private let state = Locked(State())
  private let tracker = LeakTracker()

  /// The objects that must not be alive after the story.
  var leaks: LeakTracker { isSilent ? LeakTracker() : tracker }

  /// Runs work on the main queue, and waits until everything that it has submitted to the main queue has run.
  ///
  /// - Returns: Whether the main queue is free afterward.
  func runOnMainQueue(_ work: @escaping () -> Void = {}) async -> Bool {
    if await mainQueueDrains(after: work) { return true }
    Self.mainQueueIsBlocked.withLock { $0 = true }
    DispatchQueue.main.async { Self.mainQueueIsBlocked.withLock { $0 = false } }
    return false
  }

  /// Runs work on another queue, and lets the current queue wait for it.
  ///
  /// - Returns: Whether the work returned in time.
  func returnsOnAnotherQueue(_ work: @escaping () -> Void) -> Bool {
    let isDone = DispatchSemaphore(value: 0)
    DispatchQueue(label: "another queue").async {
      work()
      isDone.signal()
    }
    return isDone.wait(timeout: .now() + patience) == .success
  }

  /// What each load is about, oldest first.
  var begun: [String] { state.withLock { $0.begun } }

  /// The numbers of the loads that have not ended, oldest first.
  var open: [Int] { state.withLock { $0.open.keys.sorted() } }

  /// The numbers of the loads that have been canceled.
  var canceled: [Int] { state.withLock { $0.canceled.sorted() } }

  /// Whether a block of the main queue is ending a load. Loads that end inside of one another are all being ended.
  func isEndingOnMainQueue(_ number: Int) -> Bool {
    MainQueue.isCurrent && state.withLock { $0.ending.contains(number) }
  }

  /// Decides what a load that has not begun yet does when it is canceled, and whether it ends before the call returns.
  func prepare(_ number: Int, onCancel afterCancel: AfterCancel, onArrival: (() -> Void)? = nil) {
    state.withLock {
      $0.afterCancel[number] = afterCancel
      $0.endsOnArrival[number] = onArrival
    }
  }

  /// Ends a load on the current queue.
  func end(_ number: Int, with ending: LoadEnding) {
    guard let load = state.withLock({ $0.open.removeValue(forKey: number) }) else { return }
    if MainQueue.isCurrent { state.withLock { $0.ending.append(number) } }
    load.complete(ending, "load \(number + 1)")
    if MainQueue.isCurrent { state.withLock { $0.ending.removeAll { $0 == number } } }
  }

  fileprivate func begin(_ what: String, complete: @escaping (LoadEnding, String) -> Void) -> Load {
    let (load, onArrival) = state.withLock { state in
      let load = Load(state.begun.count, self, complete: complete)
      state.begun.append(what)
      state.open[load.number] = load
      return (load, state.endsOnArrival.removeValue(forKey: load.number))
    }
    tracker.track(load)
    onArrival?()
    return load
  }

  private func cancel(_ number: Int) {
    let afterCancel = state.withLock { state in
      state.canceled.insert(number)
      return state.afterCancel[number]
    }
    switch afterCancel {
    case .endsSilently: state.withLock { _ = $0.open.removeValue(forKey: number) }
    case .failsImmediately: end(number, with: .failure(.canceled))
    case .continues, nil: break
    }
  }
}

/// The real services. Only the objects under test retain them.
final class StoryServices: ProfileService, UserLoader, FeedLoader, FeedImageDataLoader {
  private let loads: StoryLoads

  init(_ loads: StoryLoads) {
    self.loads = loads
  }

  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    _ = loads.begin("a profile") { ending, name in
      completion(ending.result(of: name) { Profile(userName: $0, address: $0) })
    }
  }

  func fetchUserData(completion: @escaping (String) -> Void) {
    _ = loads.begin("user data") { ending, name in
      // User data never fails.
      completion((try? ending.result(of: name) { $0 }.get()) ?? "the error text of \(name)")
    }
  }

  func load(completion: @escaping (Result<[FeedImage], any Error>) -> Void) {
    _ = loads.begin("the feed") { ending, name in
      completion(ending.result(of: name) { $0.isEmpty ? [] : [FeedImage(title: $0, url: FeedImage.cat.url), .dog] })
    }
  }

  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    loads.begin(url.lastPathComponent) { ending, name in
      completion(ending.result(of: name) { Data($0.utf8) })
    }
  }
}
