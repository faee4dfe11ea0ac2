import Given
import TestSupport
import Testing

@testable import Exercise8

@Suite("Step 1: inject", .patientOnce)
struct Step1Inject {
  @Test("a load leaves one message, with the number of transactions and the time on the stopwatch")
  func logsTheLoad() async throws {
    let scene = Scene()
    let sut = scene.makeSUT()

    try await scene.run { await sut.load() }

    #expect(
      scene.logger.values == [LoadMessage.loaded(3, in: .seconds(1.5))],
      "Log one message for the load, through the logger that was injected, with the time that the injected stopwatch shows.")
  }

  @Test("an empty list is a load like any other")
  func logsAnEmptyLoad() async throws {
    let scene = Scene()
    let sut = scene.makeSUT()

    try await scene.run(answering: .success([])) { await sut.load() }

    #expect(scene.logger.values == [LoadMessage.loaded(0, in: .seconds(1.5))], "No transactions is an answer, too: log it.")
  }

  @Test("a load that fails leaves one message as well")
  func logsTheFailure() async throws {
    let scene = Scene()
    let sut = scene.makeSUT()

    try await scene.run(answering: .failure(LoadError())) { await sut.load() }

    #expect(
      scene.logger.values == [LoadMessage.failed(after: .seconds(1.5))],
      "The load failed after 1.5 seconds: log that, through the logger that was injected.")
  }

  @Test("a load that is cancelled has failed, too")
  func logsTheCancellation() async throws {
    let scene = Scene()
    let sut = scene.makeSUT()

    try await scene.run(answering: .failure(CancellationError())) { await sut.load() }

    #expect(
      scene.logger.values == [LoadMessage.failed(after: .seconds(1.5))],
      "The load ended after 1.5 seconds without transactions: log it as failed. Each load leaves one message.")
  }

  @Test("unchanged: stage 1 logs to the singleton, and we can see it through the back door only")
  func findsTheBackDoor() async throws {
    let scene = Scene()
    let sut = Singleton.TransactionsListViewModel(loader: scene.loader)

    try await scene.run { await sut.loadTransactions() }
    try await scene.run(answering: .failure(LoadError())) { await sut.loadTransactions() }

    let messages = scene.singleton.values
    #expect(messages.count == 2, "There is nothing to write in stage 1: it leaves one message for each load.")
    #expect(messages.first?.hasPrefix("Loaded 3 transactions") == true, "There is nothing to write in stage 1.")
  }

  @Test("nothing goes to the singleton any more", arguments: LoadOutcome.allCases)
  func leavesTheSingleton(end: LoadOutcome) async throws {
    let scene = Scene()
    let sut = scene.makeSUT()

    try await scene.run(answering: end.result) { await sut.load() }

    #expect(scene.singleton.values.isEmpty, "The view model still calls `Logger.shared`.")
  }

  @Test("loads that overlap keep their own start")
  func measuresOverlappingLoads() async throws {
    let scene = Scene()
    let sut = scene.makeSUT()

    try await scene.measureOverlappingLoads { await sut.load() }

    scene.expectOverlappingLoads()
  }

  @Test("unchanged: the items are shown; an error is shown beside them until the next load brings some")
  func showsItems() async throws {
    let scene = Scene()

    try await scene.expectShows(scene.makeSUT())
  }
}

extension Scene {
  fileprivate func makeSUT() -> ViewModel {
    let sut = Injected.TransactionsListViewModel(loader: loader, logger: logger, now: now)
    return ViewModel(load: sut.loadTransactions, items: { sut.items }, message: { sut.message })
  }
}
