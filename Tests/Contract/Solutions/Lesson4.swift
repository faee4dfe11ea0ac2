import Given
import TestSupport
import Testing

@testable import Solution4

/// The decorator of Lesson 4.
@Suite("The contract: Lesson 4")
struct ContractLesson4 {
  @Test func validCredentials() async { await check(.valid) }

  @Test func expiredCredentials() async { await check(.expired) }

  private func check(_ credentials: Credentials) async {
    await clients.check(
      ignoring: { $0.setValue(nil, forHTTPHeaderField: "Authorization") },
      decorate: {
        RefreshCredentialsHTTPClientDecorator(
          decoratee: $0, store: CredentialsStoreSpy(credentials), refresher: ImmediateRefresher(), now: { ManualClock().date })
      })
  }
}

private struct ImmediateRefresher: CredentialsRefresher {
  func refresh(with refreshToken: String, completion: @escaping (Result<Credentials, any Error>) -> Void) {
    completion(.success(.renewed))
  }
}
