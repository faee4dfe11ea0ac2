import Given
import TestSupport
import Testing

@testable import Exercise9

@Suite("Step 4: log and fall back (extra)", .oneAtATime)
struct Step4LogAndFallBack {
  @Test("a successful load is logged with the number of images")
  func logsTheLoad() async {
    await each("feed", in: [[.cat, .dog], [FeedImage]()]) { feed in
      await story(FeedStory(.log), "When a load ends with a feed, log one event: `loaded`, with the number of images.") {
        await $0.play(.load, leadsToAllOf: ["the loader is called"])
        await $0.play(
          .end(with: .success(feed)), leadsToAllOf: ["the log records loaded(\(feed.count))", "load 1 receives \(inWords(feed))"])
      }
    }
  }

  @Test("a failed load is logged as failed")
  func logsTheFailure() async {
    await each("error", in: Trouble.notCanceled) { trouble in
      await story(FeedStory(.log), "When a load fails, log one event, `failed`, and throw the load's error.") {
        await $0.play(.load, leadsToAllOf: ["the loader is called"])
        await $0.play(
          .end(with: .failure(trouble)), leadsToAllOf: ["the log records failed", "load 1 receives \(trouble.inWords)"])
      }
    }
  }

  @Test("a load that fails in a canceled task is logged as canceled")
  func logsTheCancellation() async {
    await each("error", in: Trouble.allCases) { trouble in
      await story(FeedStory(.log), "If a load fails in a canceled task, log it as `cancelled`, whichever error it throws.") {
        await $0.play(.load, leadsToAllOf: ["the loader is called"])
        await $0.play(.cancel(), leadsToAllOf: ["the cancellation of load 1 reaches the loader"])
        await $0.play(
          .end(with: .failure(trouble)), leadsToAllOf: ["the log records cancelled", "load 1 receives \(trouble.inWords)"])
      }
    }
  }

  @Test("a loaded feed is saved and returned")
  func savesTheFeed() async {
    await each("feed", in: [[.cat], [FeedImage]()], "cache", in: [CacheState.works, .cannotSave]) { feed, cache in
      await story(
        FeedStory(.fallback), "Save each feed that is loaded, even an empty one. If saving fails, return the feed anyway."
      ) {
        if cache != .works { await $0.play(.setCache(cache)) }
        await $0.play(.load, leadsToAllOf: ["the loader is called"])
        await $0.play(
          .end(with: .success(feed)), leadsToAllOf: ["the cache saves \(inWords(feed))", "load 1 receives \(inWords(feed))"])
      }
    }
  }

  @Test("a failed load falls back to the saved feed")
  func fallsBack() async {
    await each("saved feed", in: [[.dog], [FeedImage]()], "error", in: Trouble.notCanceled) { saved, trouble in
      await story(FeedStory(.fallback, saved: saved), "If a load fails, return the saved feed, even an empty one.") {
        await $0.play(.load, leadsToAllOf: ["the loader is called"])
        await $0.play(.end(with: .failure(trouble)), leadsToAllOf: ["load 1 receives \(inWords(saved))"])
      }
    }
  }

  @Test("unchanged: without a saved feed, the load's error is thrown")
  func hasNothingToFallBackOn() async {
    await each("cache", in: [CacheState.works, .cannotRead], "error", in: Trouble.notCanceled) { cache, trouble in
      await story(
        FeedStory(.fallback, saved: cache == .works ? nil : [.dog]),
        "If no feed is saved, or the cache can't be read, throw the load's own error."
      ) {
        if cache != .works { await $0.play(.setCache(cache)) }
        await $0.play(.load, leadsToAllOf: ["the loader is called"])
        await $0.play(.end(with: .failure(trouble)), leadsToAllOf: ["load 1 receives \(trouble.inWords)"])
      }
    }
  }

  @Test("unchanged: a canceled load does not fall back")
  func doesNotFallBackWhenCanceled() async {
    await each("error", in: Trouble.allCases) { trouble in
      await story(
        FeedStory(.fallback, saved: [.dog]),
        "If a load is canceled, throw the loader's error. No one is waiting for the saved feed."
      ) {
        await $0.play(.load, leadsToAllOf: ["the loader is called"])
        await $0.play(.cancel(), leadsToAllOf: ["the cancellation of load 1 reaches the loader"])
        await $0.play(.end(with: .failure(trouble)), leadsToAllOf: ["load 1 receives \(trouble.inWords)"])
      }
    }
  }

  @Test("a canceled load that still succeeds returns its feed")
  func returnsAFeedInACanceledTask() async throws {
    let log = Inbox<LoadEvent>()
    let (calls, cache) = (AsyncCalls<Void, [FeedImage]>(to: "the loader", endsWhenCanceled: false), MoodyCache(holding: [.dog]))
    cache.set(.cannotSave, .cancellation)
    let sut = FallbackFeedLoaderDecorator(
      decoratee: LoggingFeedLoaderDecorator(decoratee: StoryLoader(calls: calls), log: log), cache: cache)

    let load = Running { try await sut.feed() }
    await calls.receives(1)
    load.cancel()
    calls.complete(with: .success([.cat]))
    let feed = try await load.outcome().expectSuccess("The loader returned a feed, although the task was canceled. Return it.")

    #expect(feed == [.cat], "The feed should be returned, even if saving it ends with a `CancellationError`.")
    #expect(log.values.count == 1, "Each load should be logged once, as `loaded` or as `cancelled`.")
  }
}
