import Given

/// A `ProfileService` that stores the completions.
public final class ProfileServiceSpy: ProfileService, Sendable {
  /// The calls, to be completed by the test.
  public let calls: Calls<Void, Result<Profile, any Error>>

  /// Creates a spy without calls.
  ///
  /// - Parameter response: What a call gets before it returns; `nil` if the test completes it.
  public init(responding response: (() -> Result<Profile, any Error>?)? = nil) {
    calls = Calls(to: "the service", responding: response.map { response in { _ in response() } })
  }

  public func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    calls.receive((), completion)
  }
}
