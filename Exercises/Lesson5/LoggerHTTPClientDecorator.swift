import Given

/// An HTTP client that logs the outcome and the duration of every request.
///
/// This decorator handles the log only. It forwards every request and every result unchanged. It is safe to use from many
/// threads simultaneously.
final class LoggerHTTPClientDecorator: HTTPClient {
  private let decoratee: any HTTPClient
  private let log: any HTTPLog
  private let now: () -> ContinuousClock.Instant

  /// Creates a decorator around a client.
  ///
  /// - Parameters:
  ///   - decoratee: The client to forward requests to.
  ///   - log: The log that stores the records.
  ///   - now: A closure that returns the current instant, as on a stopwatch.
  init(decoratee: any HTTPClient, log: any HTTPLog, now: @escaping () -> ContinuousClock.Instant) {
    self.decoratee = decoratee
    self.log = log
    self.now = now
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    // Step 2: add one record to the log for each result.
    decoratee.load(request, completion: completion)
  }
}
