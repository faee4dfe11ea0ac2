import Given
import TestSupport
import Testing

@testable import Exercise8

@Suite("Step 4: track", .patientOnce)
struct Step4Track {
  @Test(
    "the values that came back are tracked, once, as they came",
    arguments: [["error", "success"], ["success", "error", "success"], []])
  func tracks(values: [String]) async throws {
    let (sut, service, tracker) = makeSUT()

    let running = Running { try await sut.loadItems() }
    await service.calls.receives(1)
    #expect(tracker.values.isEmpty, "The load is still under way: there is nothing to track.")
    service.calls.complete(with: .success(values))
    let items = try await running.outcome().expectSuccess("The service has loaded.")

    #expect(tracker.values == [values], "Track once for each load, with all values in their order, even if there are none.")
    #expect(items == values, "The caller gets what the service has loaded.")
    #expect(service.calls.count == 1, "One load is one call of the service.")
  }

  @Test("every load is tracked")
  func tracksEachLoad() async throws {
    let (sut, service, tracker) = makeSUT()

    for (index, values) in [["first"], ["second"], ["second"]].enumerated() {
      let running = Running { try await sut.loadItems() }
      await service.calls.receives(index + 1)
      service.calls.complete(index, with: .success(values))
      _ = try await running.outcome()
    }

    #expect(
      tracker.values == [["first"], ["second"], ["second"]],
      "Each load is tracked, with its own values, if they are the same as before as well.")
  }

  @Test("unchanged: a failed load tracks nothing, and its error goes on to the caller")
  func doesNotTrackFailures() async throws {
    let (sut, service, tracker) = makeSUT()

    let running = Running { try await sut.loadItems() }
    await service.calls.receives(1)
    service.calls.complete(with: .failure(LoadError()))

    try await running.outcome().expectFailure(LoadError(), "The caller wants to know what went wrong: throw the error on.")
    #expect(tracker.values.isEmpty, "A failed load has brought no values: there is nothing to track, not even nothing.")
  }

  @Test("unchanged: a cancelled load tracks nothing, and ends as cancelled")
  func doesNotTrackCancelledLoads() async throws {
    let (sut, service, tracker) = makeSUT()

    let running = Running { try await sut.loadItems() }
    await service.calls.receives(1)
    running.cancel()

    let error = try await running.outcome(
      "The task was cancelled, and still waits: ask the service in the task of the caller, and in no other."
    ).failure
    #expect(error is CancellationError, "Whoever cancels wants a `CancellationError`: throw on what the service throws.")
    #expect(service.calls.cancelled == [0], "The cancellation has to reach the service.")
    #expect(tracker.values.isEmpty, "A cancelled load has brought no values: there is nothing to track, not even nothing.")
  }

  @Test("the service does not track itself any more")
  func serviceDoesNotTrack() async throws {
    let tracker = Inbox<[String]>()
    let service = RemoteItemService { ["error", "success"] }

    let items = try await AnalyticsTracker.$redirection.withValue(tracker) { try await service.loadItems() }

    #expect(items == ["error", "success"], "The service loads what the back end sends.")
    #expect(tracker.values.isEmpty, "The service still tracks, through `AnalyticsTracker.shared`.")
  }

  @Test("unchanged: service and decorator together count each load once")
  func countsOnce() async throws {
    let tracker = Inbox<[String]>()
    let sut = AnalyticsItemServiceDecorator(
      decoratee: RemoteItemService { ["error", "success"] }, tracker: AnalyticsTracker.shared)

    _ = try await AnalyticsTracker.$redirection.withValue(tracker) { try await sut.loadItems() }

    #expect(
      tracker.values == [["error", "success"]],
      "One load counts once. If it counts twice, both do it; if it does not count, nobody does.")
  }

  @Test("unchanged: the service throws what the back end's answer says")
  func serviceThrows() async throws {
    let service = RemoteItemService { throw LoadError() }

    await #expect(throws: LoadError(), "The service hands on what went wrong.") { try await service.loadItems() }
  }

  private func makeSUT() -> (AnalyticsItemServiceDecorator, ItemServiceSpy, Inbox<[String]>) {
    let (service, tracker) = (ItemServiceSpy(), Inbox<[String]>())
    return (AnalyticsItemServiceDecorator(decoratee: service, tracker: tracker), service, tracker)
  }
}
