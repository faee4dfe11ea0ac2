// The page about Swift 6 mode links to this code. It compiles with the settings of a package, and with those of a new app in Xcode 26,
// where declarations belong to the main actor by default.

/// A loader that can be used from any actor.
nonisolated protocol FeedLoading: Sendable {
  func feed() async throws -> [String]
}

/// A loader that logs each feed.
struct LoggingFeedLoaderDecorator: FeedLoading {
  let decoratee: any FeedLoading
  let log: @Sendable (String) -> Void

  func feed() async throws -> [String] {
    let feed = try await decoratee.feed()
    log("loaded \(feed.count) images")
    return feed
  }
}

/// A loader that sorts each feed. Sorting takes long, so it never happens on the caller's actor.
struct SortingDecorator: FeedLoading {
  let decoratee: any FeedLoading
  let areInOrder: @Sendable (String, String) -> Bool

  @concurrent func feed() async throws -> [String] {
    try await decoratee.feed().sorted(by: areInOrder)
  }
}
