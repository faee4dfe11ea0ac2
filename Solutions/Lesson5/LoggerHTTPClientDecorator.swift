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
  LoggerHTTPClientDecorator(decoratee: client, log: log, now: now)
}

/// An HTTP client that logs the outcome and the duration of every request.
///
/// This decorator handles the log only. It forwards every request and every result unchanged. It is safe to use from many
/// threads simultaneously.
package final class LoggerHTTPClientDecorator: HTTPClient {
  private let decoratee: any HTTPClient
  private let log: any HTTPLog
  private let now: () -> ContinuousClock.Instant

  /// Creates a decorator around a client.
  ///
  /// - Parameters:
  ///   - decoratee: The client to forward requests to.
  ///   - log: The log that stores the records.
  ///   - now: A closure that returns the current instant, as on a stopwatch.
  package init(decoratee: any HTTPClient, log: any HTTPLog, now: @escaping () -> ContinuousClock.Instant) {
    self.decoratee = decoratee
    self.log = log
    self.now = now
  }

  package func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    let start = now()

    decoratee.load(request) { [log, now] result in
      // Read the stopwatch first: the time that the log and the caller take is not part of the request.
      let duration = start.duration(to: now())

      log.add(HTTPLogRecord(of: request, result, duration: duration))
      completion(result)
    }
  }
}
