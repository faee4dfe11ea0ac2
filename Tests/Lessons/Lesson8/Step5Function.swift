import Given
import TestSupport
import Testing

import class TestSupport.Inbox
import class TestSupport.ManualClock

@testable import Exercise8

@Suite("Step 5: function (extra)", .oneAtATime)
struct Step5Function {
  @Test("`logged` has the same effects and results as the logging decorator")
  func agreesWithTheDecorator() async throws {
    for transactions in [[Transaction.rent, .salary], []] {
      let (logger, clock) = (Inbox<String>(), ManualClock())
      let load = {
        clock.advance(by: 1.5)
        return transactions
      }
      let sut = Functional.logged(load, logger: logger, now: clock.readInstant)

      let loaded = try await sut()

      #expect(
        logger.values == [LoadMessage.loaded(transactions.count, in: .seconds(1.5))],
        "Log each call of the function once, with the injected logger and stopwatch, as the decorator does.")
      #expect(loaded == transactions, "Return the transactions that `load` has returned, unchanged.")
    }
    let logger = Inbox<String>()
    let failing = Functional.logged({ throw URLError(.timedOut) }, logger: logger, now: ManualClock().readInstant)

    _ = try? await failing()

    #expect(logger.values == [LoadMessage.failed(after: .zero)], "Log a call that fails, and then throw its error, unchanged.")
  }

  @Test("`logged` does nothing until the function that it returns is called")
  func measuresFromTheCall() async {
    await expectOverlappingLoadsMeasured(in: World(.function))
  }

  @Test("the functional view model does not log")
  func viewModelDoesNotLog() async {
    await expectViewModelDoesNotLog(in: World(.function))
  }

  @Test("unchanged: the functional view model shows rows and messages")
  @MainActor
  func showsRowsAndMessages() async {
    await expectShows { Functional.TransactionsListViewModel(load: $0) }
  }

  @Test("`logged` obeys all the rules in random sequences of events")
  func tellsStories() async {
    await expectNoStoryGoesWrong(count: 200, of: World.randomEvents(loading: [.transactions, .screen])) { _ in World(.function) }
  }
}
