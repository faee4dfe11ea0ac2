/// Remembers, across launches, that the account on this device is permanently blocked.
///
/// Implementations may be read and written from any queue.
public protocol BlockList: AnyObject {
  /// Whether the account of the user who is signed in is on the list.
  var isCurrentAccountBlocked: Bool { get }

  /// Puts the account of the user who is signed in on the list.
  func blockCurrentAccount()
}

/// The back end's way to say that an account is blocked for good.
public enum PermanentBlock {
  /// Whether an answer says that the account is permanently blocked.
  ///
  /// A 403 alone does not: it may only mean that this user must not see this one thing. The body has to be the JSON object
  /// `{"error": "permanently_blocked"}`; more members may stand beside `error`.
  ///
  /// - Parameters:
  ///   - data: The body of the answer.
  ///   - response: Its head.
  public static func isAnnounced(by data: Data, _ response: HTTPURLResponse) -> Bool {
    guard response.statusCode == 403 else { return false }
    return (try? JSONDecoder().decode(Answer.self, from: data))?.error == "permanently_blocked"
  }

  private struct Answer: Decodable {
    let error: String
  }
}
