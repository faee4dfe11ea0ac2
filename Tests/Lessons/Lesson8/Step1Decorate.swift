import Given
import TestSupport
import Testing

@testable import Exercise8

extension Trait where Self == OneAtATimeTrait {
  /// Shows one failure at a time, in the order of the page.
  static var oneAtATime: Self { Self { try await Step1Decorate().logsTheLoad() } }
}

@MainActor
@Suite("Step 1: decorate", .oneAtATime)
struct Step1Decorate {
  @Test("a load logs one message with its duration and number of transactions")
  func logsTheLoad() async throws {
    try await each("count", in: [0, 1, 3]) { count in
      let scene = Scene()
      let sut = scene.makeDecorator()

      try await scene.run(completing: .success(Array([Transaction].sample.prefix(count)))) { try await sut.loadTransactions() }

      #expect(
        scene.logger.values == [LoadMessage.loaded(count, in: .seconds(1.5))],
        "The load ended after 1.5 seconds. Log its count and duration once, with the injected logger and the injected stopwatch.")
      #expect(scene.singleton.values.isEmpty, "The decorator logged with `Logger.shared`. Use the injected logger only.")
    }
  }

  @Test("a failed load logs one message and rethrows its error")
  func logsTheFailure() async throws {
    try await each("outcome", in: LoadOutcome.errors) { outcome in
      let scene = Scene()
      let sut = scene.makeDecorator()

      let result = try await scene.run(completing: outcome.result) { try await sut.loadTransactions() }

      #expect("\(result)" == "\(outcome.result)", "The decoratee ended with \(outcome). Log it, then rethrow the same error.")
      #expect(
        scene.logger.values == [LoadMessage.failed(after: .seconds(1.5))],
        "The load failed after 1.5 seconds. Log that once, with the injected logger and the injected stopwatch.")
      #expect(scene.singleton.values.isEmpty, "The decorator logged with `Logger.shared`. Use the injected logger only.")
    }
  }

  @Test("every load is logged, not only the first")
  func logsEachLoad() async throws {
    let scene = Scene()
    let sut = scene.makeDecorator()
    let outcomes: [LoadOutcome] = [.transactions, .error, .error, .transactions, .noTransactions]

    for outcome in outcomes { try await scene.run(completing: outcome.result) { try await sut.loadTransactions() } }

    #expect(
      scene.logger.values == outcomes.map { $0.message() }, "Five loads should log five messages, each about its own load.")
  }

  @Test("overlapping loads are measured separately")
  func measuresOverlappingLoads() async throws {
    let scene = Scene()
    let sut = scene.makeDecorator()

    try await scene.expectOverlappingLoads { _ = try await sut.loadTransactions() }
  }

  @Test("nothing is logged before the load ends")
  func waitsForTheEnd() async throws {
    let scene = Scene()
    let sut = scene.makeDecorator()

    let running = scene.start { try await sut.loadTransactions() }
    await scene.loader.calls.receives(1)
    #expect(scene.logger.values.isEmpty, "The load is in flight, and its duration is unknown. Log it when it has ended.")
    scene.loader.calls.complete(with: .success([]))
    _ = try await running.outcome()

    #expect(
      scene.logger.values.count == 1, "The decoratee has returned, so one message should be logged before the decorator returns.")
  }

  @Test("a canceled load is logged as failed and throws a `CancellationError`")
  func passesTheCancellationThrough() async throws {
    let scene = Scene()
    let sut = scene.makeDecorator()

    try await scene.expectCancellation { _ = try await sut.loadTransactions() }
  }

  @Test("the decoratee's result counts even if the task is canceled")
  func ignoresTheTasksState() async throws {
    try await each("outcome", in: [LoadOutcome.transactions, .error]) { outcome in
      let scene = Scene()
      let sut = LoggingTransactionsLoaderDecorator(
        decoratee: TransactionsLoaderSpy(endingWith: outcome.result), logger: scene.logger, now: scene.now)

      try await scene.expectResultInSpiteOfACancel(outcome) { try await sut.loadTransactions() }
    }
  }

  @Test("two nested decorators log once each")
  func nests() async throws {
    let scene = Scene()
    let outer = Inbox<String>()
    let sut = LoggingTransactionsLoaderDecorator(decoratee: scene.makeDecorator(), logger: outer, now: scene.now)

    let transactions = try await scene.run { try await sut.loadTransactions() }
      .expectSuccess("Both decorators should return the transactions. Return what the decoratee returns.")

    #expect(transactions == .sample, "Both decorators should return the transactions unchanged.")
    #expect(
      outer.values == [LoadOutcome.transactions.message()],
      "The outer decorator should log the load once. Use the injected logger.")
    #expect(
      scene.logger.values == outer.values,
      "The inner decorator should log the same message as the outer one. Let each decorator log with its own logger.")
  }

  @Test("unchanged: each load calls the decoratee once and returns its transactions")
  func returnsTheTransactions() async throws {
    let scene = Scene()
    let sut = scene.makeDecorator()

    let transactions = try await scene.run { try await sut.loadTransactions() }
      .expectSuccess("The decorator should return the transactions. Return what the decoratee returns.")

    #expect(transactions == .sample, "The decorator should return the decoratee's transactions in the same order.")
    #expect(scene.loader.calls.count == 1, "The decorator should call its decoratee once for each load.")
  }

  @Test("the view model does not log, and its decorated loader logs once")
  func viewModelDoesNotLog() async throws {
    try await each("outcome", in: LoadOutcome.allCases) { outcome in
      let scene = Scene()
      let sut = Decorated.TransactionsListViewModel(loader: scene.makeDecorator())

      try await scene.run(completing: outcome.result) { await sut.loadTransactions() }

      #expect(
        scene.singleton.values.isEmpty, "A message was logged with `Logger.shared`. Check the view model, then the decorator.")
      #expect(scene.logger.values.count == 1, "The loader is decorated, so the load should log one message.")
    }
  }

  @Test("unchanged: the view model shows rows and messages as before")
  func showsRowsAndMessages() async throws {
    let scene = Scene()
    let sut = Decorated.TransactionsListViewModel(loader: scene.loader)

    try await scene.expectShows(
      ViewModel(load: sut.loadTransactions, items: { sut.items }, message: { sut.message }))
  }

  @Test("unchanged: only a back door shows what stage 1 logs")
  func usesTheBackDoor() async throws {
    let (scene, injected) = (Scene(), Scene())
    let stage1 = Singleton.TransactionsListViewModel(loader: scene.loader)
    let stage2 = Injected.TransactionsListViewModel(loader: injected.loader, logger: injected.logger, now: injected.now)

    for outcome in [LoadOutcome.transactions, .error] {
      try await scene.run(completing: outcome.result) { await stage1.loadTransactions() }
      try await injected.run(completing: outcome.result) { await stage2.loadTransactions() }
    }

    #expect(scene.singleton.values.count == 2, "Stage 1 should log each load with `Logger.shared`. Leave its file unchanged.")
    #expect(
      injected.logger.values == [LoadOutcome.transactions.message(), LoadOutcome.error.message()],
      "Stage 2 should log each load with its injected logger. Leave its file unchanged.")
  }
}

extension Scene {
  fileprivate func makeDecorator() -> LoggingTransactionsLoaderDecorator {
    LoggingTransactionsLoaderDecorator(decoratee: loader, logger: logger, now: now)
  }
}
