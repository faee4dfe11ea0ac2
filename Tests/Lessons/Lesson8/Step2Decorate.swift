import Given
import TestSupport
import Testing

@testable import Exercise8

@Suite("Step 2: decorate", .patientOnce)
struct Step2Decorate {
  @Test("a load leaves one message, the same as before", arguments: [0, 1, 3])
  func logsTheLoad(count: Int) async throws {
    let scene = Scene()
    let sut = scene.makeDecorator()

    try await scene.run(answering: .success(Array([Transaction].sample.prefix(count)))) { try await sut.loadTransactions() }

    #expect(
      scene.logger.values == [LoadMessage.loaded(count, in: .seconds(1.5))],
      "The decorator logs one message for each load, the very one that the view model logged in step 1.")
  }

  @Test("a load that fails is logged as failed, and its error goes on to the caller")
  func logsTheFailure() async throws {
    let scene = Scene()
    let sut = scene.makeDecorator()

    try await scene.run(answering: .failure(LoadError())) { try await sut.loadTransactions() }.expectFailure(
      LoadError(), "The caller wants to show what went wrong: throw the error on.")

    #expect(scene.logger.values == [LoadMessage.failed(after: .seconds(1.5))], "A failed load leaves one message as well.")
  }

  @Test("every load is logged, not only the first")
  func logsEachLoad() async throws {
    let scene = Scene()
    let sut = scene.makeDecorator()

    for _ in 1...3 { try await scene.run { try await sut.loadTransactions() } }

    #expect(scene.logger.values.count == 3, "Three loads leave three messages.")
  }

  @Test("loads that overlap keep their own start")
  func measuresOverlappingLoads() async throws {
    let scene = Scene()
    let sut = scene.makeDecorator()

    try await scene.measureOverlappingLoads { _ = try await sut.loadTransactions() }

    scene.expectOverlappingLoads()
  }

  @Test("nothing is logged before the load has ended")
  func waitsForTheEnd() async throws {
    let scene = Scene()
    let sut = scene.makeDecorator()

    let running = scene.start { try await sut.loadTransactions() }
    await scene.loader.calls.receives(1)
    #expect(scene.logger.values.isEmpty, "The load is still under way: nobody knows how long it will take.")
    scene.loader.calls.complete(with: .success([]))
    _ = try await running.outcome()

    #expect(scene.logger.values.count == 1, "The load has ended: log it.")
  }

  @Test("a cancelled load ends as cancelled, and is logged as failed")
  func passesCancellationOn() async throws {
    let scene = Scene()
    let sut = scene.makeDecorator()

    let running = scene.start { try await sut.loadTransactions() }
    await scene.loader.calls.receives(1)
    running.cancel()

    let error = try await running.outcome(
      "The task was cancelled, and still waits: call the decoratee in the task of the caller, and in no other."
    ).failure
    #expect(error is CancellationError, "Whoever cancels wants a `CancellationError`: throw on what the decoratee throws.")
    #expect(scene.loader.calls.cancelled == [0], "The cancellation has to reach the decoratee.")
    #expect(
      scene.logger.values == [LoadMessage.failed(after: .zero)],
      "A cancelled load has ended without transactions: log it as failed, once.")
  }

  @Test("two of them get along")
  func composes() async throws {
    let scene = Scene()
    let outer = Inbox<String>()
    let sut = LoggingTransactionsLoaderDecorator(decoratee: scene.makeDecorator(), logger: outer, now: scene.now)

    let transactions = try await scene.run { try await sut.loadTransactions() }.expectSuccess("The loader has loaded.")

    #expect(transactions == .sample, "The transactions have to come back through both.")
    #expect(outer.values.count == 1, "The outer decorator logs the load once.")
    #expect(scene.logger.values == outer.values, "The inner decorator logs the load as the outer one does.")
  }

  @Test("unchanged: the transactions come back as they were loaded")
  func deliversTheTransactions() async throws {
    let scene = Scene()
    let sut = scene.makeDecorator()

    let transactions = try await scene.run { try await sut.loadTransactions() }.expectSuccess("The loader has loaded.")

    #expect(transactions == .sample, "The decorator hands over what its decoratee loads, in its order.")
    #expect(scene.loader.calls.count == 1, "One load is one call of the decoratee.")
  }

  @Test("unchanged: what comes in spite of a cancel is handed on as it came", arguments: LoadOutcome.allCases)
  func deliversInSpiteOfACancel(end: LoadOutcome) async throws {
    let scene = Scene()
    let answer = end.result
    let sut = LoggingTransactionsLoaderDecorator(
      decoratee: StubbornLoader(answer: answer), logger: scene.logger, now: scene.now)

    let outcome = try await scene.start {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await sut.loadTransactions()
    }.outcome()

    #expect(
      "\(outcome)" == "\(answer)",
      "The task was cancelled and the decoratee has gone on to the end. What it brings is not the logger's business: hand it on.")
  }

  @Test("the view model does not log any more, and a decorated loader logs once for both", arguments: LoadOutcome.allCases)
  func viewModelDoesNotLog(end: LoadOutcome) async throws {
    let scene = Scene()
    let sut = Decorated.TransactionsListViewModel(loader: scene.makeDecorator())

    try await scene.run(answering: end.result) { await sut.loadTransactions() }

    #expect(
      scene.singleton.values.isEmpty, "Something still logs through `Logger.shared`: the view model, or what it loads with.")
    #expect(scene.logger.values.count == 1, "The loader is decorated: the load leaves one message.")
  }

  @Test("unchanged: the items are shown; an error is shown beside them until the next load brings some")
  func showsItems() async throws {
    let scene = Scene()
    let sut = Decorated.TransactionsListViewModel(loader: scene.loader)

    try await scene.expectShows(
      ViewModel(load: sut.loadTransactions, items: { sut.items }, message: { sut.message }))
  }
}

extension Scene {
  fileprivate func makeDecorator() -> LoggingTransactionsLoaderDecorator {
    LoggingTransactionsLoaderDecorator(decoratee: loader, logger: logger, now: now)
  }
}

/// Does not mind being cancelled.
private struct StubbornLoader: TransactionsLoading {
  let answer: Result<[Transaction], any Error>

  func loadTransactions() async throws -> [Transaction] {
    try answer.get()
  }
}
