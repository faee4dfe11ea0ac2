import Given

/// Makes a middleware that retries a request if the server is overloaded or doesn't respond in time.
func retrying(
  upTo attempts: Int, after delay: Duration, waitingAtMost cap: Duration,
  jitter: @escaping @Sendable (Duration) -> Duration, clock: any Clock<Duration>
) -> Middleware {
  { request, next in
    guard let method = request.httpMethod, Set(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]).contains(method),
      request.httpBodyStream == nil
    else {
      return try await next(request)
    }
    var pauses = sequence(first: delay) { $0 < cap ? $0 * 2 : $0 }.lazy.map { min($0, cap) }.makeIterator()
    var attempt = 1
    while attempt < attempts {
      attempt += 1
      do {
        let response = try await next(request)
        switch response.head.statusCode {
        case 429, 503:
          if let seconds = response.head.value(forHTTPHeaderField: "retry-after").flatMap(Int.init), seconds >= 0 {
            if Duration.seconds(seconds) > cap { return response }
            try? await clock.sleep(for: .seconds(seconds))
          } else {
            try? await clock.sleep(for: jitter(pauses.next()!))
          }
        default: return response
        }
      } catch URLError.timedOut {
        try? await clock.sleep(for: jitter(pauses.next()!))
      }
      if Task.isCancelled { throw CancellationError() }
    }
    return try await next(request)
  }
}
