// The tracking is a closure behind a private type, and it records what it returns in a `defer` block.

import Given

/// Returns a service that tracks the items of every load.
///
/// - Parameters:
///   - service: The service to forward calls to.
///   - tracker: The tracker that counts the values.
func tracked(_ service: any ItemService, by tracker: any Tracker) -> any ItemService {
  Loading {
    var items: [String]?
    defer { items.map(tracker.track) }
    items = try await service.loadItems()
    return items ?? []
  }
}

/// A service that is a closure.
private struct Loading: ItemService {
  let load: @Sendable () async throws -> [String]

  func loadItems() async throws -> [String] {
    try await load()
  }
}
