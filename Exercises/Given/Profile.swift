/// What the profile screen shows.
public struct Profile: Equatable, Sendable {
  public var userName: String
  public var address: String

  public init(userName: String, address: String) {
    self.userName = userName
    self.address = address
  }
}

/// Where the profile comes from: a back end, a disk, a cache.
public protocol ProfileService {
  /// Gets the profile of the user who is signed in.
  ///
  /// - Parameter completion: Called exactly once: at once or later, on the queue that suits the service.
  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void)
}

/// Where the line about the user comes from.
public protocol UserLoader {
  /// Fetches the line about the user. It never fails: without a network it delivers the last known line.
  ///
  /// - Parameter completion: Called exactly once: at once or later, on the queue that suits the loader.
  func fetchUserData(completion: @escaping (String) -> Void)
}
