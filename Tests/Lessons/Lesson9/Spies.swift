import Given
import TestSupport

/// An `AsyncProfileService` whose calls wait for the test.
final class AsyncProfileServiceSpy: AsyncProfileService {
  /// The calls, to be completed by the test.
  let calls = AsyncCalls<Void, Profile>(to: "the service")

  func profile() async throws -> Profile {
    try await calls.receive(())
  }
}

/// An `AsyncFeedLoader` whose calls wait for the test.
final class AsyncFeedLoaderSpy: AsyncFeedLoader {
  /// The calls, to be completed by the test.
  let calls = AsyncCalls<Void, [FeedImage]>(to: "the loader")

  func feed() async throws -> [FeedImage] {
    try await calls.receive(())
  }
}

/// An `AsyncCredentialsRefresher` whose calls wait for the test.
final class AsyncCredentialsRefresherSpy: AsyncCredentialsRefresher {
  /// The calls with their refresh tokens, to be completed by the test.
  let calls = AsyncCalls<String, Credentials>(to: "the refresher")

  func refresh(with refreshToken: String) async throws -> Credentials {
    try await calls.receive(refreshToken)
  }
}

/// A log in memory is an inbox for its events.
extension Inbox: LoadLog where Value == LoadEvent {
  public func add(_ event: LoadEvent) {
    receive(event)
  }
}
