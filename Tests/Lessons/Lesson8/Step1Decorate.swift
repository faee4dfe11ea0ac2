import Given
import TestSupport
import Testing

import class TestSupport.Inbox
import class TestSupport.ManualClock
import enum TestSupport.SampleError

@testable import Exercise8

@Suite("Step 1: decorate", .oneAtATime)
struct Step1Decorate {
  @Test("a load is logged once, with its duration and number of transactions")
  func logsTheLoad() async throws {
    for transactions in [[Transaction.rent, .salary], []] {
      let (logger, clock) = (Inbox<String>(), ManualClock())
      let loader = LoaderStub {
        clock.advance(by: 1.5)
        return transactions
      }
      let sut = LoggingTransactionsLoaderDecorator(decoratee: loader, logger: logger, now: clock.readInstant)

      let loaded = try await sut.loadTransactions()

      #expect(
        logger.values == [LoadMessage.loaded(transactions.count, in: .seconds(1.5))],
        "Log each load once, with the injected logger and stopwatch, even if there are no transactions.")
      #expect(loaded == transactions, "Return the transactions that the decoratee has loaded, unchanged.")
    }
  }

  @Test("a load is logged as it ends, even in a canceled task")
  func logsTheFailure() async {
    await each("error", in: SampleError.allCases, "task is canceled", in: [false, true]) { trouble, isCanceled in
      await story(
        World(.decorator),
        isCanceled
          ? "Log each load that fails, even in a canceled task, and then throw its error."
          : "Log each load once, with the injected logger and stopwatch. Then return its transactions or throw its error, unchanged."
      ) {
        await $0.load(
          .transactions, isCanceled: isCanceled,
          leadsToAllOf: ["load 1 requests the transactions"]
            + (isCanceled ? ["the cancellation of load 1 reaches the back end"] : []))
        await $0.advance(by: 1.5)
        await $0.end(
          with: .failure(trouble),
          leadsToAllOf: [logged(LoadMessage.failed(after: .seconds(1.5))), "load 1 throws \(trouble.inWords)"])
      }
    }
    await story(World(.decorator), "Even in a canceled task, a load that returns is a success: log it as loaded.") {
      await $0.load(
        .transactions, isCanceled: true,
        leadsToAllOf: ["load 1 requests the transactions", "the cancellation of load 1 reaches the back end"])
      await $0.end(
        with: .success(1), leadsToAllOf: [logged(LoadMessage.loaded(1, in: .zero)), #"load 1 returns ["Tea 1"]"#])
    }
  }

  @Test("the durations of overlapping loads are measured separately")
  func measuresOverlappingLoads() async {
    await expectOverlappingLoadsMeasured(in: World(.decorator))
  }

  @Test("the view model does not log")
  func viewModelDoesNotLog() async {
    await expectViewModelDoesNotLog(in: World(.decorator))
  }

  @Test("unchanged: the view model shows rows and messages")
  @MainActor
  func showsRowsAndMessages() async {
    await expectShows { Decorated.TransactionsListViewModel(loader: LoaderStub(load: $0)) }
  }
}

/// Checks the durations of two loads that overlap.
func expectOverlappingLoadsMeasured(in world: World, sourceLocation: SourceLocation = #_sourceLocation) async {
  await story(world, "Start measuring when a load starts, separately for each load.", sourceLocation: sourceLocation) {
    await $0.load(.transactions, leadsToAllOf: ["load 1 requests the transactions"])
    await $0.advance(by: 2)
    await $0.load(.transactions, leadsToAllOf: ["load 2 requests the transactions"])
    await $0.advance(by: 3)
    await $0.end(
      1, with: .success(1),
      leadsToAllOf: [logged(LoadMessage.loaded(1, in: .seconds(3))), #"load 2 returns ["Tea 2"]"#])
    await $0.end(
      with: .failure(.posix),
      leadsToAllOf: [logged(LoadMessage.failed(after: .seconds(5))), "load 1 throws \(SampleError.posix.inWords)"])
  }
}

/// Checks that a screen whose loads are logged does not log them as well.
func expectViewModelDoesNotLog(in world: World, sourceLocation: SourceLocation = #_sourceLocation) async {
  let rule =
    "The loads are logged already, so the view model should not log. It should only show the rows and, after a failure, the error's message."
  let message = SampleError.offline.error.localizedDescription
  await story(world, rule, sourceLocation: sourceLocation) {
    await $0.load(.screen, leadsToAllOf: ["load 1 requests the transactions while the screen shows []"])
    await $0.end(
      with: .success(1),
      leadsToAllOf: [logged(LoadMessage.loaded(1, in: .zero)), #"load 1 returns while the screen shows ["Tea 1"]"#])
    await $0.load(.screen, leadsToAllOf: [#"load 2 requests the transactions while the screen shows ["Tea 1"]"#])
    await $0.end(
      with: .failure(.offline),
      leadsToAllOf: [
        logged(LoadMessage.failed(after: .zero)),
        #"load 2 returns while the screen shows ["Tea 1"] and the message "\#(message)""#,
      ])
  }
}

/// Checks what a view model shows, however it logs.
///
/// - Parameters:
///   - sourceLocation: The source location of issues.
///   - makeSUT: A closure that makes a view model with a function that loads the transactions.
@MainActor
func expectShows(
  sourceLocation: SourceLocation = #_sourceLocation, _ makeSUT: (@escaping LoadTransactions) -> any Screen
) async {
  var rows: [String] = []
  var ending = LoadEnding.success(0)
  let sut = makeSUT { try ending.values(of: 0).map { Transaction(payee: $0, cents: -320) } }
  for next in [LoadEnding.success(3), .failure(.offline), .failure(.cancellation), .success(0), .success(1)] {
    ending = next
    await Logger.$redirection.withValue(Inbox<String>()) { await sut.loadTransactions() }
    let message: String?
    do { (rows, message) = (try ending.values(of: 0), nil) } catch { message = error.localizedDescription }
    #expect(
      sut.shown == .shown(rows, message),
      """
      After a load that ends with \(ending.inWords(.screen)), the screen shows \(sut.shown), but it should show \
      \(String.shown(rows, message)). A success replaces the rows and removes the message. A failure keeps the rows and shows its message.
      """,
      sourceLocation: sourceLocation)
  }
}
