import Given
import TestSupport
import Testing

@testable import Exercise8

@Suite("Step 5: function (extra)", .oneAtATime)
struct Step5Function {
  @Test("`logged` has the same effects and results as the logging decorator")
  func agreesWithTheDecorator() async {
    await each("ending", in: [LoadEnding.success(4), .success(0)] + Trouble.allCases.map(LoadEnding.failure)) {
      await expectLogs($0, by: .function)
    }
  }

  @Test("`logged` does nothing until the function that it returns is called")
  func measuresFromTheCall() async {
    await expectOverlappingLoadsMeasured(by: .function)
  }

  @Test("the functional view model does not log")
  func viewModelDoesNotLog() async {
    await expectViewModelDoesNotLog(with: .function)
  }

  @Test("unchanged: the functional view model shows rows and messages")
  @MainActor
  func showsRowsAndMessages() async {
    let loader = OneResult()
    let sut = Functional.TransactionsListViewModel(load: loader.loadTransactions)
    await expectShows(loader, { await sut.loadTransactions() }, { .shown(sut.items, sut.message) })
  }

  @Test("`logged` obeys all the rules in random sequences of events")
  func tellsStories() async {
    await expectNoStoryGoesWrong(LoggingStory<FunctionSubject>.self, count: 200)
  }
}
