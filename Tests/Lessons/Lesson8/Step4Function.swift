import Given
import TestSupport
import Testing

@testable import Exercise8

@Suite("Step 4: function", .oneAtATime)
struct Step4Function {
  @Test("a call is logged once, whether it succeeds or fails")
  func logsTheCall() async throws {
    let (offline, duration) = (SampleError.offline.error, Duration.seconds(1.5))
    for (result, message) in [
      (.success([.rent, .salary]), LoadMessage.loaded(2, in: duration)), (.success([]), LoadMessage.loaded(0, in: duration)),
      (.failure(offline), LoadMessage.failed(after: duration)),
    ] as [(Result<[Transaction], any Error>, String)] {
      let (logger, clock) = (Inbox<String>(), ManualClock())
      let load: LoadTransactions = {
        clock.advance(by: 1.5)
        return try result.get()
      }
      let sut = Functional.logged(load, logger: logger, now: { clock.now })

      let outcome = try await Running { try await sut() }.outcome()

      #expect(
        logger.values == [message],
        "Log each call of the function once, with the injected logger and stopwatch, as the decorator does.")
      #expect(
        (try? outcome.get()) == (try? result.get()) && outcome.failure?.inWords == result.failure?.inWords,
        "Return what `load` has returned, or throw what it has thrown, unchanged.")
    }
  }

  @Test("around another logged function, a call is logged as well")
  func logsAroundAnotherLog() async throws {
    let (outer, inner, clock) = (Inbox<String>(), Inbox<String>(), ManualClock())
    let load = Functional.logged({ [.rent] }, logger: inner, now: { clock.now })
    let sut = Functional.logged(load, logger: outer, now: { clock.now })

    _ = try await sut()

    #expect(
      [outer.values, inner.values] == [[LoadMessage.loaded(1, in: .zero)], [LoadMessage.loaded(1, in: .zero)]],
      "Of two logged functions, one around the other, each has a logger of its own, and logs each call.")
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

  @Test("unchanged: when a call has ended, nothing of it is kept")
  func keepsNothing() async {
    await expectNothingKept { Functional.logged($0, logger: Recorder(), now: { ContinuousClock.now }) }
  }

  @Test("hundreds of calls obey these rules, however they end")
  func weathersAStorm() async throws {
    try await expectEachLoadIsLogged { Functional.logged($0, logger: $1, now: $2) }
  }
}
