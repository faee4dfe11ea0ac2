import Given

/// Takes down every request, how it ended, and how long that took.
///
/// Knows about the log and nothing else: it forwards every request and every answer untouched. It may be used from many threads at
/// once.
package final class LoggerHTTPClientDecorator: HTTPClient {
  private let decoratee: any HTTPClient
  private let log: any HTTPLog
  private let now: () -> ContinuousClock.Instant

  /// - Parameters:
  ///   - decoratee: Whom to forward the requests to.
  ///   - log: Where the records go.
  ///   - now: Reads the stopwatch. The tests bring one of their own.
  package init(decoratee: any HTTPClient, log: any HTTPLog, now: @escaping () -> ContinuousClock.Instant) {
    self.decoratee = decoratee
    self.log = log
    self.now = now
  }

  package func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    let start = now()

    decoratee.load(request) { [log, now] result in
      // Read the stopwatch before anything else happens: what the log and the caller do takes time as well.
      let duration = start.duration(to: now())

      log.add(
        HTTPLogRecord(
          method: request.httpMethod ?? "GET", path: request.url?.path ?? "", outcome: .init(of: result), duration: duration))
      completion(result)
    }
  }
}

extension HTTPLogRecord.Outcome {
  fileprivate init(of result: Result<(Data, HTTPURLResponse), any Error>) {
    switch result {
    case .success(let (_, response)):
      self = .status(response.statusCode)
    case .failure(let error):
      let error = error as NSError
      self = .error(domain: error.domain, code: error.code)
    }
  }
}
