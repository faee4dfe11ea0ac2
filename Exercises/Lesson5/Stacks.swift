import Given

/// The two ways to stack the decorators of steps 1 and 2 around a client.
enum Stacks {
  /// The block list comes first, and the logger stands next to the client.
  static func blockOutside(
    client: any HTTPClient, blockList: any BlockList, log: any HTTPLog, now: @escaping () -> ContinuousClock.Instant
  ) -> any HTTPClient {
    // Step 3: wrap the client twice.
    client
  }

  /// The logger comes first, and the block list stands next to the client.
  static func loggerOutside(
    client: any HTTPClient, blockList: any BlockList, log: any HTTPLog, now: @escaping () -> ContinuousClock.Instant
  ) -> any HTTPClient {
    // Step 3: wrap the client twice, the other way round.
    client
  }
}

/// What you expect of each stack. Step 3: write it down in place of `nil`, before you run the suite.
enum Predictions {
  /// A blocked account makes one request. How many records are in the log afterwards?
  static let recordsOfABlockedRequest: (blockOutside: Int?, loggerOutside: Int?) = (nil, nil)

  /// The back end answers a request with the 403 that blocks the account. Is its status, 403, in the log afterwards?
  static let logShowsThe403: (blockOutside: Bool?, loggerOutside: Bool?) = (nil, nil)
}
