import Given
import TestSupport
import Testing

@testable import Exercise8

/// A loader of transactions, a logger, and a clock. Messages to `Logger.shared` are recorded for this scene only.
@MainActor
struct Scene {
  let loader = TransactionsLoaderSpy()
  let logger = Inbox<String>()
  let singleton = Inbox<String>()
  let clock = ManualClock()

  var now: () -> ContinuousClock.Instant {
    { [clock] in clock.now }
  }

  /// Runs a load, and completes it after 1.5 seconds on the clock.
  ///
  /// - Parameters:
  ///   - result: What the loader returns or throws.
  ///   - check: Called while the load is in flight.
  ///   - load: A closure that calls the code under test.
  /// - Returns: What the code under test returned or threw.
  @discardableResult
  func run<Value: Sendable>(
    completing result: Result<[Transaction], any Error> = .success(.sample), during check: () -> Void = {},
    sourceLocation: SourceLocation = #_sourceLocation, _ load: @escaping () async throws -> Value
  ) async throws -> Result<Value, any Error> {
    let index = loader.calls.count
    let running = start(load)

    await loader.calls.receives(index + 1)
    check()
    clock.advance(by: 1.5)
    loader.calls.complete(index, with: result, sourceLocation: sourceLocation)
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

/// The error of a load.
struct LoadError: LocalizedError, Equatable {
  var errorDescription: String? { "The transactions cannot be shown right now." }
}

/// A view model of any stage.
@MainActor
struct ViewModel {
  let load: () async -> Void
  let items: () -> [TransactionsListItem]
  let message: () -> String?
}

/// How a load ends.
enum LoadOutcome: CaseIterable {
  case transactions
  case noTransactions
  case error
  case networkError
  case cancellation

  /// The outcomes that are errors.
  static let errors: [Self] = [.error, .networkError, .cancellation]

  var result: Result<[Transaction], any Error> {
    switch self {
    case .transactions: .success(.sample)
    case .noTransactions: .success([])
    case .error: .failure(LoadError())
    case .networkError: .failure(URLError(.notConnectedToInternet))
    case .cancellation: .failure(CancellationError())
    }
  }

  /// The message of a load that ended like this.
  ///
  /// - Parameter seconds: Its duration, in seconds.
  func message(after seconds: TimeInterval = 1.5) -> String {
    switch result {
    case .success(let transactions): LoadMessage.loaded(transactions.count, in: .seconds(seconds))
    case .failure: LoadMessage.failed(after: .seconds(seconds))
    }
  }
}
