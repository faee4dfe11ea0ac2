import Given
import TestSupport

@testable import Exercise9

/// A story about loads of the feed, with a log, a fallback, or both.
final class FeedStory: Story {
  enum Event: Sendable {
    case load
    case end(Int = 0, with: Result<[FeedImage], Trouble>)
    case cancel(Int = 0)
    case setCache(CacheState, Trouble = .posix)
  }

  /// The decorators that a story is about, from the outside in.
  enum Layers: String, CaseIterable {
    case log = "The logging decorator wraps the loader"
    case fallback = "The fallback wraps the loader"
    case logInside = "The fallback wraps the logging decorator, which wraps the loader"
    case logOutside = "The logging decorator wraps the fallback, which wraps the loader"
  }

  static func event(using random: inout SeededRandom) -> Event {
    let position = [0, 0, 1, 2, 3].randomElement(using: &random)!
    switch Int.random(in: 0..<15, using: &random) {
    case 0..<4: return .load
    case 4..<8: return .end(position, with: .success([[], [.cat], [.cat], [.cat, .dog]].randomElement(using: &random)!))
    case 8..<10: return .end(position, with: .failure(.random(using: &random)))
    case 10..<12: return .cancel(position)
    default:
      return .setCache(
        .allCases.randomElement(using: &random)!, [.explained, .posix, .cancellation, .canceled].randomElement(using: &random)!)
    }
  }

  let leaks = LeakTracker()
  private let calls = AsyncCalls<Void, [FeedImage]>(to: "the loader", endsWhenCanceled: false)
  private let log = Inbox<LoadEvent>()
  private let cache: MoodyCache
  private let results = Inbox<String>()
  private let sut: any AsyncFeedLoader
  private var loads: [Running<Void>] = []
  private var model: FeedModel

  init(_ layers: Layers, saved: [FeedImage]? = nil) {
    cache = MoodyCache(holding: saved)
    model = FeedModel(layers: layers, saved: saved)
    let loader = StoryLoader(calls: calls)
    sut =
      switch layers {
      case .log: LoggingFeedLoaderDecorator(decoratee: loader, log: log)
      case .fallback: FallbackFeedLoaderDecorator(decoratee: loader, cache: cache)
      case .logInside:
        FallbackFeedLoaderDecorator(decoratee: LoggingFeedLoaderDecorator(decoratee: loader, log: log), cache: cache)
      case .logOutside:
        LoggingFeedLoaderDecorator(decoratee: FallbackFeedLoaderDecorator(decoratee: loader, cache: cache), log: log)
      }
  }

  convenience init(using random: inout SeededRandom) {
    let saved: [FeedImage]? = Bool.random(using: &random) ? [.dog] : nil
    self.init([.logInside, .logInside, .logOutside].randomElement(using: &random)!, saved: saved)
  }

  var setting: [String] {
    ["\(model.layers.rawValue)." + (model.layers == .log ? "" : " The cache holds \(inWords(model.saved)).")]
  }

  func play(_ event: Event) async -> String? {
    switch event {
    case .load: load()
    case .end(let position, let result): end(at: position, with: result)
    case .cancel(let position): cancel(at: position)
    case .setCache(let state, let failure): set(state, failure)
    }
  }

  var expected: [String] { model.effects }

  var observed: [String] {
    calls.arguments.map { "the loader is called" }
      + calls.cancelled.map { "the cancellation of load \($0 + 1) reaches the loader" }
      + log.values.map { "the log records \($0)" } + cache.saves.map { "the cache saves \(inWords($0))" } + results.values
  }

  func release() -> String? { nil }

  func nextEnding() -> Event? {
    guard let index = calls.unfinished.last, model.loads.indices.contains(index) else { return nil }
    return .end(0, with: model.loads[index].isCanceled ? .failure(.cancellation) : .success([.cat]))
  }

  private func load() -> String? {
    model.load()
    let number = model.loads.count
    loads.append(
      Running { [sut, results] in
        do {
          results.receive("load \(number) receives \(inWords(try await sut.feed()))")
        } catch {
          results.receive("load \(number) receives \(error.inWords)")
        }
      })
    return "Load \(number) starts."
  }

