/// Stores, across launches, whether the account on this device is permanently blocked.
///
/// A block list can be used from any queue.
public protocol BlockList: AnyObject {
  /// Whether the signed-in user's account is on the list.
  var isCurrentAccountBlocked: Bool { get }

  /// Adds the signed-in user's account to the list.
  func blockCurrentAccount()
}

/// The back end's announcement that an account is permanently blocked.
public enum PermanentBlock {
  /// Whether a response announces that the account is permanently blocked.
  ///
  /// Status 403 alone does not: it may mean that this user has no access to this one resource. The body must also be the JSON
  /// object `{"error": "permanently_blocked"}`, with or without further members.
  ///
  /// - Parameters:
  ///   - data: The body of the response.
  ///   - response: The response.
  public static func isAnnounced(by data: Data, _ response: HTTPURLResponse) -> Bool {
    guard response.statusCode == 403 else { return false }
    return (try? JSONDecoder().decode(Body.self, from: data))?.error == "permanently_blocked"
  }

  private struct Body: Decodable {
    let error: String
  }
}
