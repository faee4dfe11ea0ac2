import Given
import TestSupport
import Testing

@testable import Exercise8

@MainActor
@Suite("Step 4: contexts", .oneAtATime)
struct Step4Contexts {
  @Test("in debug, every load of transactions is logged")
  func logsInDebug() async throws {
    let logged = try await messages(in: .debug)

    #expect(
      logged == LoadOutcome.allCases.map { $0.message() },
      "In debug, each of the \(LoadOutcome.allCases.count) loads should log one message. Decorate the loader once.")
  }

  @Test("unchanged: outside debug, no load is logged")
  func doesNotLogElsewhere() async throws {
    try await each("context", in: [CompositionRoot.Context.release, .tests]) { context in
      let logged = try await messages(in: context)

      #expect(logged.isEmpty, "In \(context), nothing should be logged, neither successes nor failures. Return the bare loader.")
    }
  }

  @Test("in debug and release, every load of items is tracked")
  func tracksInDebugAndRelease() async throws {
    try await each("context", in: [CompositionRoot.Context.debug, .release]) { context in
      let tracked = try await trackedValues(in: context)

      #expect(
        tracked == [["error", "success"], [], ["success"]],
        "In \(context), each load that succeeds should be tracked once. Decorate the service once.")
    }
  }

  @Test("unchanged: in tests, no load is tracked")
  func doesNotTrackInTests() async throws {
    let tracked = try await trackedValues(in: .tests)

    #expect(tracked.isEmpty, "In tests, nothing should be tracked. Return the bare service.")
  }

  @Test("unchanged: results and errors are the same in every context")
  func changesNoResult() async throws {
    try await each("context", in: CompositionRoot.Context.allCases) { context in
      let scene = Scene()
      let root = scene.makeRoot(context, Inbox<[String]>())
      let loader = root.transactionsLoader(scene.loader)

      for outcome in LoadOutcome.allCases {
        let result = try await scene.run(completing: outcome.result) { try await loader.loadTransactions() }
        #expect(
          "\(result)" == "\(outcome.result)",
          "The load ended with \(outcome). The context decides what is logged, not what is returned or thrown.")
      }

      let items = try await root.itemService(ItemServiceSpy(endingWith: .success(["error", "success"]))).loadItems()
      #expect(items == ["error", "success"], "The context decides what is tracked, not what is returned.")
      let failing = root.itemService(ItemServiceSpy(endingWith: .failure(LoadError())))
      await #expect(throws: LoadError(), "The context decides what is tracked, not what is thrown.") {
        try await failing.loadItems()
      }
    }
  }

  /// Returns what is logged when the transactions are loaded once for each outcome.
  private func messages(in context: CompositionRoot.Context) async throws -> [String] {
    let scene = Scene()
    let loader = scene.makeRoot(context, Inbox<[String]>()).transactionsLoader(scene.loader)

    for outcome in LoadOutcome.allCases {
      try await scene.run(completing: outcome.result) { try await loader.loadTransactions() }
    }
    return scene.logger.values + scene.singleton.values
  }

  /// Returns what is tracked by three loads of items that succeed, and two that do not.
  private func trackedValues(in context: CompositionRoot.Context) async throws -> [[String]] {
    let (tracker, singleton) = (Inbox<[String]>(), Inbox<[String]>())
    let items = ItemServiceSpy()
    let service = Scene().makeRoot(context, tracker).itemService(items)
    let results: [Result<[String], any Error>] = [
      .success(["error", "success"]), .failure(LoadError()), .success([]), .failure(CancellationError()), .success(["success"]),
    ]

    for (index, result) in results.enumerated() {
      let running = AnalyticsTracker.$redirection.withValue(singleton) { Running { try await service.loadItems() } }
      await items.calls.receives(index + 1)
      items.calls.complete(index, with: result)
      _ = try await running.outcome()
    }
    return tracker.values + singleton.values
  }
}

extension Scene {
  fileprivate func makeRoot(_ context: CompositionRoot.Context, _ tracker: Inbox<[String]>) -> CompositionRoot {
    CompositionRoot(context: context, logger: logger, tracker: tracker, now: now)
  }
}