  private func end(at position: Int, with result: Result<[FeedImage], Trouble>) -> String? {
    guard let index = calls.unfinished.newest(position), model.loads.indices.contains(index) else { return nil }
    let isCanceled = model.loads[index].isCanceled
    switch result {
    // Left open: how a feed in a canceled task is logged, and whether it is saved.
    case .success where isCanceled: return nil
    // Left open: the error of a cancellation that never was.
    case .failure(let trouble) where !isCanceled && trouble.error.isCancellation: return nil
    default: break
    }
    model.end(index, with: result)
    calls.finish(index, with: result.mapError(\.error))
    switch result {
    case .success(let feed): return "The loader ends load \(index + 1) with \(inWords(feed))."
    case .failure(let trouble): return "The loader ends load \(index + 1) with the error \(trouble.inWords)."
    }
  }

  private func cancel(at position: Int) -> String? {
    let open = model.loads.indices.filter { !model.loads[$0].isOver && !model.loads[$0].isCanceled }
    guard let index = open.newest(position) else { return nil }
    model.cancel(index)
    loads[index].cancel()
    return "Load \(index + 1) is canceled. The loader is still loading."
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
  case works, cannotSave, cannotRead
}

/// What the page promises, as plain values.
struct FeedModel {
  let layers: FeedStory.Layers
  private(set) var saved: [FeedImage]?
  var cache = CacheState.works
  private(set) var loads: [(isCanceled: Bool, isOver: Bool)] = []
  private(set) var effects: [String] = []

  init(layers: FeedStory.Layers, saved: [FeedImage]?) {
    (self.layers, self.saved) = (layers, saved)
  }

  mutating func load() {
    loads.append((false, false))
    effects.append("the loader is called")
  }

  mutating func cancel(_ index: Int) {
    loads[index].isCanceled = true
    effects.append("the cancellation of load \(index + 1) reaches the loader")
  }

  mutating func end(_ index: Int, with result: Result<[FeedImage], Trouble>) {
    loads[index].isOver = true
    let isCanceled = loads[index].isCanceled
    var outcome = result
    if layers != .log {
      switch result {
      case .success(let feed):
        effects.append("the cache saves \(inWords(feed))")
        if cache != .cannotSave { saved = feed }
      case .failure:
        if let saved, !isCanceled, cache != .cannotRead { outcome = .success(saved) }
      }
    }
    switch outcome {
    case .success(let feed): effects.append("load \(index + 1) receives \(inWords(feed))")
    case .failure(let trouble): effects.append("load \(index + 1) receives \(trouble.inWords)")
    }
    guard layers != .fallback else { return }
    switch layers == .logOutside ? outcome : result {
    case .success(let feed): effects.append("the log records \(LoadEvent.loaded(feed.count))")
    case .failure: effects.append("the log records \(isCanceled ? LoadEvent.cancelled : .failed)")
    }
  }
}

func inWords(_ feed: [FeedImage]?) -> String {
  guard let feed else { return "nothing" }
  return feed.isEmpty ? "an empty feed" : feed.map { "\"\($0.title)\"" }.joined(separator: " and ")
}

/// A log in memory is an inbox for its events.
extension Inbox: LoadLog where Value == LoadEvent {
  public func add(_ event: LoadEvent) {
    receive(event)
  }
}

struct StoryLoader: AsyncFeedLoader {
  let calls: AsyncCalls<Void, [FeedImage]>

  func feed() async throws -> [FeedImage] { try await calls.receive(()) }
}

/// A cache in memory that doesn't always work.
final class MoodyCache: FeedCache {
  private let state: Locked<(state: CacheState, failure: Trouble, feed: [FeedImage]?, saves: [[FeedImage]])>

  init(holding feed: [FeedImage]?, _ cacheState: CacheState = .works, failure: Trouble = .posix) {
    state = Locked((cacheState, failure, feed, []))
  }

  /// The feeds that it was asked to save, oldest first. A decorator may return its feed first, and save it in a task.
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
