import Given
import Testing

/// A `CredentialsRefresher` that keeps the completions.
public final class CredentialsRefresherSpy: CredentialsRefresher, Sendable {
  /// The calls with their refresh tokens, to be answered by the test.
  public let calls = Calls<String, Result<Credentials, any Error>>(to: "the refresher")

  public init() {}

  public func refresh(with refreshToken: String, completion: @escaping (Result<Credentials, any Error>) -> Void) {
    calls.receive(refreshToken, completion)
  }
}
