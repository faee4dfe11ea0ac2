/// Loads the items in the shop.
public protocol ItemService {
  /// Loads the items.
  ///
  /// - Throws: The error that prevented it.
  func loadItems() async throws -> [String]
}

/// Counts what users see, for the product team.
public protocol Tracker {
  /// Counts the values of a load.
  ///
  /// - Parameter values: The values that one load returned.
  func track(values: [String])
}

/// The tracker that all code can reach from everywhere.
public final class AnalyticsTracker: Tracker, Sendable {
  public static let shared = AnalyticsTracker()

  /// The tracker that receives the current task's values instead of the analytics: the same back door as in ``Logger``.
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
