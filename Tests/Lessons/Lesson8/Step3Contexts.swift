import Given
import TestSupport
import Testing

@testable import Exercise8

@Suite("Step 3: contexts", .oneAtATime)
struct Step3Contexts {
  @Test("the debug context logs and tracks")
  func logsAndTracksInDebug() async {
    let (logged, trackedItems) = await records(in: .debug)

    #expect(
      logged == [LoadMessage.loaded(1, in: .zero), LoadMessage.failed(after: .zero)],
      "In the debug context, log every load of transactions, even if the loader is logged already.")
    #expect(
      trackedItems == [["Tea"], ["Bread"]],
      "In the debug context, track every load that succeeds, even if the service is tracked already.")
  }

  @Test("the release context only tracks")
  func onlyTracksInRelease() async {
    let (logged, trackedItems) = await records(in: .release)

    #expect(logged.isEmpty, "In the release context, log nothing, not even a failed load.")
    #expect(
      trackedItems == [["Tea"], ["Bread"]],
      "In the release context, track every load that succeeds, even if the service is tracked already.")
  }

  @Test("the tests context neither logs nor tracks")
  func doesNeitherInTests() async {
    let (logged, trackedItems) = await records(in: .tests)

    #expect(logged.isEmpty, "In the tests context, log nothing.")
    #expect(trackedItems.isEmpty, "In the tests context, track nothing.")
  }

  @Test("hundreds of loads obey these rules, in each context")
  func weathersAStorm() async throws {
    try await each("context", in: CompositionRoot.Context.allCases) { context in
      try await expectEachLoadIsLogged(context == .debug) {
        CompositionRoot(context: context, logger: $1, tracker: $1, now: $2).transactionsLoader(LoaderStub(load: $0))
          .loadTransactions
      }
      try await expectEachLoadIsTracked(context != .tests) {
        CompositionRoot(context: context, logger: $1, tracker: $1, now: { ContinuousClock.now })
          .itemService(RemoteItemService(fetch: $0)).loadItems
      }
    }
  }

  /// Loads transactions with two loaders and items with two services, all of them from one composition root.
  ///
  /// - Returns: What has been logged and tracked.
  private func records(
    in context: CompositionRoot.Context, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> (logged: [String], tracked: [[String]]) {
    let (logger, tracker, clock) = (Inbox<String>(), Inbox<[String]>(), ManualClock())
    let (sharedLogger, sharedTracker) = (Inbox<String>(), Inbox<[String]>())
    let root = CompositionRoot(context: context, logger: logger, tracker: tracker, now: { clock.now })
    // What a root decorates may have decorators already.
    let other = CompositionRoot(context: .debug, logger: Inbox<String>(), tracker: Inbox<[String]>(), now: { clock.now })
    let loaders = [LoaderStub { [.rent] }, LoaderStub { throw SampleError.offline.error }].map {
      root.transactionsLoader(other.transactionsLoader($0))
    }
    let services = ["Tea", "Bread"].map { item in root.itemService(other.itemService(RemoteItemService { [item] })) }

    await Logger.$redirection.withValue(sharedLogger) {
      await AnalyticsTracker.$redirection.withValue(sharedTracker) {
        let transactions = [try? await loaders[0].loadTransactions(), try? await loaders[1].loadTransactions()]
        let items = [try? await services[0].loadItems(), try? await services[1].loadItems()]
        #expect(
          transactions == [[.rent], nil] && items == [["Tea"], ["Bread"]],
          "In each context, each loader and each service has its own results.", sourceLocation: sourceLocation)
      }
    }
    #expect(
      sharedLogger.values.isEmpty && sharedTracker.values.isEmpty,
      "In no context does anything use `Logger.shared` or `AnalyticsTracker.shared`. Which file still does?",
      sourceLocation: sourceLocation)
    return (logger.values, tracker.values)
  }
}
