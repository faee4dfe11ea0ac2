import Given
import TestSupport
import Testing

import typealias TestSupport.HTTPResult

@testable import Exercise4

/// Makes a decorator. What a test does not pass is a spy; the credentials in its store have expired.
func makeSUT(
  decoratee: any HTTPClient, store: any CredentialsStore = CredentialsStoreSpy(.expired),
  refresher: any CredentialsRefresher = CredentialsRefresherSpy(), now: @escaping () -> Date = { ManualClock().date }
) -> RefreshCredentialsHTTPClientDecorator {
  RefreshCredentialsHTTPClientDecorator(decoratee: decoratee, store: store, refresher: refresher, now: now)
}

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

extension Credentials {
  /// The credentials of another user. Valid for 15 minutes on a new clock.
  static let newUser = Credentials(
    accessToken: "new-user", refreshToken: "new-user-refresh", expiresAt: ManualClock().date.addingTimeInterval(900))

  /// The credentials of another user, which expire when a new clock starts.
  static let expiredNewUser = Credentials(
    accessToken: "new-user-expired", refreshToken: "new-user-refresh", expiresAt: ManualClock().date)
}

extension URLRequest {
  var path: String { url?.path ?? "" }
}
