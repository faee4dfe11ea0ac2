import Given
import TestSupport
import Testing

import class Given.Locked

@testable import Exercise8

// What the decorator and the function have in common, and what their view models have in common.

/// Checks the durations of three loads that overlap.
///
/// - Parameters:
///   - sourceLocation: The source location of issues.
///   - decorate: A closure that decorates a load with a logger and a stopwatch.
func expectOverlappingLoadsMeasured(
  sourceLocation: SourceLocation = #_sourceLocation,
  _ decorate: (
    @escaping LoadTransactions, any Logging, @escaping @Sendable () -> ContinuousClock.Instant
  ) -> () async throws -> [Transaction]
) async throws {
  let (logger, clock) = (Inbox<String>(), ManualClock())
  let backEnd = AsyncCalls<Void, [Transaction]>(to: "the loader")
  clock.advance(by: 100)
  let sut = decorate({ try await backEnd.receive(()) }, logger, { clock.now })
  clock.advance(by: 50)
  var loads: [Running<[Transaction]>] = []
  func start() async {
    loads.append(Running { try await sut() })
    await backEnd.receives(loads.count)
  }
  func end(_ index: Int) async throws {
    backEnd.complete(index, with: .success([]), sourceLocation: sourceLocation)
    _ = try await loads[index].outcome(sourceLocation: sourceLocation)
  }

  await start()
  clock.advance(by: 1)
  await start()
  clock.advance(by: 2)
  try await end(0)
  clock.advance(by: 4)
  await start()
  clock.advance(by: 8)
  try await end(2)
  clock.advance(by: 16)
  try await end(1)

  #expect(
    logger.values == [3, 8, 30].map { LoadMessage.loaded(0, in: .seconds($0)) },
    "Start measuring when a load starts, separately for each. Here, the second of three loads that overlap ends last.",
    sourceLocation: sourceLocation)
}

/// Checks that nothing of a load is kept when it has ended.
///
/// - Parameters:
///   - sourceLocation: The source location of issues.
///   - decorate: A closure that decorates a load.
func expectNothingKept<Value>(
  sourceLocation: SourceLocation = #_sourceLocation,
  by decorate: (@escaping @Sendable () async throws -> [Value]) -> () async throws -> [Value]
) async {
  let next = Locked<ErrorObject?>(nil)
  let sut = decorate { throw next.withLock { $0.take() } ?? ErrorObject() }

  await expectReleased(
    "A load has failed, and its error is still retained. When a load has ended, keep nothing of it.",
    sourceLocation: sourceLocation
  ) { leaks in
    next.withLock { $0 = leaks.track(ErrorObject(), as: "the error") }
    _ = try? await sut()
  }
  withExtendedLifetime(sut) {}
}

/// An error whose release can be tracked.
private final class ErrorObject: Error {}

/// Checks that a screen whose loads are logged does not log them as well.
///
/// - Parameters:
///   - sourceLocation: The source location of issues.
///   - makeSUT: A closure that makes a view model, with a load that is logged.
@MainActor
func expectViewModelDoesNotLog(
  sourceLocation: SourceLocation = #_sourceLocation, _ makeSUT: (@escaping LoadTransactions, any Logging) -> any Screen
) async {
  for result in [Result<[Transaction], any Error>.success([.rent]), .failure(SampleError.offline.error)] {
    let (logger, sharedLogger) = (Inbox<String>(), Inbox<String>())

    await Logger.$redirection.withValue(sharedLogger) { await makeSUT({ try result.get() }, logger).loadTransactions() }

    #expect(
      logger.values.count == 1 && sharedLogger.values.isEmpty,
      "The load of this screen is logged already. The view model should not log it, whether it succeeds or fails.",
      sourceLocation: sourceLocation)
  }
}

/// Checks what a view model shows, however it logs.
///
/// - Parameters:
///   - sourceLocation: The source location of issues.
///   - makeSUT: A closure that makes a view model with a function that loads the transactions.
@MainActor
func expectShows(
  sourceLocation: SourceLocation = #_sourceLocation, _ makeSUT: (@escaping LoadTransactions) -> any Screen
) async throws {
  let (offline, another) = (SampleError.offline.error, SampleError.explained.error)
  let cancellation = SampleError.cancellation.error
  let backEnd = AsyncCalls<Void, [Transaction]>(to: "the loader", endsWhenCanceled: false)
  let sut = makeSUT { try await backEnd.receive(()) }
  var (loads, rows, message): ([Running<Void>], [Transaction], String?) = ([], [], nil)

  func start(isCanceled: Bool = false) async {
    loads.append(
      Running {
        if isCanceled { withUnsafeCurrentTask { $0?.cancel() } }
        await Logger.$redirection.withValue(Inbox<String>()) { await sut.loadTransactions() }
      })
    await backEnd.receives(loads.count)
    expectShown("While a load is in flight, the screen shows what it showed before.")
  }
  func end(_ index: Int, _ result: Result<[Transaction], any Error>, _ remark: String = "") async throws {
    backEnd.complete(index, with: result, sourceLocation: sourceLocation)
    _ = try await loads[index].outcome(sourceLocation: sourceLocation)
    do { (rows, message) = (try result.get(), nil) } catch { message = error.localizedDescription }
    expectShown(
      """
      A success replaces the rows and removes the message, even if the rows are the same. \
      A failure keeps the rows and shows its message.\(remark)
      """)
  }
  func expectShown(_ rule: Comment) {
    #expect(sut.items == rows.map(TransactionsListItem.init), rule, sourceLocation: sourceLocation)
    #expect(sut.message == message, rule, sourceLocation: sourceLocation)
  }

  for (isCanceled, result) in [
    (false, .success([.rent, .salary])), (false, .failure(offline)), (false, .failure(another)), (true, .failure(cancellation)),
    (false, .success([])), (true, .success([.rent, .rent])), (false, .failure(offline)), (false, .success([.rent, .rent])),
    (false, .success([.salary])),
  ] as [(Bool, Result<[Transaction], any Error>)] {
    await start(isCanceled: isCanceled)
    try await end(loads.count - 1, result)
  }
  for _ in 1...4 { await start() }
  let remark = " Of loads that overlap, the one that ends last has the last word, whichever started first."
  try await end(11, .success([.rent]), remark)
  try await end(9, .failure(offline), remark)
  try await end(12, .success([.rent]), remark)
  try await end(10, .success([.salary]), remark)
}

/// What both view models have in common.
@MainActor
protocol Screen: AnyObject {
  var items: [TransactionsListItem] { get }
  var message: String? { get }
  func loadTransactions() async
}

extension Decorated.TransactionsListViewModel: Screen {}
extension Functional.TransactionsListViewModel: Screen {}
