import Given
import TestSupport
import Testing

@testable import Exercise8

@MainActor
@Suite("Step 2: function", .oneAtATime)
struct Step2Function {
  @Test("the function logs, returns, and throws the same as the decorator")
  func agreesWithTheDecorator() async throws {
    try await each("outcome", in: LoadOutcome.allCases) { outcome in
      let scene = Scene()
      let logged = scene.makeLogged()

      for _ in 1...2 {
        let result = try await scene.run(completing: outcome.result) { try await logged() }
        #expect("\(result)" == "\(outcome.result)", "The load ended with \(outcome). Return or throw that, unchanged.")
      }

      #expect(
        scene.logger.values == [outcome.message(), outcome.message()],
        "Two loads ended with \(outcome). Log one message for each, with the injected logger and the injected stopwatch.")
      #expect(scene.singleton.values.isEmpty, "The function logged with `Logger.shared`. Use the injected logger only.")
    }
  }

  @Test("overlapping loads are measured separately")
  func measuresOverlappingLoads() async throws {
    let scene = Scene()
    let logged = scene.makeLogged()

    try await scene.expectOverlappingLoads { _ = try await logged() }
  }

  @Test("two nested functions log once each")
  func nests() async throws {
    let scene = Scene()
    let outer = Inbox<String>()
    let sut = Functional.logged(scene.makeLogged(), logger: outer, now: scene.now)

    let transactions = try await scene.run { try await sut() }.expectSuccess(
      "Both functions should return the transactions. Return what the wrapped function returns.")

    #expect(transactions == .sample, "Both functions should return the transactions unchanged.")
    #expect(
      outer.values == [LoadOutcome.transactions.message()],
      "The outer function should log the load once. Use the injected logger.")
    #expect(
      scene.logger.values == outer.values,
      "The inner function should log the same message as the outer one. Let each function log with its own logger.")
    #expect(scene.loader.calls.count == 1, "One load should call the wrapped function once. Look for a second call of `load`.")
  }

  @Test("a canceled load is logged as failed and throws a `CancellationError`")
  func passesTheCancellationThrough() async throws {
    let scene = Scene()
    let logged = scene.makeLogged()

    try await scene.expectCancellation { _ = try await logged() }
  }

  @Test("the wrapped function's result counts even if the task is canceled")
  func ignoresTheTasksState() async throws {
    try await each("outcome", in: [LoadOutcome.transactions, .error]) { outcome in
      let scene = Scene()
      let logged = Functional.logged(
        TransactionsLoaderSpy(endingWith: outcome.result).loadTransactions, logger: scene.logger, now: scene.now)

      try await scene.expectResultInSpiteOfACancel(outcome) { try await logged() }
    }
  }

  @Test("timing starts when the function is called, not when it is made")
  func startsWithTheCall() async throws {
    let scene = Scene()

    let logged = scene.makeLogged()
    #expect(scene.loader.calls.count == 0, "The function was made, but not called. Load only when it is called.")
    #expect(scene.logger.values.isEmpty, "The function was made, but not called. Log only when a load has ended.")
    scene.clock.advance(by: 60)
    try await scene.run { try await logged() }

    #expect(
      scene.logger.values == [LoadMessage.loaded(3, in: .seconds(1.5))],
      "The load took 1.5 seconds. Read the start time when the function is called, and log once with the injected logger.")
  }

  @Test("the view model does not log, and its function logs once")
  func viewModelDoesNotLog() async throws {
    try await each("outcome", in: LoadOutcome.allCases) { outcome in
      let scene = Scene()
      let sut = Functional.TransactionsListViewModel(load: scene.makeLogged())

      try await scene.run(completing: outcome.result) { await sut.loadTransactions() }

      #expect(
        scene.singleton.values.isEmpty, "A message was logged with `Logger.shared`. Check the view model, then `logged`.")
      #expect(scene.logger.values.count == 1, "The view model loads with `logged`, so the load should log one message.")
    }
  }

  @Test("unchanged: the view model shows rows and messages as before")
  func showsRowsAndMessages() async throws {
    let scene = Scene()
    let sut = Functional.TransactionsListViewModel(load: scene.loader.loadTransactions)

    try await scene.expectShows(
      ViewModel(load: sut.loadTransactions, items: { sut.items }, message: { sut.message }))
  }

  @Test("no story about the function goes wrong")
  func tellsStories() async {
    await expectNoStoryGoesWrong(LoggingStory<FunctionStyle>.self, count: 200)
  }
}

extension Scene {
  fileprivate func makeLogged() -> LoadTransactions {
    Functional.logged(loader.loadTransactions, logger: logger, now: now)
  }
}
