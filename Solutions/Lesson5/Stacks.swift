import Given

/// The two ways to stack the decorators of steps 1 and 2 around a client.
enum Stacks {
  /// The block list comes first, and the logger stands next to the client.
  static func blockOutside(
    client: any HTTPClient, blockList: any BlockList, log: any HTTPLog, now: @escaping () -> ContinuousClock.Instant
  ) -> any HTTPClient {
    PermanentBlockHTTPClientDecorator(
      decoratee: LoggerHTTPClientDecorator(decoratee: client, log: log, now: now),
      blockList: blockList)
  }

  /// The logger comes first, and the block list stands next to the client.
  static func loggerOutside(
    client: any HTTPClient, blockList: any BlockList, log: any HTTPLog, now: @escaping () -> ContinuousClock.Instant
  ) -> any HTTPClient {
    LoggerHTTPClientDecorator(
      decoratee: PermanentBlockHTTPClientDecorator(decoratee: client, blockList: blockList),
      log: log, now: now)
  }
}

/// What to expect of each stack.
enum Predictions {
  /// A blocked account makes one request. How many records are in the log afterwards?
  static let recordsOfABlockedRequest: (blockOutside: Int?, loggerOutside: Int?) = (0, 1)

  /// The back end answers a request with the 403 that blocks the account. Is its status, 403, in the log afterwards?
  static let logShowsThe403: (blockOutside: Bool?, loggerOutside: Bool?) = (true, false)
}
