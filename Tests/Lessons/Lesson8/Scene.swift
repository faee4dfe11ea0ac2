import Given
import TestSupport
import Testing

@testable import Exercise8

/// A loader of transactions, a log, and a clock. What goes to the singletons meanwhile is caught, in this task alone.
struct Scene {
  let loader = TransactionsLoaderSpy()
  let logger = Inbox<String>()
  let singleton = Inbox<String>()
  let clock = ManualClock()

  var now: () -> ContinuousClock.Instant {
    { [clock] in clock.now }
  }

  /// Runs a load, and answers it after 1.5 seconds on the clock.
  ///
  /// - Parameters:
  ///   - answer: What the loader returns or throws.
  ///   - load: Calls whatever is to be tested.
  /// - Returns: How it ended.
  @discardableResult
  func run<Value: Sendable>(
    answering answer: Result<[Transaction], any Error> = .success(.sample), sourceLocation: SourceLocation = #_sourceLocation,
    _ load: @escaping () async throws -> Value
  ) async throws -> Result<Value, any Error> {
    let index = loader.calls.count
    let running = start(load)

    await loader.calls.receives(index + 1)
    clock.advance(by: 1.5)
    loader.calls.complete(index, with: answer, sourceLocation: sourceLocation)
    return try await running.outcome(sourceLocation: sourceLocation)
  }

  /// Runs work beside the test.
  func start<Value: Sendable>(_ work: @escaping () async throws -> Value) -> Running<Value> {
    Logger.$redirection.withValue(singleton) { Running(work) }
  }
}

extension [Transaction] {
  static let sample = [
    Transaction(payee: "Bakery", cents: -320), Transaction(payee: "Salary", cents: 250_005),
    Transaction(payee: "Apothecary", cents: -1895),
  ]
}

extension [TransactionsListItem] {
  static let sample = [Transaction].sample.map(TransactionsListItem.init)
}

/// What went wrong with a load.
struct LoadError: LocalizedError, Equatable {
  var errorDescription: String? { "The transactions cannot be shown right now." }
}

/// A view model of any stage, as the suites use it.
struct ViewModel {
  let load: () async -> Void
  let items: () -> [TransactionsListItem]
  let message: () -> String?
}

/// How a load ends.
enum LoadOutcome: CaseIterable {
  case succeeds
  case fails

  var result: Result<[Transaction], any Error> {
    self == .succeeds ? .success(.sample) : .failure(LoadError())
  }
}
