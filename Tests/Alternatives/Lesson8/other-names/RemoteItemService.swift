import Given

/// A service that loads the items from a closure.
class RemoteItemService: ItemService {
  private let fetch: () async throws -> [String]

  /// - Parameter fetch: A closure that requests the items from the back end.
  init(fetch: @escaping () async throws -> [String]) {
    self.fetch = fetch
  }

  func loadItems() async throws -> [String] {
    try await fetch()
  }
}

/// A service that loads the items from another one, and counts them.
final class CountedItemService: RemoteItemService {
  init(_ service: any ItemService, _ tracker: any Tracker) {
    super.init {
      let result: Result<[String], any Error>
      do { result = .success(try await service.loadItems()) } catch { result = .failure(error) }
      if case .success(let items) = result { tracker.track(values: items) }
      return try result.get()
    }
  }
}
