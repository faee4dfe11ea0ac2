import Given
import TestSupport
import Testing

@testable import Exercise9

@Suite("Step 3: fall back", .oneAtATime)
struct Step3SaveAndFallBack {
  @Test("a loaded feed is returned and saved")
  func savesTheFeed() async throws {
    try await each("loaded feed", in: [[], [FeedImage.cat]]) { loaded in
      let (sut, loader, cache) = makeSUT(saved: [.dog])

      let load = Running { try await sut.feed() }
      await loader.calls.receives(1)
      loader.calls.complete(with: .success(loaded))
      let feed = try await load.outcome().expectSuccess("The decoratee returned a feed, so the decorator should return it.")

      #expect(feed == loaded, "The decorator should return the decoratee's feed, not the saved one.")
      await cache.receivesSave()
      #expect(cache.saves == [loaded], "A loaded feed should be saved once, even if it's empty.")
      #expect(cache.reads == 0, "The load succeeded, so the cache should not be read.")
    }
  }

  @Test("a loaded feed is returned even if it cannot be saved")
  func survivesAFullDisk() async throws {
    try await each("broken cache", in: BrokenCache.allCases) { broken in
      let (sut, loader, cache) = makeSUT(saved: [.dog], broken: broken)

      let load = Running { try await sut.feed() }
      await loader.calls.receives(1)
      loader.calls.complete(with: .success([.cat]))
      let feed = try await load.outcome().expectSuccess(
        "The feed was loaded. If it can't be saved, the decorator should return it anyway.")

      #expect(feed == [.cat], "The decorator should return the loaded feed, not the saved one.")
      await cache.receivesSave()
      #expect(cache.attempts == 1, "The decorator should try to save a loaded feed once.")
    }
  }

  @Test("a failed load returns the saved feed")
  func fallsBack() async throws {
    try await each("saved feed", in: [[], [FeedImage.dog]], "error", in: Trouble.notCanceled) { saved, trouble in
      let (sut, loader, cache) = makeSUT(saved: saved)

      let load = Running { try await sut.feed() }
      await loader.calls.receives(1)
      loader.calls.complete(with: .failure(trouble.error))
      let feed = try await load.outcome().expectSuccess(
        "The load failed and the cache holds a feed, so the decorator should return the saved one.")

      #expect(feed == saved, "After a failed load, the decorator should return the saved feed, even if it's empty.")
      #expect(cache.saves.isEmpty, "The load failed, so nothing should be saved.")
      #expect(loader.calls.count == 1, "The decoratee should be called once per load: falling back isn't retrying.")
    }
  }

