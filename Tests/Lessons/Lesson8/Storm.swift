import Given
import TestSupport
import Testing

@testable import Exercise8

/// Checks that each load of transactions is logged as it should be.
///
/// - Parameters:
///   - isLogged: Whether loads are logged at all.
///   - sourceLocation: The source location of issues.
///   - decorate: A closure that decorates a load with a logger (which is a tracker, too) and a stopwatch.
func expectEachLoadIsLogged(
  _ isLogged: Bool = true, sourceLocation: SourceLocation = #_sourceLocation,
  by decorate: (
    @escaping LoadTransactions, Recorder, @escaping @Sendable () -> ContinuousClock.Instant
  ) -> () async throws -> [Transaction]
) async throws {
  let rule: Comment =
    isLogged
    ? "Log each load once, when it ends: its number of transactions or its failure, with the time that this load has taken."
    : "In this context, log nothing."
  try await expectEachLoadIsRight(
    rule, of: { Transaction(payee: ["Tea", "Rent"].randomElement(using: &$0)!, cents: .random(in: -3...3, using: &$0)) },
    sourceLocation: sourceLocation, through: decorate,
    records: { result, duration in
      guard isLogged else { return [] }
      guard case .success(let transactions) = result else { return [LoadMessage.failed(after: duration)] }
      return [LoadMessage.loaded(transactions.count, in: duration)]
    })
}

/// Checks that each load of items is tracked as it should be.
///
/// - Parameters:
///   - isTracked: Whether loads are tracked at all.
///   - sourceLocation: The source location of issues.
///   - decorate: A closure that decorates a load with a tracker (which is a logger, too).
func expectEachLoadIsTracked(
  _ isTracked: Bool = true, sourceLocation: SourceLocation = #_sourceLocation,
  by decorate: (@escaping @Sendable () async throws -> [String], Recorder) -> () async throws -> [String]
) async throws {
  let rule: Comment =
    isTracked
    ? "Track each load that succeeds once, when it ends: all of its items, in order. Track nothing for a load that fails."
    : "In this context, track nothing."
  try await expectEachLoadIsRight(
    rule, of: { ["Tea", "Bread", ""].randomElement(using: &$0)! }, sourceLocation: sourceLocation,
    through: { load, recorder, _ in decorate(load, recorder) },
    records: { result, _ in
      if isTracked, case .success(let items) = result { ["tracked: \(items)"] } else { [] }
    })
}

/// Loads hundreds of times, with values that nobody has chosen, and compares what becomes of each load. The values are drawn in
/// each round, and are the same in each run.
private func expectEachLoadIsRight<Value: Equatable & Sendable>(
  _ rule: Comment, of value: (inout SeededRandom) -> Value, sourceLocation: SourceLocation,
  through decorate: (
    @escaping @Sendable () async throws -> [Value], Recorder, @escaping @Sendable () -> ContinuousClock.Instant
  ) -> () async throws -> [Value],
  records: (Result<[Value], any Error>, Duration) -> [String]
) async throws {
  var random = SeededRandom(seed: 8)
  try await each("round", in: 1...150) { _ in
    let (recorder, clock) = (Recorder(), ManualClock())
    let backEnd = AsyncCalls<String, [Value]>(to: "the decoratee", endsWhenCanceled: false)
    let retained: Comment = "All loads have ended, but something still retains the decoratee."
    try await expectReleased(retained, sourceLocation: sourceLocation) { leaks in
      // The app may have any number of loaders.
      let loaders = ["the first loader", "the second loader"].map { name in
        let lifetime = leaks.lifetime(of: "the decoratee")
        let load: @Sendable () async throws -> [Value] = {
          _ = lifetime
          return try await backEnd.receive(name)
        }
        return (name: name, load: decorate(load, recorder) { clock.now })
      }
      var inFlight: [(number: Int, running: Running<[Value]>, start: ContinuousClock.Instant, isCanceled: Bool)] = []
      var (count, recorded) = (0, 0)

      /// Starts a load, in a task that may have been canceled before.
      func start() async {
        let loader = loaders.randomElement(using: &random)!
        let isCanceled = Int.random(in: 0..<6, using: &random) == 0
        inFlight.append((count, Running(isCanceled: isCanceled) { try await loader.load() }, clock.now, isCanceled))
        count += 1
        await backEnd.receives(count)
        #expect(
          backEnd.arguments.last == loader.name && backEnd.count == count, "For each load, call the decoratee once.",
          sourceLocation: sourceLocation)
        #expect(recorder.values.count == recorded, "\(rule.rawValue) No load has ended since.", sourceLocation: sourceLocation)
      }

      /// Ends a load, perhaps after a cancellation.
      func end() async throws {
        var load = inFlight.remove(at: .random(in: inFlight.indices, using: &random))
        if Int.random(in: 0..<6, using: &random) == 0 {
          load.running.cancel()
          load.isCanceled = true
        }
        let values = (0..<Int.random(in: 0...4, using: &random)).map { _ in value(&random) }
        let result: Result<[Value], any Error> =
          Bool.random(using: &random) ? .success(values) : .failure(SampleError.random(using: &random).error)
        let duration = load.start.duration(to: clock.now)
        let expected = records(result, duration)
        let told = "\(result.told), after \(duration)\(load.isCanceled ? ", in a canceled task" : "")"
        try await naming(["load": load.number + 1, "result": told]) {
          if load.isCanceled { await eventually { backEnd.canceled.contains(load.number) } }
          #expect(
            backEnd.canceled.contains(load.number) == load.isCanceled,
            "A cancellation has to reach the decoratee, which decides what it means. Call it in the caller's task.",
            sourceLocation: sourceLocation)
          backEnd.complete(load.number, with: result, sourceLocation: sourceLocation)
          let outcome = try await load.running.outcome(sourceLocation: sourceLocation)
          #expect(
            outcome.told == result.told, "Return what the decoratee has returned for this load, or throw what it has thrown.",
            sourceLocation: sourceLocation)
          #expect(Array(recorder.values.dropFirst(recorded)) == expected, rule, sourceLocation: sourceLocation)
        }
        recorded += expected.count
      }

      for _ in 1...Int.random(in: 2...8, using: &random) {
        clock.advance(by: [0, 2, 0.7, 0.3000004, 0.0004, 7200].randomElement(using: &random)!)
        if inFlight.isEmpty || Bool.random(using: &random) { await start() } else { try await end() }
      }
      while !inFlight.isEmpty {
        clock.advance(by: 1.5)
        try await end()
      }
    }
  }
}

extension Result where Failure == any Error, Success: Collection {
  /// The values, or what is in an error.
  fileprivate var told: String {
    switch self {
    case .success(let values): values.isEmpty ? "no values" : values.map { "\($0)" }.joined(separator: ", ")
    case .failure(let error): "\(error.inWords), \(error.localizedDescription)"
    }
  }
}

/// A logger and tracker in memory.
final class Recorder: Logging, Tracker, Sendable {
  private let records = Inbox<String>()

  var values: [String] { records.values }

  func log(_ message: String) { records.receive(message) }

  func track(values: [String]) { records.receive("tracked: \(values)") }
}
