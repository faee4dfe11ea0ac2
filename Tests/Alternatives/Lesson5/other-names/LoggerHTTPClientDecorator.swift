import Given

/// Returns a client that logs the outcome and the duration of every request.
///
/// - Parameters:
///   - client: The client to forward requests to.
///   - log: The log that stores the records.
///   - now: A closure that returns the current instant, as on a stopwatch.
func logging(
  _ client: any HTTPClient, to log: any HTTPLog, now: @escaping () -> ContinuousClock.Instant
) -> any HTTPClient {
  TimedClient(client: client, log: log, now: now)
}
