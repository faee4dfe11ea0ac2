import Given
import TestSupport

/// A `CredentialsRefresher` that stores the completions.
final class CredentialsRefresherSpy: CredentialsRefresher, Sendable {
  /// The calls with their refresh tokens, to be completed by the test.
  let calls: Calls<String, Result<Credentials, any Error>>

  /// - Parameter response: What a call gets before `refresh` returns; `nil` if the test completes it.
  init(responding response: ((String) -> Result<Credentials, any Error>?)? = nil) {
    calls = Calls(to: "the refresher", responding: response)
  }

  func refresh(with refreshToken: String, completion: @escaping (Result<Credentials, any Error>) -> Void) {
    calls.receive(refreshToken, completion)
  }
}
