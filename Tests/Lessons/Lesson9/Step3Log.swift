import Given
import TestSupport
import Testing

@testable import Exercise9

@Suite("Step 3: log", .oneAtATime)
struct Step3Log {
  @Test("a successful load logs the number of images")
  func logsTheLoad() async throws {
    try await each("feed", in: [[], [FeedImage.cat], [.cat, .dog]]) { feed in
      let (sut, loader, log) = makeSUT()

      let load = Running { try await sut.feed() }
      await loader.calls.receives(1)
      #expect(log.values.isEmpty, "An event was logged during the load. Log it when the load has ended.")
      loader.calls.complete(with: .success(feed))
      let loaded = try await load.outcome().expectSuccess("The decoratee returned a feed, so the decorator should return it.")

      #expect(log.values == [.loaded(feed.count)], "A successful load should log one event, with the number of images.")
      #expect(loaded == feed, "The decorator should return the feed unchanged.")
      #expect(loader.calls.count == 1, "The decoratee should be called once per load.")
    }
  }

  @Test("a failed load logs one event and throws its error")
  func logsTheFailure() async throws {
    try await each("error", in: Trouble.notCanceled) { trouble in
      let (sut, loader, log) = makeSUT()

      let load = Running { try await sut.feed() }
      await loader.calls.receives(1)
      loader.calls.complete(with: .failure(trouble.error))
      let error = try await load.outcome().failure

      #expect(error?.isSame(as: trouble.error) == true, "The decorator should throw the decoratee's error unchanged.")
      #expect(log.values == [.failed], "A failed load should log one event, `failed`.")
    }
  }

  @Test("a load that fails in a canceled task is logged as canceled")
  func logsTheCancellation() async throws {
    try await each("canceled load", in: CanceledLoad.allCases) { canceled in
      let (log, loader) = (Inbox<LoadEvent>(), AsyncFeedLoaderSpy())
      let sut = LoggingFeedLoaderDecorator(decoratee: canceled.loader(around: loader), log: log)

      let load = Running { try await sut.feed() }
      await loader.calls.receives(1)
      load.cancel()
      let error = try await load.outcome(
        "The load's task was canceled, but the load didn't end. Call the decoratee in the caller's task."
      ).failure

      #expect(loader.calls.cancelled == [0], "The cancellation should reach the decoratee.")
      #expect(canceled.isCause(of: error), "The decorator should throw the decoratee's error unchanged.")
      #expect(
        log.values == [.cancelled],
        "A load that fails in a canceled task should log one event, `cancelled`, no matter which error it throws.")
    }
  }

  @Test("a canceled load that succeeds returns its feed and logs one event")
  func logsASuccessInACanceledTask() async throws {
    let log = Inbox<LoadEvent>()
    let sut = LoggingFeedLoaderDecorator(decoratee: AsyncFeedLoaderSpy(returning: [.cat]), log: log)

    let load = Running {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await sut.feed()
    }
    let feed = try await load.outcome().expectSuccess(
      "The decoratee returned a feed although the task was canceled, so the decorator should return it.")

    #expect(feed == [.cat], "The decorator should return the feed unchanged.")
    #expect(log.values.count == 1, "A load should log one event, even if its task was canceled.")
  }

  @Test("each of two overlapping loads logs its own event")
  func logsOverlappingLoads() async throws {
    let (sut, loader, log) = makeSUT()

    let first = Running { try await sut.feed() }
    await loader.calls.receives(1)
    let second = Running { try await sut.feed() }
    await loader.calls.receives(2)
    loader.calls.complete(1, with: .failure(HTTPClientError.notHTTP))
    _ = try await second.outcome()
    loader.calls.complete(0, with: .success([.cat]))
    _ = try await first.outcome()

    #expect(log.values == [.failed, .loaded(1)], "Each of two overlapping loads should log its own event when it ends.")
  }

  private func makeSUT() -> (LoggingFeedLoaderDecorator, AsyncFeedLoaderSpy, Inbox<LoadEvent>) {
    let (loader, log) = (AsyncFeedLoaderSpy(), Inbox<LoadEvent>())
    return (LoggingFeedLoaderDecorator(decoratee: loader, log: log), loader, log)
  }
}
