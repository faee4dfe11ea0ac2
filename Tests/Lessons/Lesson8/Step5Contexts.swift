import Given
import TestSupport
import Testing

@testable import Exercise8

@Suite("Step 5: contexts", .patientOnce)
struct Step5Contexts {
  @Test("debug logs and tracks")
  func debugDoesBoth() async throws {
    let (logged, tracked) = try await loadBoth(in: .debug)

    #expect(logged == [LoadMessage.loaded(3, in: .seconds(1.5))], "In debug each load of the transactions is logged, once.")
    #expect(tracked == [["error", "success"]], "In debug each load of the items is tracked, once.")
  }

  @Test("release tracks only")
  func releaseTracks() async throws {
    let (logged, tracked) = try await loadBoth(in: .release)

    #expect(logged.isEmpty, "In release nothing is logged.")
    #expect(tracked == [["error", "success"]], "In release each load of the items is tracked, once.")
  }

  @Test("unchanged: tests do neither")
  func testsDoNeither() async throws {
    let (logged, tracked) = try await loadBoth(in: .tests)

    #expect(logged.isEmpty, "In tests nothing is logged.")
    #expect(tracked.isEmpty, "In tests nothing is tracked.")
  }

  @Test("unchanged: what is loaded is the same everywhere, and so is what is thrown", arguments: CompositionRoot.Context.allCases)
  func changesNothing(context: CompositionRoot.Context) async throws {
    let scene = Scene()
    let root = scene.makeRoot(context, Inbox<[String]>())
    let loader = root.transactionsLoader(scene.loader)

    let transactions = try await scene.run { try await loader.loadTransactions() }.expectSuccess("The loader has loaded.")
    #expect(transactions == .sample, "The context decides what is logged, not what is loaded.")
    try await scene.run(answering: .failure(LoadError())) { try await loader.loadTransactions() }.expectFailure(
      LoadError(), "The context decides what is logged, not what is thrown.")

    let items = try await root.itemService(ClosureService { ["error", "success"] }).loadItems()
    #expect(items == ["error", "success"], "The context decides what is tracked, not what is loaded.")
    let failing = root.itemService(ClosureService { throw LoadError() })
    await #expect(throws: LoadError(), "The context decides what is tracked, not what is thrown.") {
      try await failing.loadItems()
    }
  }

  /// What is logged and what is tracked when both are loaded once.
  private func loadBoth(in context: CompositionRoot.Context) async throws -> ([String], [[String]]) {
    let (scene, tracker) = (Scene(), Inbox<[String]>())
    let root = scene.makeRoot(context, tracker)
    let loader = root.transactionsLoader(scene.loader)
    let service = root.itemService(ClosureService { ["error", "success"] })

    try await scene.run { try await loader.loadTransactions() }
    _ = try await service.loadItems()
    return (scene.logger.values, tracker.values)
  }
}

extension Scene {
  fileprivate func makeRoot(_ context: CompositionRoot.Context, _ tracker: Inbox<[String]>) -> CompositionRoot {
    CompositionRoot(context: context, logger: logger, tracker: tracker, now: now)
  }
}

/// Passes each call to a closure.
private struct ClosureService: ItemService {
  let body: () async throws -> [String]

  func loadItems() async throws -> [String] {
    try await body()
  }
}
