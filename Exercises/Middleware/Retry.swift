import Given

/// Makes a middleware that retries a request if the server is overloaded or doesn't respond in time.
///
/// - Parameters:
///   - attempts: The maximum number of attempts, including the first. A number below 1 counts as 1.
///   - delay: The wait before the second attempt. Each further delay is twice as long as the one before it.
///   - cap: The longest delay, before `jitter`. If the server requests a longer wait, there are no more attempts.
///   - jitter: A closure that changes each wait a little, so that clients don't return all at once. A wait that the server
///     requests must not get shorter.
///   - clock: The clock to wait with.
/// - Returns: A middleware that retries only what may be sent again.
func retrying(
  upTo attempts: Int, after delay: Duration, waitingAtMost cap: Duration,
  jitter: @escaping @Sendable (Duration) -> Duration, clock: any Clock<Duration>
) -> Middleware {
  // Step 2: decide after each attempt whether there should be another.
  { request, next in try await next(request) }
}
