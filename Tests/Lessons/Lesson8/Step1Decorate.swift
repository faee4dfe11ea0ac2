import Given
import TestSupport
import Testing

@testable import Exercise8

@Suite("Step 1: decorate", .oneAtATime)
struct Step1Decorate {
  @Test("a load is logged once, with its duration and number of transactions")
  func logsTheLoad() async throws {
    try await each(
      "transactions and seconds", in: [([Transaction.rent, .salary], 1.5), ([], 0.0004), ([.rent], 7200)]
    ) { transactions, seconds in
      let (logger, clock) = (Inbox<String>(), ManualClock())
      let loader = LoaderStub {
        clock.advance(by: seconds)
        return transactions
      }
      let sut = LoggingTransactionsLoaderDecorator(decoratee: loader, logger: logger, now: { clock.now })

      let loaded = try await sut.loadTransactions()

      #expect(
        logger.values == [LoadMessage.loaded(transactions.count, in: .seconds(seconds))],
        "Log each load once, with the injected logger and stopwatch, even without transactions. Do not round the duration."
      )
      #expect(loaded == transactions, "Return the transactions that the decoratee has loaded, unchanged.")
    }
  }

  @Test("a failed load is logged, and its error is thrown")
  func logsTheFailure() async throws {
    try await each("error", in: SampleError.allCases, "task is canceled", in: [false, true]) { sample, isCanceled in
      let (logger, clock) = (Inbox<String>(), ManualClock())
      let loader = LoaderStub {
        clock.advance(by: 1.5)
        throw sample.error
      }
      let sut = LoggingTransactionsLoaderDecorator(decoratee: loader, logger: logger, now: { clock.now })

      let outcome = try await Running(isCanceled: isCanceled) { try await sut.loadTransactions() }.outcome()

      #expect(
        logger.values == [LoadMessage.failed(after: .seconds(1.5))],
        "Log each load that fails, once, with its duration, whatever the error, and even if the task has been canceled.")
      #expect(outcome.failure?.isSame(as: sample.error) == true, "After you have logged the failure, throw the same error.")
    }
  }

  @Test("in a canceled task, a load that returns is a success")
  func logsTheSuccessOfACanceledTask() async throws {
    let (logger, clock) = (Inbox<String>(), ManualClock())
    let sut = LoggingTransactionsLoaderDecorator(decoratee: LoaderStub { [.rent] }, logger: logger, now: { clock.now })

    let outcome = try await Running(isCanceled: true) { try await sut.loadTransactions() }.outcome()

    #expect(
      logger.values == [LoadMessage.loaded(1, in: .zero)],
      "The decoratee decides what a cancellation means. If it returns, log the load as loaded, even in a canceled task.")
    #expect(try outcome.get() == [.rent], "Return the transactions that the decoratee has loaded, even in a canceled task.")
  }

  @Test("around another logging decorator, a load is logged as well")
  func logsAroundAnotherLog() async throws {
    let (outer, inner, clock) = (Inbox<String>(), Inbox<String>(), ManualClock())
    let decoratee = LoggingTransactionsLoaderDecorator(decoratee: LoaderStub { [.rent] }, logger: inner, now: { clock.now })
    let sut = LoggingTransactionsLoaderDecorator(decoratee: decoratee, logger: outer, now: { clock.now })

    _ = try await sut.loadTransactions()

    #expect(
      [outer.values, inner.values] == [[LoadMessage.loaded(1, in: .zero)], [LoadMessage.loaded(1, in: .zero)]],
      "Of two logging decorators, one around the other, each has a logger of its own, and logs each load.")
  }

  @Test("the durations of overlapping loads are measured separately")
  func measuresOverlappingLoads() async throws {
    try await expectOverlappingLoadsMeasured {
      LoggingTransactionsLoaderDecorator(decoratee: LoaderStub(load: $0), logger: $1, now: $2).loadTransactions
    }
  }

  @Test("the view model does not log")
  @MainActor
  func viewModelDoesNotLog() async {
    await expectViewModelDoesNotLog { load, logger in
      let loader = LoggingTransactionsLoaderDecorator(
        decoratee: LoaderStub(load: load), logger: logger, now: { ContinuousClock.now })
      return Decorated.TransactionsListViewModel(loader: loader)
    }
  }

  @Test("unchanged: the view model shows rows and messages")
  @MainActor
  func showsRowsAndMessages() async throws {
    try await expectShows { Decorated.TransactionsListViewModel(loader: LoaderStub(load: $0)) }
  }

  @Test("unchanged: when a load has ended, nothing of it is kept")
  func keepsNothing() async {
    await expectNothingKept {
      LoggingTransactionsLoaderDecorator(
        decoratee: LoaderStub(load: $0), logger: Recorder(), now: { ContinuousClock.now }
      ).loadTransactions
    }
  }

  @Test("hundreds of loads obey these rules, however they end")
  func weathersAStorm() async throws {
    try await expectEachLoadIsLogged {
      LoggingTransactionsLoaderDecorator(decoratee: LoaderStub(load: $0), logger: $1, now: $2).loadTransactions
    }
  }
}
