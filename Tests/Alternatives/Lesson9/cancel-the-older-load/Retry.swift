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
    var attempt = 1
    var wait = delay
    while true {
      let result: Result<Response, any Error>
      do { result = .success(try await next(request)) } catch { result = .failure(error) }
      guard attempt < attempts, let requested = pause(request, result), requested ?? .zero <= cap, !Task.isCancelled else {
        return try result.get()
      }
      try await clock.sleep(for: requested ?? jitter(min(wait, cap)))
      attempt += 1
      // A wait that the server requested doesn't count as one of ours.
      if requested == nil, wait < cap { wait *= 2 }
    }
  }
}

/// The wait that the server requests, or an inner `nil` for the usual one; `nil` if there should be no other attempt.
private func pause(_ request: URLRequest, _ result: Result<Response, any Error>) -> Duration?? {
  let idempotent: Set = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]
  guard idempotent.contains(request.httpMethod ?? "GET"), request.httpBodyStream == nil else { return nil }
  switch result {
  case .success(let response) where response.head.statusCode == 503 || response.head.statusCode == 429:
    let seconds = response.head.value(forHTTPHeaderField: "Retry-After").flatMap(Int.init)
    guard let seconds, seconds >= 0 else { return .some(nil) }
    return .seconds(seconds)
  case .failure(let error) where (error as NSError).domain == NSURLErrorDomain && (error as NSError).code == NSURLErrorTimedOut:
    return .some(nil)
  default:
    return nil
  }
}
