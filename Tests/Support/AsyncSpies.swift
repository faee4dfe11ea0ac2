import Given
import Testing

/// An `AsyncProfileService` whose calls wait for the test.
public final class AsyncProfileServiceSpy: AsyncProfileService {
  /// The calls, to be answered by the test.
  public let calls = AsyncCalls<Void, Profile>(to: "the service")

  public init() {}

  public func profile() async throws -> Profile {
    try await calls.receive(())
  }
}

/// An `AsyncFeedLoader` whose calls wait for the test.
public final class AsyncFeedLoaderSpy: AsyncFeedLoader {
  /// The calls, to be answered by the test.
  public let calls = AsyncCalls<Void, [FeedImage]>(to: "the loader")

  public init() {}

  public func feed() async throws -> [FeedImage] {
    try await calls.receive(())
  }
}

/// An `AsyncCredentialsRefresher` whose calls wait for the test.
public final class AsyncCredentialsRefresherSpy: AsyncCredentialsRefresher {
  /// The calls with their refresh tokens, to be answered by the test.
  public let calls = AsyncCalls<String, Credentials>(to: "the refresher")

  public init() {}

  public func refresh(with refreshToken: String) async throws -> Credentials {
    try await calls.receive(refreshToken)
  }
}

/// A `LoadLog` in memory.
public final class LoadLogSpy: LoadLog {
  private let log = Locked<[LoadEvent]>([])

  public init() {}

  /// The events so far, oldest first.
  public var events: [LoadEvent] {
    log.withLock { $0 }
  }

  public func add(_ event: LoadEvent) {
    log.withLock { $0.append(event) }
  }
}
