import Given

/// Makes a middleware that retries a request if the server is overloaded or doesn't respond in time.
///
/// - Parameters:
///   - attempts: The maximum number of attempts, including the first. A number below 1 counts as 1.
///   - delay: The wait before the second attempt. Each further delay is twice as long as the one before it.
///   - cap: The longest delay, before `jitter`. If the server requests a longer wait, there are no more attempts.
///   - jitter: A closure that changes a wait a little, so that clients don't return all at once. A wait that the server requests
///     stays as it is. (A date in `Retry-After` counts as no request.)
///   - clock: The clock to wait with.
/// - Returns: A middleware that retries only what may be sent again.
func retrying(
  upTo attempts: Int, after delay: Duration, waitingAtMost cap: Duration,
  jitter: @escaping @Sendable (Duration) -> Duration, clock: any Clock<Duration>
) -> Middleware {
  { request, next in
    guard isRepeatable(request) else { return try await next(request) }

    var delay = min(delay, cap)
    for _ in 1..<max(attempts, 1) {
      let pause: Duration
      do {
        let response = try await next(request)
        guard [429, 503].contains(response.head.statusCode) else { return response }
        let requested = retryAfter(response.head)
        // It would be impolite to wait less than the server requests. The caller decides what to do.
        if let requested, requested > cap { return response }
        pause = requested ?? jitter(delay)
      } catch let error as URLError where error.code == .timedOut {
        pause = jitter(delay)
      }
      try await clock.sleep(for: pause)
      delay = min(delay * 2, cap)
    }
    return try await next(request)
  }
}

/// Whether a request can be sent twice, with the same effect as sending it once (RFC 9110, section 9.2.2).
private func isRepeatable(_ request: URLRequest) -> Bool {
  // A body that is a stream has been read after the first attempt. The second would send an empty one.
  guard request.httpBodyStream == nil else { return false }
  return ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].contains(request.httpMethod ?? "GET")
}

/// The wait that the server requests (RFC 9110, section 10.2.3), or `nil` if it requests none or names a date.
private func retryAfter(_ head: HTTPURLResponse) -> Duration? {
  head.value(forHTTPHeaderField: "Retry-After").flatMap(UInt.init).map { .seconds($0) }
}
