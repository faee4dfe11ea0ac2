import Given
import TestSupport

@testable import Exercise9

/// A story about loads of the feed, with a log, and a cache around both.
final class FeedStory: Story {
  enum Event: Sendable {
    case load
    case succeed(Int, imageCount: Int)
    case fail(Int, Trouble)
    case cancel(Int)
    case setCache(CacheState, Trouble)
  }

  static func event(using random: inout SeededRandom) -> Event {
    let position = [0, 0, 1, 2, 3].randomElement(using: &random)!
    switch Int.random(in: 0..<15, using: &random) {
    case 0..<4: return .load
    case 4..<8: return .succeed(position, imageCount: [0, 1, 1, 2].randomElement(using: &random)!)
    case 8..<10: return .fail(position, .random(using: &random))
    case 10..<12: return .cancel(position)
    default:
      return .setCache(
        .allCases.randomElement(using: &random)!, [.explained, .posix, .cancellation, .canceled].randomElement(using: &random)!)
    }
  }

  let leaks = LeakTracker()
  private let loader = AsyncFeedLoaderSpy(endsWhenCanceled: false)
  private let log = Inbox<LoadEvent>()
  private let cache: MoodyCache
  private let results = Inbox<String>()
  private let sut: FallbackFeedLoaderDecorator
  private var loads: [Running<Void>] = []
  private var model: FeedModel

  init(using random: inout SeededRandom) {
    let saved: [FeedImage]? = Bool.random(using: &random) ? [.dog] : nil
    cache = MoodyCache(holding: saved)
    model = FeedModel(saved: saved)
    sut = FallbackFeedLoaderDecorator(decoratee: LoggingFeedLoaderDecorator(decoratee: loader, log: log), cache: cache)
  }

  var setting: [String] {
    ["The fallback wraps the log, and the log wraps the loader. The cache holds \(inWords(model.saved))."]
  }

  func play(_ event: Event) -> String? {
    switch event {
    case .load: load()
    case .succeed(let position, let count): end(at: position, with: .success(Array([.cat, .dog].prefix(count))))
    case .fail(let position, let failure): end(at: position, with: .failure(failure.error))
    case .cancel(let position): cancel(at: position)
    case .setCache(let state, let failure): set(state, failure)
    }
  }

  var expected: [String] {
    model.events.map { "the log records \($0)" } + model.results + ["the cache holds \(inWords(model.saved))"]
      + model.loads.map { _ in "the loader is called" }
      + model.saves.map { "the cache is asked to save \(inWords($0))" }
  }

  var observed: [String] {
    log.values.map { "the log records \($0)" } + results.values + ["the cache holds \(inWords(cache.feed))"]
      + loader.calls.arguments.map { "the loader is called" }
      // A decorator may return its feed first, and save it in a task.
      + cache.saves.map { "the cache is asked to save \(inWords($0))" }
  }

  func release() -> String? { nil }

  func nextEnding() -> Event? {
    guard let index = loader.calls.unfinished.last, model.loads.indices.contains(index) else { return nil }
    return model.loads[index].isCanceled ? .fail(0, .cancellation) : .succeed(0, imageCount: 1)
  }

  private func load() -> String? {
    model.loads.append(.init())
    let number = model.loads.count
    loads.append(
      Running { [sut, results] in
        do {
          results.receive("load \(number) gets \(inWords(try await sut.feed()))")
        } catch {
          results.receive("load \(number) gets \(error.inWords)")
        }
      })
    return "Load \(number) starts."
  }

  private func end(at position: Int, with result: Result<[FeedImage], any Error>) -> String? {
    guard let index = loader.calls.unfinished.newest(position), model.loads.indices.contains(index) else { return nil }
    let isCanceled = model.loads[index].isCanceled
    // Left open: a feed in a canceled task, and the error of a cancellation that never was.
    guard result.failure.map({ isCanceled || !$0.isCancellation }) ?? !isCanceled else { return nil }
    model.end(index, with: result)
    loader.calls.finish(index, with: result)
    return
      "The loader ends load \(index + 1) with \(result.failure.map { "the error \($0.inWords)" } ?? inWords(try? result.get()))."
  }

  private func cancel(at position: Int) -> String? {
    let open = model.loads.indices.filter { !model.loads[$0].isOver && !model.loads[$0].isCanceled }
    guard let index = open.newest(position) else { return nil }
    model.loads[index].isCanceled = true
    loads[index].cancel()
    return "Load \(index + 1) is canceled. The loader hasn't ended it yet."
  }

  private func set(_ state: CacheState, _ failure: Trouble) -> String? {
    guard state != model.cache else { return nil }
    model.cache = state
    cache.set(state, failure)
    switch state {
    case .works: return "The cache works again."
    case .cannotSave: return "From now on, saving to the cache fails with \(failure.inWords). Reading still works."
    case .cannotRead: return "From now on, reading the cache fails with \(failure.inWords). Saving still works."
    }
  }
}

/// What a cache can do.
enum CacheState: CaseIterable, Sendable {
  case works
  case cannotSave
  case cannotRead
}

/// What the page promises, as plain values.
struct FeedModel {
  struct Load {
    var isCanceled = false
    var isOver = false
  }

  var loads: [Load] = []
  var cache = CacheState.works
  private(set) var saved: [FeedImage]?
  /// The feeds that the cache is asked to save, whether it can or not.
  private(set) var saves: [[FeedImage]] = []
  private(set) var events: [LoadEvent] = []
  private(set) var results: [String] = []

  init(saved: [FeedImage]?) {
    self.saved = saved
  }

  mutating func end(_ index: Int, with result: Result<[FeedImage], any Error>) {
    loads[index].isOver = true
    let isCanceled = loads[index].isCanceled
    switch result {
    case .success(let feed):
      events.append(.loaded(feed.count))
      results.append("load \(index + 1) gets \(inWords(feed))")
      saves.append(feed)
      if cache != .cannotSave { saved = feed }
    case .failure(let error):
      events.append(isCanceled ? .cancelled : .failed)
      let fallback = isCanceled || cache == .cannotRead ? nil : saved
      results.append("load \(index + 1) gets \(fallback.map(inWords) ?? error.inWords)")
    }
  }
}

private func inWords(_ feed: [FeedImage]?) -> String {
  guard let feed else { return "nothing" }
  return feed.isEmpty ? "an empty feed" : feed.map(\.title).joined(separator: " and ")
}

/// A cache in memory that doesn't always work.
private final class MoodyCache: FeedCache {
  private let state: Locked<(state: CacheState, failure: Trouble, feed: [FeedImage]?, saves: [[FeedImage]])>

  init(holding feed: [FeedImage]?) {
    state = Locked((.works, .unavailable, feed, []))
  }

  var feed: [FeedImage]? { state.withLock { $0.feed } }

  /// The feeds that it was asked to save, oldest first.
  var saves: [[FeedImage]] { state.withLock { $0.saves } }

  func set(_ new: CacheState, _ failure: Trouble) {
    state.withLock { ($0.state, $0.failure) = (new, failure) }
  }

  func saved() async throws -> [FeedImage]? {
    try state.withLock { state in
      if state.state == .cannotRead { throw state.failure.error }
      return state.feed
    }
  }

  func save(_ feed: [FeedImage]) async throws {
    try state.withLock { state in
      state.saves.append(feed)
      if state.state == .cannotSave { throw state.failure.error }
      state.feed = feed
    }
  }
}
