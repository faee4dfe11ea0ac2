import Given
import TestSupport
import Testing

@testable import Solution9

/// The middleware of Lesson 9, and of its variants.
@Suite("The contract: Lesson 9")
struct ContractLesson9 {
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

  @Test func validCredentials() async { await checkAuthorization(.valid) }

  @Test func expiredCredentials() async { await checkAuthorization(.expired) }

  @Test func secondAttempt() async {
    await check(reauthorizing { _ in .renewed })
  }

  private func check(_ middleware: @escaping Middleware) async {
    await chains.check { composed([middleware], around: $0) }
  }

  private func checkAuthorization(_ credentials: Credentials) async {
    await chains.check(
      ignoring: { $0.setValue(nil, forHTTPHeaderField: "Authorization") },
      decorate: {
        let provider = CredentialsProvider(
          store: CredentialsStoreSpy(credentials), refresher: ImmediateRefresher(), now: ManualClock().readDate)
        return composed([authorizing { try await provider.credentials() }], around: $0)
      })
  }
}

private struct ImmediateRefresher: AsyncCredentialsRefresher {
  func refresh(with refreshToken: String) async throws -> Credentials { .renewed }
}
