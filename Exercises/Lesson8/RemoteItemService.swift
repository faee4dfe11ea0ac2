import Given

/// A service that loads the items from the back end.
final class RemoteItemService: ItemService {
  private let fetch: @Sendable () async throws -> [String]

  /// - Parameter fetch: A closure that requests the items from the back end.
  init(fetch: @escaping @Sendable () async throws -> [String]) {
    self.fetch = fetch
  }

  func loadItems() async throws -> [String] {
    let items = try await fetch()
    AnalyticsTracker.shared.track(values: items)
    return items
  }
}
