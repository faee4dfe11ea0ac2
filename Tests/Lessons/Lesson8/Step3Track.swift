import Given
import TestSupport
import Testing

@testable import Exercise8

@MainActor
@Suite("Step 3: track", .oneAtATime)
struct Step3Track {
  @Test("the values of a load are tracked once, unchanged")
  func tracks() async throws {
    try await each("values", in: [["error", "success"], ["success", "error", "success"], []]) { values in
      let (sut, service, tracker) = makeSUT()

      let running = Running { try await sut.loadItems() }
      await service.calls.receives(1)
      #expect(tracker.values.isEmpty, "The load is in flight, and its values are unknown. Track them when it has ended.")
      service.calls.complete(with: .success(values))
      let items = try await running.outcome().expectSuccess(
        "The decorator should return the items. Return what the service returns.")

      #expect(
        tracker.values == [values],
        "Track all values of a load once, in order, before the decorator returns. An empty list counts.")
      #expect(items == values, "The decorator should return the service's items unchanged.")
      #expect(service.calls.count == 1, "The decorator should call the service once for each load.")
    }
  }

  @Test("all values of a load are tracked in one call")
  func tracksManyValues() async throws {
    let (sut, service, tracker) = makeSUT()

    let running = Running { try await sut.loadItems() }
    await service.calls.receives(1)
    service.calls.complete(with: .success((1...300).map { "item \($0)" }))
    _ = try await running.outcome()

    #expect(
      tracker.values.map(\.count) == [300], "A load returned 300 values, so `track` should be called once, with all of them.")
  }

  @Test("every load is tracked, not only the first")
  func tracksEachLoad() async throws {
    let (sut, service, tracker) = makeSUT()
    let results: [Result<[String], any Error>] = [
      .success(["first"]), .failure(LoadError()), .success(["second"]), .success(["second"]), .success([]),
    ]

    for (index, result) in results.enumerated() {
      let running = Running { try await sut.loadItems() }
      await service.calls.receives(index + 1)
      service.calls.complete(index, with: result)
      _ = try await running.outcome()
    }

    #expect(
      tracker.values == [["first"], ["second"], ["second"], []],
      "Four of five loads succeeded. Track each of them with its own values, even if the values have not changed.")
  }

  @Test("unchanged: a failed load tracks nothing and throws its error")
  func doesNotTrackFailures() async throws {
    let (sut, service, tracker) = makeSUT()

    let running = Running { try await sut.loadItems() }
    await service.calls.receives(1)
    service.calls.complete(with: .failure(LoadError()))

    try await running.outcome().expectFailure(LoadError(), "The service threw an error. The decorator should rethrow it.")
    #expect(tracker.values.isEmpty, "The load failed, so there are no values. Track nothing, not even an empty list.")
  }

  @Test("unchanged: a canceled load tracks nothing and throws a `CancellationError`")
  func doesNotTrackCanceledLoads() async throws {
    let (sut, service, tracker) = makeSUT()

    let running = Running { try await sut.loadItems() }
    await service.calls.receives(1)
    running.cancel()

    let error = try await running.outcome(
      "The task was canceled, but the load has not ended. Call the service in the caller's task, not in a new one."
    ).failure
    #expect(error is CancellationError, "The service threw a `CancellationError`. The decorator should rethrow it.")
    #expect(service.calls.cancelled == [0], "The cancellation should reach the service. Call it in the caller's task.")
    #expect(tracker.values.isEmpty, "The load was canceled, so there are no values. Track nothing, not even an empty list.")
  }

  @Test("returned values are tracked even if the task is canceled")
  func ignoresTheTasksState() async throws {
    let tracker = Inbox<[String]>()
    let sut = AnalyticsItemServiceDecorator(
      decoratee: ItemServiceSpy(endingWith: .success(["error", "success"])), tracker: tracker)

    let items = try await Running {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await sut.loadItems()
    }.outcome().expectSuccess("The service ignored the cancellation and returned items. The decorator should return them.")

    #expect(items == ["error", "success"], "The decorator should return the service's items unchanged.")
    #expect(
      tracker.values == [["error", "success"]],
      "The service ignored the cancellation and returned items. Track them, whether or not the task is canceled.")
  }

  @Test("the service no longer tracks")
  func serviceDoesNotTrack() async throws {
    let tracker = Inbox<[String]>()
    let service = RemoteItemService { ["error", "success"] }

    let items = try await AnalyticsTracker.$redirection.withValue(tracker) { try await service.loadItems() }

    #expect(items == ["error", "success"], "The service should return the back end's items unchanged.")
    #expect(
      tracker.values.isEmpty,
      "The service tracked the items with `AnalyticsTracker.shared`. Remove the tracking from the service.")
  }

  @Test("unchanged: service and decorator together count a load once")
  func countsOnce() async throws {
    let tracker = Inbox<[String]>()
    let sut = AnalyticsItemServiceDecorator(
      decoratee: RemoteItemService { ["error", "success"] }, tracker: AnalyticsTracker.shared)

    _ = try await AnalyticsTracker.$redirection.withValue(tracker) { try await sut.loadItems() }

    #expect(
      tracker.values == [["error", "success"]],
      """
      The load should be counted once. If it is counted twice, the service still tracks. If it is not counted at all, \
      neither the service nor the decorator tracks.
      """)
  }

  @Test("unchanged: the service throws the back end's error")
  func serviceThrows() async throws {
    let service = RemoteItemService { throw LoadError() }

    await #expect(throws: LoadError(), "The back end failed. The service should throw its error unchanged.") {
      try await service.loadItems()
    }
  }

  private func makeSUT() -> (AnalyticsItemServiceDecorator, ItemServiceSpy, Inbox<[String]>) {
    let (service, tracker) = (ItemServiceSpy(), Inbox<[String]>())
    return (AnalyticsItemServiceDecorator(decoratee: service, tracker: tracker), service, tracker)
  }
}
