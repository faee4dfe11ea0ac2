import Given

/// Returns a service that tracks the items of every load.
///
/// - Parameters:
///   - service: The service to forward calls to.
///   - tracker: The tracker that counts the values.
func tracked(_ service: any ItemService, by tracker: any Tracker) -> any ItemService {
  AnalyticsItemServiceDecorator(decoratee: service, tracker: tracker)
}

/// A service that tracks the items of every load.
///
/// This decorator handles tracking only. It returns what its decoratee returns and throws what its decoratee throws.
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
