// Both decorators and the composition root are isolated to the main actor, like the view models.

import Given

/// A service that tracks the items of every load.
///
/// This decorator handles tracking only. It returns what its decoratee returns and throws what its decoratee throws.
@MainActor
final class AnalyticsItemServiceDecorator: ItemService {
  private let decoratee: any ItemService
  private let tracker: any Tracker

  /// - Parameters:
  ///   - decoratee: The service to forward calls to.
  ///   - tracker: The tracker that counts the values.
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
