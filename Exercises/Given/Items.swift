/// Loads the items in the shop.
///
/// Code in Swift 5 mode, as it is in Lesson 8, need not prove that it is `Sendable`.
@preconcurrency public protocol ItemService: Sendable {
  /// Loads the items.
  ///
  /// - Throws: An error if the items could not be loaded.
  func loadItems() async throws -> [String]
}

/// Counts what users see, for the product team.
@preconcurrency public protocol Tracker: Sendable {
  /// Counts the values of a load.
  ///
  /// - Parameter values: The values that one load returned.
  func track(values: [String])
}

/// The tracker that code can reach from anywhere.
public final class AnalyticsTracker: Tracker {
  public static let shared = AnalyticsTracker()

  /// The tracker that receives the current task's values in place of the analytics service: the same back door as in ``Logger``.
  @TaskLocal public static var redirection: (any Tracker)?

  private init() {}

  public func track(values: [String]) {
    if let redirection = Self.redirection {
      redirection.track(values: values)
    } else {
      print("analytics: \(values)")
    }
  }
}
