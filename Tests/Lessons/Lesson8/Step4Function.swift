import Given
import TestSupport
import Testing

import class TestSupport.Inbox
import class TestSupport.ManualClock
import struct TestSupport.Running
import enum TestSupport.SampleError

@testable import Exercise8

@Suite("Step 4: function", .oneAtATime)
struct Step4Function {
  @Test("a call is logged once, with its duration and number of transactions")
  func logsTheCall() async throws {
    for transactions in [[Transaction.rent, .salary], []] {
      let (logger, clock) = (Inbox<String>(), ManualClock())
      let load = {
        clock.advance(by: 1.5)
        return transactions
      }
      let sut = Functional.logged(load, logger: logger, now: { clock.now })

      let loaded = try await sut()

      #expect(
        logger.values == [LoadMessage.loaded(transactions.count, in: .seconds(1.5))],
        "Log each call of the function once, with the injected logger and stopwatch, as the decorator does.")
      #expect(loaded == transactions, "Return the transactions that `load` has returned, unchanged.")
    }
  }

  @Test("a failed call is logged, and its error is thrown")
  func logsTheFailure() async throws {
    try await each("error", in: SampleError.allCases, "task is canceled", in: [false, true]) { sample, isCanceled in
      let logger = Inbox<String>()
      let sut = Functional.logged({ throw sample.error }, logger: logger, now: ManualClock().readInstant)

      let outcome = try await Running(isCanceled: isCanceled) { try await sut() }.outcome()

      #expect(
        logger.values == [LoadMessage.failed(after: .zero)],
        "Log each call that fails, once, whatever the error, and even if the task has been canceled.")
      #expect(outcome.failure?.isSame(as: sample.error) == true, "After you have logged the failure, throw the same error.")
    }
  }

  @Test("`logged` measures each call of the function that it returns")
  func measuresOverlappingLoads() async throws {
    try await expectOverlappingLoadsMeasured { Functional.logged($0, logger: $1, now: $2) }
  }

  @Test("the functional view model does not log")
  @MainActor
  func viewModelDoesNotLog() async {
    await expectViewModelDoesNotLog { load, logger in
      Functional.TransactionsListViewModel(load: Functional.logged(load, logger: logger, now: { ContinuousClock.now }))
    }
  }

  @Test("unchanged: the functional view model shows rows and messages")
  @MainActor
  func showsRowsAndMessages() async throws {
    try await expectShows { Functional.TransactionsListViewModel(load: $0) }
  }

  @Test("hundreds of calls obey these rules, however they end")
  func weathersAStorm() async throws {
    try await expectEachLoadIsLogged { Functional.logged($0, logger: $1, now: $2) }
  }
}
