import Given

/// A `ProfileService` that stores the completions.
public final class ProfileServiceSpy: ProfileService, Sendable {
  /// The calls, to be completed by the test.
  public let calls = Calls<Void, Result<Profile, any Error>>(to: "the service")

  /// Creates a spy without calls.
  public init() {}

  public func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    calls.receive((), completion)
  }
}

/// A `UserLoader` that stores the completions.
public final class UserLoaderSpy: UserLoader, Sendable {
  /// The calls, to be completed by the test.
  public let calls = Calls<Void, String>(to: "the loader")

  /// Creates a spy without calls.
  public init() {}

  public func fetchUserData(completion: @escaping (String) -> Void) {
    calls.receive((), completion)
  }
}
