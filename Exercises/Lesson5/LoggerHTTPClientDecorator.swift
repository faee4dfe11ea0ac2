import Given

/// Takes down every request, how it ended, and how long that took.
///
/// Knows about the log and nothing else: it forwards every request and every answer untouched. It may be used from many threads at
/// once.
final class LoggerHTTPClientDecorator: HTTPClient {
  private let decoratee: any HTTPClient
  private let log: any HTTPLog
  private let now: () -> ContinuousClock.Instant

  /// - Parameters:
  ///   - decoratee: Whom to forward the requests to.
  ///   - log: Where the records go.
  ///   - now: Reads the stopwatch. The tests bring one of their own.
  init(decoratee: any HTTPClient, log: any HTTPLog, now: @escaping () -> ContinuousClock.Instant) {
    self.decoratee = decoratee
    self.log = log
    self.now = now
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    // Step 2: add one record to the log for each answer.
    decoratee.load(request, completion: completion)
  }
}
