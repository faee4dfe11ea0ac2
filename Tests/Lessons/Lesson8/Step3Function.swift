import Given
import TestSupport
import Testing

@testable import Exercise8

@Suite("Step 3: function", .patientOnce)
struct Step3Function {
  @Test("the function and the decorator agree on every case", arguments: Case.allCases)
  func agreesWithTheDecorator(aCase: Case) async throws {
    let (object, function) = (Scene(), Scene())
    let decorator = LoggingTransactionsLoaderDecorator(decoratee: object.loader, logger: object.logger, now: object.now)
    let logged = function.makeLogged()

    let expected = try await object.run(answering: aCase.answer) { try await decorator.loadTransactions() }
    let result = try await function.run(answering: aCase.answer) { try await logged() }

    #expect(!function.logger.values.isEmpty, "`logged` has to log, as the decorator does.")
    #expect(function.logger.values == object.logger.values, "Both styles log the same.")
    #expect("\(result)" == "\(expected)", "Both styles return and throw the same.")
  }

  @Test("loads that overlap keep their own start")
  func measuresOverlappingLoads() async throws {
    let scene = Scene()
    let logged = scene.makeLogged()

    try await scene.measureOverlappingLoads { _ = try await logged() }

    scene.expectOverlappingLoads()
  }

  @Test("functions nest like objects: two of them log twice")
  func composes() async throws {
    let scene = Scene()
    let outer = Inbox<String>()
    let sut = Functional.logged(scene.makeLogged(), logger: outer, now: scene.now)

    let transactions = try await scene.run { try await sut() }.expectSuccess("The loader has loaded.")

    #expect(transactions == .sample, "The transactions have to come back through both.")
    #expect(outer.values == [LoadMessage.loaded(3, in: .seconds(1.5))], "The outer function logs the load once.")
    #expect(scene.logger.values == outer.values, "The inner function logs the load as the outer one does.")
    #expect(scene.loader.calls.count == 1, "One load is one call of what is wrapped.")
  }

  @Test("a cancelled load ends as cancelled, and is logged as failed")
  func passesCancellationOn() async throws {
    let scene = Scene()
    let logged = scene.makeLogged()

    let running = scene.start { try await logged() }
    await scene.loader.calls.receives(1)
    running.cancel()

    let error = try await running.outcome(
      "The task was cancelled, and still waits: call the function in the task of the caller, and in no other."
    ).failure
    #expect(error is CancellationError, "Whoever cancels wants a `CancellationError`: throw on what was thrown.")
    #expect(
      scene.logger.values == [LoadMessage.failed(after: .zero)],
      "A cancelled load has ended without transactions: log it as failed, once.")
  }

  @Test("making the function does not load anything yet")
  func loadsWhenCalled() async throws {
    let scene = Scene()

    let logged = scene.makeLogged()
    #expect(scene.loader.calls.count == 0, "The function has not been called yet: there is nothing to load.")
    #expect(scene.logger.values.isEmpty, "The function has not been called yet: there is nothing to log.")
    scene.clock.advance(by: 60)
    try await scene.run { try await logged() }

    try #require(!scene.logger.values.isEmpty, "`logged` has to log, as the decorator does.")
    #expect(
      scene.logger.values == [LoadMessage.loaded(3, in: .seconds(1.5))],
      "The time runs from the call of the function, not from the moment at which it was made.")
  }

  @Test("the view model does not log any more, and a logged function logs once for both", arguments: LoadOutcome.allCases)
  func viewModelDoesNotLog(end: LoadOutcome) async throws {
    let scene = Scene()
    let sut = Functional.TransactionsListViewModel(load: scene.makeLogged())

    try await scene.run(answering: end.result) { await sut.loadTransactions() }

    #expect(
      scene.singleton.values.isEmpty, "Something still logs through `Logger.shared`: the view model, or what it loads with.")
    #expect(scene.logger.values.count == 1, "The function is logged: the load leaves one message.")
  }

  @Test("unchanged: the items are shown; an error is shown beside them until the next load brings some")
  func showsItems() async throws {
    let scene = Scene()
    let sut = Functional.TransactionsListViewModel(load: scene.loader.loadTransactions)

    try await scene.expectShows(
      ViewModel(load: sut.loadTransactions, items: { sut.items }, message: { sut.message }))
  }

  enum Case: CaseIterable {
    case some, none, failed, cancelled

    var answer: Result<[Transaction], any Error> {
      switch self {
      case .some: .success(.sample)
      case .none: .success([])
      case .failed: .failure(LoadError())
      case .cancelled: .failure(CancellationError())
      }
    }
  }
}

extension Scene {
  fileprivate func makeLogged() -> LoadTransactions {
    Functional.logged(loader.loadTransactions, logger: logger, now: now)
  }
}
