import Given

/// Makes a middleware that measures each request. It is finished: in step 1, you write tests for it.
///
/// - Parameters:
///   - now: A closure that returns the current instant, as on a stopwatch.
///   - report: A closure that receives the timing of each request when the request has ended.
/// - Returns: A middleware that changes neither the request nor its result.
func timing(
  now: @escaping @Sendable () -> ContinuousClock.Instant, report: @escaping @Sendable (Timing) -> Void
) -> Middleware {
  { request, next in
    let start = now()
    do {
      let response = try await next(request)
      report(Timing(duration: start.duration(to: now()), error: nil))
      return response
    } catch {
      report(Timing(duration: start.duration(to: now()), error: error))
      throw error
    }
  }
}
