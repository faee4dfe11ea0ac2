import Given
import TestSupport
import Testing

// Checks that several stages share.

extension Scene {
  /// Checks what a view model shows during and after each of several loads.
  func expectShows(_ sut: ViewModel, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let loads: [(outcome: LoadOutcome, items: [TransactionsListItem], message: String?)] = [
      (.transactions, .sample, nil), (.error, .sample, "The transactions cannot be shown right now."),
      (.error, .sample, "The transactions cannot be shown right now."), (.noTransactions, [], nil), (.transactions, .sample, nil),
      (.networkError, .sample, URLError(.notConnectedToInternet).localizedDescription),
    ]
    for (number, load) in loads.enumerated() {
      let (items, message) = (sut.items(), sut.message())
      try await run(
        completing: load.outcome.result,
        during: {
          #expect(
            sut.items() == items && sut.message() == message,
            "Load \(number + 1) is in flight. The rows and the message should stay unchanged until it ends.",
            sourceLocation: sourceLocation)
        }, sourceLocation: sourceLocation, { await sut.load() })

      #expect(
        sut.items() == load.items,
        "Load \(number + 1) ended with \(load.outcome). A success replaces the rows, and an error leaves them unchanged.",
        sourceLocation: sourceLocation)
      #expect(
        sut.message() == load.message,
        "Load \(number + 1) ended with \(load.outcome). An error shows its message, and a success removes the message.",
        sourceLocation: sourceLocation)
    }
  }

  /// Checks the messages of two overlapping loads.
  ///
  /// The second load starts after 2 seconds and takes 3. The first ends 4 seconds later.
  func expectOverlappingLoads(
    sourceLocation: SourceLocation = #_sourceLocation, _ load: @escaping () async throws -> Void
  ) async throws {
    let first = start(load)
    await loader.calls.receives(1)
    clock.advance(by: 2)
    let second = start(load)
    await loader.calls.receives(2)
    clock.advance(by: 3)
    loader.calls.complete(1, with: .success(.sample), sourceLocation: sourceLocation)
    _ = try await second.outcome(sourceLocation: sourceLocation)
    clock.advance(by: 4)
    loader.calls.complete(0, with: .failure(LoadError()), sourceLocation: sourceLocation)
    _ = try await first.outcome(sourceLocation: sourceLocation)

    #expect(
      logger.values == [LoadOutcome.transactions.message(after: 3), LoadOutcome.error.message(after: 9)],
      "The second load took 3 seconds, and the first failed after 9. Read the start time of each load in its own call.",
      sourceLocation: sourceLocation)
  }

  /// Checks that a canceled load throws a `CancellationError` and is logged as failed.
  func expectCancellation(
    sourceLocation: SourceLocation = #_sourceLocation, _ load: @escaping () async throws -> Void
  ) async throws {
    let running = start(load)
    await loader.calls.receives(1)
    running.cancel()

    let error = try await running.outcome(
      "The task was canceled, but the load has not ended. Call the decoratee in the caller's task, not in a new one.",
      sourceLocation: sourceLocation
    ).failure
    #expect(
      error is CancellationError, "The load threw a `CancellationError`. Rethrow the error unchanged.",
      sourceLocation: sourceLocation)
    #expect(
      loader.calls.cancelled == [0], "The cancellation should reach the decoratee. Call it in the caller's task.",
      sourceLocation: sourceLocation)
    #expect(
      logger.values == [LoadMessage.failed(after: .zero)],
      "The load was canceled and ended without transactions. Log it once, as failed.", sourceLocation: sourceLocation)
  }

  /// Checks that the decoratee's result decides, even if the task is canceled.
  ///
  /// - Parameter load: A load whose decoratee is a ``StubbornLoader`` with that outcome.
  func expectResultInSpiteOfACancel(
    _ outcome: LoadOutcome, sourceLocation: SourceLocation = #_sourceLocation,
    _ load: @escaping () async throws -> [Transaction]
  ) async throws {
    let result = try await start {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await load()
    }.outcome(sourceLocation: sourceLocation)

    #expect(
      "\(result)" == "\(outcome.result)",
      "The decoratee ignored the cancellation and ended with \(outcome). Return or rethrow that, even in a canceled task.",
      sourceLocation: sourceLocation)
    #expect(
      logger.values == [outcome.message(after: 0)],
      "The decoratee ignored the cancellation and ended with \(outcome). Log what it did, not that the task was canceled.",
      sourceLocation: sourceLocation)
  }
}
