import Given

extension HTTPLogRecord {
  /// Creates the record of a request. A query, a body, and a description may be secret, so it has none of them.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - result: What it has received.
  ///   - duration: How long that has taken.
  init(of request: URLRequest, _ result: Result<(Data, HTTPURLResponse), any Error>, duration: Duration) {
    self.init(
      method: request.httpMethod ?? "GET", path: request.url?.path ?? "", outcome: Outcome(of: result), duration: duration)
  }
}

extension HTTPLogRecord.Outcome {
  /// Creates the outcome of a request.
  init(of result: Result<(Data, HTTPURLResponse), any Error>) {
    switch result {
    case .success(let (_, response)):
      self = .status(response.statusCode)
    case .failure(let error):
      let error = error as NSError
      self = .error(domain: error.domain, code: error.code)
    }
  }
}
