import Given

/// Makes a middleware that retries a request if the server is overloaded or does not respond in time.
///
/// - Parameters:
///   - tries: The maximum number of attempts, including the first.
///   - delay: The wait before the second attempt. Each further wait is twice as long as the one before it.
///   - clock: The clock to wait with.
/// - Returns: A middleware that obeys the acceptance tests of step 5.
func retrying(upTo tries: Int, after delay: Duration, clock: any Clock<Duration>) -> Middleware {
  { request, next in
    guard isIdempotent(request), tries > 1 else { return try await next(request) }

    let pause: Duration
    do {
      let response = try await next(request)
      guard response.head.statusCode == 503 else { return response }
      pause = retryAfter(response.head) ?? delay
    } catch let error as URLError where error.code == .timedOut {
      pause = delay
    }
    try await clock.sleep(for: pause)
    return try await retrying(upTo: tries - 1, after: delay * 2, clock: clock)(request, next)
  }
}

/// Whether sending a request twice has the same effect as sending it once (RFC 9110, section 9.2.2).
private func isIdempotent(_ request: URLRequest) -> Bool {
  ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(request.httpMethod ?? "GET")
}

/// The wait that the server requests (RFC 9110, section 10.2.3), or `nil` if it requests none or names a date.
private func retryAfter(_ head: HTTPURLResponse) -> Duration? {
  head.value(forHTTPHeaderField: "Retry-After").flatMap(UInt32.init).map { .seconds($0) }
}
