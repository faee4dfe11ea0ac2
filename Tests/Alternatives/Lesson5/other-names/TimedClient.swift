import Given

/// A client that measures each request with a measurement of its own.
struct TimedClient: HTTPClient {
  let client: any HTTPClient
  let log: any HTTPLog
  let now: () -> ContinuousClock.Instant

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    let measurement = Measurement(request: request, log: log, now: now)
    client.load(request) { result in
      measurement.end(with: result)
      completion(result)
    }
  }
}

/// The measurement of one request.
private final class Measurement {
  private let request: URLRequest
  private let log: any HTTPLog
  private let now: () -> ContinuousClock.Instant
  private let start: ContinuousClock.Instant

  init(request: URLRequest, log: any HTTPLog, now: @escaping () -> ContinuousClock.Instant) {
    (self.request, self.log, self.now) = (request, log, now)
    start = now()
  }

  func end(with result: Result<(Data, HTTPURLResponse), any Error>) {
    let duration = start.duration(to: now())
    let (method, path) = (request.httpMethod ?? "GET", request.url?.path ?? "")
    switch result {
    case .success(let (_, response)):
      log.add(HTTPLogRecord(method: method, path: path, outcome: .status(response.statusCode), duration: duration))
    case .failure(let error):
      let outcome = HTTPLogRecord.Outcome.error(domain: (error as NSError).domain, code: (error as NSError).code)
      log.add(HTTPLogRecord(method: method, path: path, outcome: outcome, duration: duration))
    }
  }
}
