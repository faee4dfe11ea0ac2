import Given
import TestSupport
import Testing

@testable import SolutionMiddleware

/// The middleware of the exercise of that name. The word is in no ID here: a filter should find the exercise alone.
@Suite("The contract: Middleware")
struct ContractRequests {
  @Test func time() async {
    await check(timing(now: { .now }, report: { _ in }))
  }

  @Test func retry() async {
    await check(retrying(upTo: 3, after: .seconds(1), waitingAtMost: .seconds(9), jitter: { $0 }, clock: ContinuousClock()))
  }

  /// Each scene has a cache that is empty.
  @Test func cache() async {
    await chains.check { composed([caching(for: 60, now: Date.init)], around: $0) }
  }

  @Test func secondAttempt() async {
    await check(reauthorizing { _ in .renewed })
  }

  private func check(_ middleware: @escaping Middleware) async {
    await chains.check { composed([middleware], around: $0) }
  }
}
