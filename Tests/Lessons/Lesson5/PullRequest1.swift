import Given

@testable import Exercise5

extension PullRequest {
  static let number1 = PullRequest(breaks: .durationOfTheRequest, blocks: false) { client, _, log, now in
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
      defer {
        log.add(
          HTTPLogRecord(
            method: request.httpMethod ?? "GET", path: request.url?.path ?? "", outcome: .init(of: result),
            duration: start.duration(to: now())))
      }
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
