import Given
import TestSupport

/// A `CredentialsRefresher` that stores the completions.
final class CredentialsRefresherSpy: CredentialsRefresher, Sendable {
  /// The calls with their refresh tokens, to be completed by the test.
  let calls = Calls<String, Result<Credentials, any Error>>(to: "the refresher")

  func refresh(with refreshToken: String, completion: @escaping (Result<Credentials, any Error>) -> Void) {
    calls.receive(refreshToken, completion)
  }
}
