import Given

/// Loads the items from the back end.
final class RemoteItemService: ItemService {
  private let fetch: () async throws -> [String]

  /// - Parameter fetch: Asks the back end.
  init(fetch: @escaping () async throws -> [String]) {
    self.fetch = fetch
  }

  func loadItems() async throws -> [String] {
    try await fetch()
  }
}
