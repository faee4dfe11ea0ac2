/// Loads the items in the shop.
public protocol ItemService {
  /// Loads the items.
  ///
  /// - Throws: An error if the items could not be loaded.
  func loadItems() async throws -> [String]
}

/// Counts what users see, for the product team.
public protocol Tracker {
  /// Counts the values of a load.
  ///
  /// - Parameter values: The values that one load returned.
  func track(values: [String])
}

/// The tracker that code can reach from anywhere.
public final class AnalyticsTracker: Tracker, Sendable {
  public static let shared = AnalyticsTracker()

  /// The tracker that receives the current task's values in place of the analytics service: the same back door as in ``Logger``.
  @TaskLocal public static var redirection: (any Tracker & Sendable)?

  private init() {}

  public func track(values: [String]) {
    if let redirection = Self.redirection {
      redirection.track(values: values)
    } else {
      print("analytics: \(values)")
    }
  }
}
