/// A user's profile.
public struct Profile: Equatable, Sendable {
  public var userName: String
  public var address: String

  /// Creates a profile.
  public init(userName: String, address: String) {
    self.userName = userName
    self.address = address
  }
}

/// Provides the profile, from a back end, a disk, or a cache.
public protocol ProfileService {
  /// Gets the signed-in user's profile.
  ///
  /// - Parameter completion: A closure that receives the profile or an error. Called exactly once, on any queue, before or
  ///   after this method returns.
  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void)
}

/// Provides a line of text about the user.
public protocol UserLoader {
  /// Fetches the line. It never fails: without a network, it delivers the last known line.
  ///
  /// - Parameter completion: A closure that receives the line. Called exactly once, on any queue, before or after this
  ///   method returns.
  func fetchUserData(completion: @escaping (String) -> Void)
}
