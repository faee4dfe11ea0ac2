import Given

/// The two ways to stack the decorators of steps 1 and 2 around a client.
enum Stacks {
  /// Puts the blocking decorator on the outside and the logger next to the client.
  static func blockOutside(
    client: any HTTPClient, blockList: any BlockList, log: any HTTPLog, now: @escaping () -> ContinuousClock.Instant
  ) -> any HTTPClient {
    // Step 3: wrap the client with `logging` and `blocking`.
    client
  }

  /// Puts the logger on the outside and the blocking decorator next to the client.
  static func loggerOutside(
    client: any HTTPClient, blockList: any BlockList, log: any HTTPLog, now: @escaping () -> ContinuousClock.Instant
  ) -> any HTTPClient {
    // Step 3: do the same in the other order.
    client
  }
}

/// What you expect of each stack. Step 3: replace each `nil` with your prediction before you build the stacks.
enum Predictions {
  /// A blocked account sends one request. How many records does it leave in the log?
  static let recordsOfABlockedRequest: (blockOutside: Int?, loggerOutside: Int?) = (nil, nil)

  /// A request receives the 403 that blocks the account. Does the log show this status?
  static let logShowsThe403: (blockOutside: Bool?, loggerOutside: Bool?) = (nil, nil)
}
