import Given

/// Makes a middleware that retries a request if the server is overloaded or doesn't respond in time.
func retrying(
  upTo attempts: Int, after delay: Duration, waitingAtMost cap: Duration,
  jitter: @escaping @Sendable (Duration) -> Duration, clock: any Clock<Duration>
) -> Middleware {
  { request, next in
    var left = attempts
    var waits = 0
    while true {
      left -= 1
      var requested: Duration?
      let result: Result<Response, any Error>
      do {
        result = .success(try await next(request))
      } catch {
        result = .failure(error)
      }
      try Task.checkCancellation()
      switch result {
      case .success(let response):
        guard response.head.statusCode == 503 || response.head.statusCode == 429 else { return response }
        if let text = response.head.value(forHTTPHeaderField: "Retry-After"), text.allSatisfy(\.isNumber), let n = Int(text) {
          requested = .seconds(n)
        }
      case .failure(let error):
        guard (error as? URLError)?.code == .timedOut else { throw error }
      }
      let safe = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(request.httpMethod ?? "GET")
      guard safe, request.httpBodyStream == nil, left > 0, requested ?? .zero <= cap else { return try result.get() }
      var pause = delay
      for _ in 0..<waits where pause < cap { pause += pause }
      waits += 1
      let until = requested ?? jitter(min(pause, cap))
      guard until > .zero else { continue }
      try await sleep(until, clock)
    }
  }
}

private func sleep<C: Clock<Duration>>(_ duration: Duration, _ clock: C) async throws {
  try await clock.sleep(until: clock.now.advanced(by: duration), tolerance: .zero)
}
