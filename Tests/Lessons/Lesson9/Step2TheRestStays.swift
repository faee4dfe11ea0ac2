import Given
import TestSupport
import Testing

@testable import Exercise9

@Suite("Step 2: the rest stays", .patientOnce)
struct Step2TheRestStays {
  @Test("a load leaves one event", arguments: [[], [FeedImage.cat], [.cat, .dog]])
  func logsTheLoad(feed: [FeedImage]) async throws {
    let (sut, loader, log) = makeLogging()

    let load = Running { try await sut.feed() }
    await loader.calls.receives(1)
    #expect(log.values.isEmpty, "The load is still under way: nobody knows how it will end.")
    loader.calls.complete(with: .success(feed))
    let loaded = try await load.outcome().expectSuccess("The loader has loaded.")

    #expect(log.values == [.loaded(feed.count)], "A load leaves one event, with the number of images.")
    #expect(loaded == feed, "The feed comes back as it was loaded.")
    #expect(loader.calls.count == 1, "One load is one call of the decoratee.")
  }

  @Test("a load that fails leaves one event, and its error goes on")
  func logsTheFailure() async throws {
    let (sut, loader, log) = makeLogging()

    let load = Running { try await sut.feed() }
    await loader.calls.receives(1)
    loader.calls.complete(with: .failure(HTTPClientError.notHTTP))

    try await load.outcome().expectFailure(HTTPClientError.notHTTP, "The caller wants to know what went wrong.")
    #expect(log.values == [.failed], "The load has failed: that is one event.")
  }

  @Test("a cancelled load is logged as cancelled, and ends with the loader's own error", arguments: Cancelled.allCases)
  func logsTheCancellation(cancelled: Cancelled) async throws {
    let log = Inbox<LoadEvent>()
    let loader = AsyncFeedLoaderSpy()
    let sut = LoggingFeedLoaderDecorator(decoratee: cancelled.loader(around: loader), log: log)

    let load = Running { try await sut.feed() }
    await loader.calls.receives(1)
    load.cancel()
    let error = try await load.outcome("The task was cancelled, and still waits: ask the decoratee in the task of the caller.")
      .failure

    #expect(loader.calls.cancelled == [0], "The cancellation has to reach the decoratee.")
    #expect(cancelled.isOwn(error), "Throw on what the decoratee throws.")
    #expect(log.values == [.cancelled], "The load did not fail: somebody did not want it any more.")
  }

  @Test("a feed that comes in spite of a cancel comes back, and leaves one event")
  func deliversInSpiteOfACancel() async throws {
    let log = Inbox<LoadEvent>()
    let sut = LoggingFeedLoaderDecorator(decoratee: StubbornLoader(), log: log)

    let load = Running {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await sut.feed()
    }
    let feed = try await load.outcome().expectSuccess("The loader has gone on to the end, and the feed is there.")

    #expect(feed == [.cat], "The feed comes back as it was loaded.")
    #expect(log.values.count == 1, "A load leaves one event.")
  }

  @Test("a feed that comes is shown and saved", arguments: [[], [FeedImage.cat]])
  func savesTheFeed(loaded: [FeedImage]) async throws {
    let (sut, loader, cache) = makeFallback(saved: [.dog])

    let load = Running { try await sut.feed() }
    await loader.calls.receives(1)
    loader.calls.complete(with: .success(loaded))
    let feed = try await load.outcome().expectSuccess("The loader has loaded.")

    #expect(feed == loaded, "The feed has come: nobody needs the cache.")
    await cache.receivesSave()
    #expect(cache.saves == [loaded], "Save what has come, once, an empty feed too: it is what the next failure falls back on.")
    #expect(cache.reads == 0, "The feed has come: nobody needs the cache.")
  }

  @Test("a feed that comes is shown even if it cannot be saved")
  func survivesAFullDisk() async throws {
    let (sut, loader, cache) = makeFallback(saved: [.dog])
    cache.isBroken = true

    let load = Running { try await sut.feed() }
    await loader.calls.receives(1)
    loader.calls.complete(with: .success([.cat]))
    let feed = try await load.outcome().expectSuccess("The feed has come. A full disk is no reason to keep it from the user.")

    #expect(feed == [.cat], "The feed has come, and nothing else matters to the caller.")
    await cache.receivesSave()
    #expect(cache.attempts == 1, "It has to be tried, though: save what has come.")
  }

  @Test("when the feed does not come, the last one is shown", arguments: [[], [FeedImage.dog]])
  func fallsBack(saved: [FeedImage]) async throws {
    let (sut, loader, cache) = makeFallback(saved: saved)

    let load = Running { try await sut.feed() }
    await loader.calls.receives(1)
    loader.calls.complete(with: .failure(HTTPClientError.notHTTP))
    let feed = try await load.outcome().expectSuccess("The load failed, and there is a feed in the cache: fall back on it.")

    #expect(feed == saved, "The load failed: show the feed that was saved last, an empty one too.")
    #expect(cache.saves.isEmpty, "Nothing has come: there is nothing to save.")
    #expect(loader.calls.count == 1, "Falling back is not trying again.")
  }

  @Test("unchanged: when there is nothing to fall back on, the load's own error is thrown", arguments: EmptyCache.allCases)
  func hasNothingToFallBackOn(emptyCache: EmptyCache) async throws {
    let (sut, loader, cache) = makeFallback(saved: nil)
    cache.isBroken = emptyCache == .broken

    let load = Running { try await sut.feed() }
    await loader.calls.receives(1)
    loader.calls.complete(with: .failure(HTTPClientError.notHTTP))

    try await load.outcome().expectFailure(
      HTTPClientError.notHTTP, "There is no feed in the cache: the caller wants to know why the load failed, not the cache.")
  }