  @Test("unchanged: without a saved feed, the load's error is thrown")
  func hasNothingToFallBackOn() async throws {
    try await each("error", in: Trouble.notCanceled, "empty cache", in: EmptyCache.allCases) { trouble, empty in
      let (sut, loader, _) = makeSUT(saved: nil, broken: empty == .unreadable ? .completely : nil)

      let load = Running { try await sut.feed() }
      await loader.calls.receives(1)
      loader.calls.complete(with: .failure(trouble.error))
      let error = try await load.outcome().failure

      #expect(
        error?.isSame(as: trouble.error) == true,
        "There is no saved feed to return, so the decorator should throw the load's error unchanged.")
    }
  }

  @Test("unchanged: a load that fails in a canceled task never falls back")
  func doesNotFallBackWhenCanceled() async throws {
    try await each("canceled load", in: CanceledLoad.allCases) { canceled in
      let (loader, cache) = (AsyncFeedLoaderSpy(), CacheSpy(saved: [.dog], broken: nil))
      let sut = FallbackFeedLoaderDecorator(decoratee: canceled.loader(around: loader), cache: cache)

      let load = Running { try await sut.feed() }
      await loader.calls.receives(1)
      load.cancel()
      let error = try await load.outcome(
        "The load's task was canceled, but the load didn't end. Call the decoratee in the caller's task."
      ).failure

      #expect(canceled.isCause(of: error), "A canceled load should throw the decoratee's error unchanged.")
      #expect(cache.reads == 0, "The load was canceled, so the cache should not be read.")
      #expect(cache.saves.isEmpty, "The load was canceled, so nothing should be saved.")
    }
  }

  @Test("unchanged: a canceled load that succeeds returns its feed")
  func returnsAFeedInACanceledTask() async throws {
    try await each("broken cache", in: [nil, BrokenCache.forWriting]) { (broken: BrokenCache?) in
      let sut = FallbackFeedLoaderDecorator(
        decoratee: AsyncFeedLoaderSpy(returning: [.cat]), cache: CacheSpy(saved: [.dog], broken: broken))

      let load = Running {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await sut.feed()
      }
      let feed = try await load.outcome().expectSuccess(
        "The decoratee returned a feed although the task was canceled, so the decorator should return it, even if it can't be saved."
      )

      #expect(feed == [.cat], "The decorator should return the loaded feed, not the saved one.")
    }
  }

  @Test("a logger inside a fallback logs different events than one outside it")
  func composes() async throws {
    let (loader, cache) = (AsyncFeedLoaderSpy(), CacheSpy(saved: [.dog], broken: nil))
    let (outside, inside) = (Inbox<LoadEvent>(), Inbox<LoadEvent>())
    let sut = LoggingFeedLoaderDecorator(
      decoratee: FallbackFeedLoaderDecorator(
        decoratee: LoggingFeedLoaderDecorator(decoratee: loader, log: inside), cache: cache),
      log: outside)

    let load = Running { try await sut.feed() }
    await loader.calls.receives(1)
    loader.calls.complete(with: .failure(HTTPClientError.notHTTP))
    let feed = try await load.outcome().expectSuccess("The cache holds a feed, so the outermost decorator should return it.")

    #expect(feed == [.dog], "The saved feed should pass through the outer log unchanged.")
    #expect(outside.values == [.loaded(1)], "The log outside the fallback should record the saved feed as loaded.")
    #expect(inside.values == [.failed], "The log inside the fallback should record the failed load.")
  }

  private func makeSUT(
    saved: [FeedImage]?, broken: BrokenCache? = nil
  ) -> (FallbackFeedLoaderDecorator, AsyncFeedLoaderSpy, CacheSpy) {
    let (loader, cache) = (AsyncFeedLoaderSpy(), CacheSpy(saved: saved, broken: broken))
    return (FallbackFeedLoaderDecorator(decoratee: loader, cache: cache), loader, cache)
  }
}

/// Which functions of a cache throw.
enum BrokenCache: CaseIterable {
  case forWriting
  case completely
}

/// Why a cache returns no feed.
enum EmptyCache: CaseIterable {
  case neverSaved
  case unreadable
}

/// A `FeedCache` in memory that counts its calls.
private final class CacheSpy: FeedCache {
  struct Broken: Error {}

  private let broken: BrokenCache?
  private let saveCalls = Inbox<Void>()
  private let state: Locked<(saved: [FeedImage]?, saves: [[FeedImage]], attempts: Int, reads: Int)>

  init(saved: [FeedImage]?, broken: BrokenCache?) {
    self.broken = broken
    state = Locked((saved, [], 0, 0))
  }

  /// The feeds that were saved, oldest first.
  var saves: [[FeedImage]] { state.withLock { $0.saves } }
  /// The number of calls of `save`, including those that failed.
  var attempts: Int { state.withLock { $0.attempts } }
  /// The number of calls of `saved`.
  var reads: Int { state.withLock { $0.reads } }

  /// The error of a broken cache. Like many caches, it throws a `CancellationError` in a canceled task.
  private var failure: any Error {
    if Task.isCancelled { CancellationError() } else { Broken() }
  }

  /// Waits for a call of `save`: a decorator may return its feed first, and save it in a task.
  func receivesSave() async {
    await saveCalls.receives(1)
  }

  func saved() async throws -> [FeedImage]? {
    try state.withLock { state in
      state.reads += 1
      if broken == .completely { throw failure }
      return state.saved
    }
  }

  func save(_ feed: [FeedImage]) async throws {
    defer { saveCalls.receive(()) }
    try state.withLock { state in
      state.attempts += 1
      if broken != nil { throw failure }
      state.saves.append(feed)
      state.saved = feed
    }
  }
}
