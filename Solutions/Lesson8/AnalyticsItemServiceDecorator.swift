import Given

/// Tracks what every load of the items has brought.
///
/// Knows about tracking and nothing else: it hands over what its decoratee loads, and throws what it throws.
final class AnalyticsItemServiceDecorator: ItemService {
  private let decoratee: any ItemService
  private let tracker: any Tracker

  /// - Parameters:
  ///   - decoratee: Whom to ask.
  ///   - tracker: Who counts the values.
  init(decoratee: any ItemService, tracker: any Tracker) {
    self.decoratee = decoratee
    self.tracker = tracker
  }

  func loadItems() async throws -> [String] {
    let items = try await decoratee.loadItems()
    tracker.track(values: items)
    return items
  }
}