  @Test("unchanged: a cancelled load does not fall back", arguments: Cancelled.allCases)
  func doesNotFallBackWhenCancelled(cancelled: Cancelled) async throws {
    let (loader, cache) = (AsyncFeedLoaderSpy(), CacheSpy(saved: [.dog]))
    let sut = FallbackFeedLoaderDecorator(decoratee: cancelled.loader(around: loader), cache: cache)

    let load = Running { try await sut.feed() }
    await loader.calls.receives(1)
    load.cancel()
    let error = try await load.outcome("The task was cancelled, and still waits: ask the decoratee in the task of the caller.")
      .failure

    #expect(cancelled.isOwn(error), "Nobody waits for this feed any more: throw on what the decoratee throws.")
    #expect(cache.reads == 0, "The load was canceled: do not read the cache.")
    #expect(cache.saves.isEmpty, "The load was canceled: save nothing to the cache.")
  }

  @Test("both get along: outside, the log sees the feed from the cache; inside, it sees the failure")
  func composes() async throws {
    let (loader, cache) = (AsyncFeedLoaderSpy(), CacheSpy(saved: [.dog]))
    let (outside, inside) = (Inbox<LoadEvent>(), Inbox<LoadEvent>())
    let sut = LoggingFeedLoaderDecorator(
      decoratee: FallbackFeedLoaderDecorator(
        decoratee: LoggingFeedLoaderDecorator(decoratee: loader, log: inside), cache: cache),
      log: outside)

    let load = Running { try await sut.feed() }
    await loader.calls.receives(1)
    loader.calls.complete(with: .failure(HTTPClientError.notHTTP))
    let feed = try await load.outcome().expectSuccess("There is a feed in the cache.")

    #expect(feed == [.dog], "The feed comes back from the cache, through the log outside.")
    #expect(outside.values == [.loaded(1)], "Outside, the user got a feed.")
    #expect(inside.values == [.failed], "Inside, the network failed.")
  }

  private func makeLogging() -> (LoggingFeedLoaderDecorator, AsyncFeedLoaderSpy, Inbox<LoadEvent>) {
    let (loader, log) = (AsyncFeedLoaderSpy(), Inbox<LoadEvent>())
    return (LoggingFeedLoaderDecorator(decoratee: loader, log: log), loader, log)
  }

  private func makeFallback(saved: [FeedImage]?) -> (FallbackFeedLoaderDecorator, AsyncFeedLoaderSpy, CacheSpy) {
    let (loader, cache) = (AsyncFeedLoaderSpy(), CacheSpy(saved: saved))
    return (FallbackFeedLoaderDecorator(decoratee: loader, cache: cache), loader, cache)
  }

  /// How loaders end when their task is cancelled.
  enum Cancelled: CaseIterable {
    case withACancellationError
    case withAnErrorOfItsOwn
    case withAnErrorLikeAnyOther

    func loader(around spy: AsyncFeedLoaderSpy) -> any AsyncFeedLoader {
      switch self {
      case .withACancellationError: spy
      case .withAnErrorOfItsOwn: Ending(decoratee: spy, error: URLError(.cancelled))
      case .withAnErrorLikeAnyOther: Ending(decoratee: spy, error: HTTPClientError.notHTTP)
      }
    }

    func isOwn(_ error: (any Error)?) -> Bool {
      switch self {
      case .withACancellationError: error is CancellationError
      case .withAnErrorOfItsOwn: (error as? URLError)?.code == .cancelled
      case .withAnErrorLikeAnyOther: error as? HTTPClientError == .notHTTP
      }
    }
  }
}

/// Ends a cancelled load with an error of its own, as `URLSession` does.
private struct Ending: AsyncFeedLoader {
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

/// Does not mind being cancelled.
private struct StubbornLoader: AsyncFeedLoader {
  func feed() async throws -> [FeedImage] {
    [.cat]
  }
}

/// A `FeedCache` in memory.
private final class CacheSpy: FeedCache {
  struct Broken: Error {}

  private let asked = Inbox<Void>()
  private let state: Locked<(saved: [FeedImage]?, isBroken: Bool, saves: [[FeedImage]], attempts: Int, reads: Int)>

  init(saved: [FeedImage]?) {
    state = Locked((saved, false, [], 0, 0))
  }

  /// Whether the cache can be neither read nor written.
  var isBroken: Bool {
    get { state.withLock { $0.isBroken } }
    set { state.withLock { $0.isBroken = newValue } }
  }

  var saves: [[FeedImage]] { state.withLock { $0.saves } }
  var attempts: Int { state.withLock { $0.attempts } }
  var reads: Int { state.withLock { $0.reads } }

  /// Waits a moment until it has been asked to save: nobody has to wait for the disk.
  func receivesSave() async {
    await asked.receives(1)
  }

  func saved() async throws -> [FeedImage]? {
    try state.withLock { state in
      state.reads += 1
      if state.isBroken { throw Broken() }
      return state.saved
    }
  }

  func save(_ feed: [FeedImage]) async throws {
    defer { asked.receive(()) }
    try state.withLock { state in
      state.attempts += 1
      if state.isBroken { throw Broken() }
      state.saves.append(feed)
      state.saved = feed
    }
  }
}

/// Why there is no feed in a cache.
enum EmptyCache: CaseIterable {
  case neverSaved
  case broken
}
