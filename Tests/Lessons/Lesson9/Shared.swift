import Given
import TestSupport

/// An `AsyncProfileService` that suspends each call until the test ends it, even if the call is canceled.
struct AsyncProfileServiceSpy: AsyncProfileService {
  let calls = AsyncCalls<Void, Profile>(to: "the service", endsWhenCanceled: false)

  func profile() async throws -> Profile { try await calls.receive(()) }
}

/// An `AsyncCredentialsRefresher` that suspends each call until the test ends it, even if the call is canceled.
struct AsyncCredentialsRefresherSpy: AsyncCredentialsRefresher {
  let calls = AsyncCalls<String, Credentials>(to: "the refresher", endsWhenCanceled: false)

  func refresh(with refreshToken: String) async throws -> Credentials { try await calls.receive(refreshToken) }
}

/// Makes a response.
func response(_ status: Int, _ body: String = "") -> Response {
  (
    Data(body.utf8),
    HTTPURLResponse(url: URL(string: "https://example.com")!, statusCode: status, httpVersion: nil, headerFields: nil)!
  )
}
