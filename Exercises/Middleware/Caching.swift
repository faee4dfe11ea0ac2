import Given

/// Makes a middleware that keeps responses, and returns them again until they are too old.
///
/// - Parameters:
///   - lifetime: How long a response is fresh, in seconds from its arrival.
///   - now: A closure that returns the current date.
/// - Returns: A middleware with a cache of its own, in memory.
func caching(for lifetime: TimeInterval, now: @escaping @Sendable () -> Date) -> Middleware {
  // Step 3: keep what arrives, and return it again while it is fresh, or if sending fails.
  { request, next in try await next(request) }
}

/// What you predict about the two orders of step 3: replace each `nil` before you write the middleware.
enum Predictions {
  /// Ada has loaded her feed. While it is fresh, Grace signs in, and requests the same URL. Does she get Ada's feed?
  static let graceGetsAdasFeed: (cachingOutside: Bool?, cachingInside: Bool?) = (nil, nil)

  /// Ada has a feed that is too old. Her token has expired, and she is offline. Does she get the old feed?
  static let adaGetsTheOldFeedOffline: (cachingOutside: Bool?, cachingInside: Bool?) = (nil, nil)
}
