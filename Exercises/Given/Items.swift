/// Where the items of the shop come from.
public protocol ItemService {
  /// Loads the items.
  ///
  /// - Throws: Whatever kept them from arriving.
  func loadItems() async throws -> [String]
}

/// Counts for the product team what users get to see.
public protocol Tracker {
  /// - Parameter values: What one load has brought.
  func track(values: [String])
}

/// The tracker that everybody can reach from everywhere.
public final class AnalyticsTracker: Tracker, Sendable {
  public static let shared = AnalyticsTracker()

  /// To whom the values of the current task go in place of the analytics: the same back door as in ``Logger``.
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
