import Given

extension PullRequest {
  static func number3(_ client: any HTTPClient, log: any HTTPLog, now: @escaping () -> ContinuousClock.Instant) -> any HTTPClient
  {
    LoggerHTTPClientDecorator(decoratee: client, log: log, now: now)
  }
}

private final class LoggerHTTPClientDecorator: HTTPClient {
  private let decoratee: any HTTPClient
  private let log: any HTTPLog
  private let now: () -> ContinuousClock.Instant

  init(decoratee: any HTTPClient, log: any HTTPLog, now: @escaping () -> ContinuousClock.Instant) {
    self.decoratee = decoratee
    self.log = log
    self.now = now
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    let start = now()

    decoratee.load(request) { [log, now] result in
      let duration = start.duration(to: now())

      completion(result)
      log.add(HTTPLogRecord(of: request, result, duration: duration))
    }
  }
}
