import Given
import TestSupport
import Testing

import class TestSupport.Inbox
import class TestSupport.ManualClock
import enum TestSupport.SampleError

@testable import Exercise8

@Suite("Step 3: contexts", .oneAtATime)
struct Step3Contexts {
  @Test("the debug context logs and tracks")
  func logsAndTracksInDebug() async throws {
    let (logger, tracker, clock) = (Inbox<String>(), Inbox<[String]>(), ManualClock())
    let sut = CompositionRoot(context: .debug, logger: logger, tracker: tracker, now: clock.readInstant)
    let loader = sut.transactionsLoader(LoaderStub { [.rent] })
    let failingLoader = sut.transactionsLoader(LoaderStub { throw URLError(.timedOut) })

    _ = try await loader.loadTransactions()
    _ = try? await failingLoader.loadTransactions()
    _ = try await sut.itemService(ItemServiceStub { ["Tea"] }).loadItems()

    #expect(
      logger.values == [LoadMessage.loaded(1, in: .zero), LoadMessage.failed(after: .zero)],
      "In the debug context, log every load of transactions.")
    #expect(tracker.values == [["Tea"]], "In the debug context, track every successful load of items.")
  }

  @Test("the release context only tracks")
  func onlyTracksInRelease() async {
    await expectNoLogs(
      in: .release, tracks: true, "In the release context, track every successful load of items, and log nothing.")
  }

  @Test("the test context neither logs nor tracks")
  func doesNeitherInTests() async {
    await expectNoLogs(in: .tests, tracks: false, "In the tests context, log nothing and track nothing.")
  }

  private func expectNoLogs(
    in context: CompositionRoot.Context, tracks: Bool, _ rule: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await story(World(.app(context)), rule, sourceLocation: sourceLocation) {
      await $0.load(.transactions, leadsToAllOf: ["load 1 requests the transactions"])
      await $0.end(with: .success(1), leadsToAllOf: [#"load 1 returns ["Tea 1"]"#])
      await $0.load(.items, leadsToAllOf: ["load 2 requests the items"])
      await $0.end(
        with: .success(1),
        leadsToAllOf: (tracks ? [#"tracked: ["Tea 2"]"#] : []) + [#"load 2 returns ["Tea 2"]"#])
      await $0.load(.transactions, leadsToAllOf: ["load 3 requests the transactions"])
      await $0.end(with: .failure(.offline), leadsToAllOf: ["load 3 throws \(SampleError.offline.inWords)"])
    }
  }
}
