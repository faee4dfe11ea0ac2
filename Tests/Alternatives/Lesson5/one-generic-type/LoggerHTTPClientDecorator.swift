import Given

func logging(
  _ client: any HTTPClient, to log: any HTTPLog, now: @escaping () -> ContinuousClock.Instant
) -> any HTTPClient {
  DecoratedHTTPClient(
    decoratee: client,
    before: { _ in now() },
    after: { start, request, result in
      let duration = start.duration(to: now())
      log.add(
        HTTPLogRecord(
          method: request.httpMethod ?? "GET", path: request.url?.path ?? "", outcome: .init(of: result), duration: duration))
      return result
    })
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
