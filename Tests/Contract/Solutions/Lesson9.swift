import Given
import TestSupport
import Testing

@testable import Solution9

/// The provider and the middleware of Lesson 9.
@Suite("The contract: Lesson 9")
struct ContractLesson9 {
  @Test func validCredentials() async { await checkAuthorization(.valid) }

  @Test func expiredCredentials() async { await checkAuthorization(.expired) }

  private func checkAuthorization(_ credentials: Credentials) async {
    await chains.check(
      ignoring: { $0.setValue(nil, forHTTPHeaderField: "Authorization") },
      decorate: {
        let provider = CredentialsProvider(
          store: CredentialsStoreSpy(credentials), refresher: ImmediateRefresher(), now: { ManualClock().date })
        return composed([authorizing { try await provider.credentials() }], around: $0)
      })
  }
}

private struct ImmediateRefresher: AsyncCredentialsRefresher {
  func refresh(with refreshToken: String) async throws -> Credentials { .renewed }
}
