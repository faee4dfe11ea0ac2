import Given

/// Makes a middleware that retries a request if the server is overloaded or doesn't respond in time.
///
/// - Parameters:
///   - attempts: The maximum number of attempts, including the first. A number below 1 counts as 1.
///   - delay: The wait before the second attempt. Each further wait is twice as long as the one before it.
///   - cap: The longest wait. If the server requests a longer one, there are no more attempts.
///   - jitter: A closure that changes each wait of our own a little.
///   - clock: The clock to wait with.
/// - Returns: A middleware that retries only what may be sent again.
func retrying(
  upTo attempts: Int, after delay: Duration, waitingAtMost cap: Duration,
  jitter: @escaping @Sendable (Duration) -> Duration, clock: any Clock<Duration>
) -> Middleware {
  { request, next in
    guard isIdempotent(request), request.httpBodyStream == nil, attempts > 1 else { return try await next(request) }

    var pause: Duration?
    do {
      let response = try await next(request)
      guard [429, 503].contains(response.head.statusCode) else { return response }
      if let requested = retryAfter(response.head) {
        if requested > cap { return response }
        pause = requested
      }
    } catch URLError.timedOut {}
    try await clock.sleep(for: pause ?? jitter(min(delay, cap)))
    let rest = retrying(upTo: attempts - 1, after: min(delay, cap) * 2, waitingAtMost: cap, jitter: jitter, clock: clock)
    return try await rest(request, next)
  }
}

/// Whether sending a request twice has the same effect as sending it once (RFC 9110, section 9.2.2).
private func isIdempotent(_ request: URLRequest) -> Bool {
  ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(request.httpMethod ?? "GET")
}

/// The wait that the server requests (RFC 9110, section 10.2.3), or `nil` if it requests none or names a date.
private func retryAfter(_ head: HTTPURLResponse) -> Duration? {
  head.value(forHTTPHeaderField: "Retry-After").flatMap(UInt.init).map { .seconds($0) }
}
