import Given

/// A service that loads the items from the back end.
@MainActor
final class RemoteItemService: ItemService {
  nonisolated(unsafe) private let fetch: () async throws -> [String]

  /// - Parameter fetch: A closure that requests the items from the back end.
  nonisolated init(fetch: @escaping () async throws -> [String]) {
    self.fetch = fetch
  }

  func loadItems() async throws -> [String] {
    try await fetch()
  }
}
