import Given
import TestSupport

/// What the page promises, as plain values.
struct StackModel {
  struct Request {
    let request: URLRequest
    let sender: String
    let start: ContinuousClock.Instant
    /// The request that the app loads after the result.
    let next: URLRequest?
  }

  let subject: Subject
  var user: String
  var isBlocked: Bool
  private(set) var sent: [Request] = []
  /// Everything that may be observed.
  private(set) var effects: [String] = []

  init(subject: Subject, user: String, isBlocked: Bool) {
    (self.subject, self.user, self.isBlocked) = (subject, user, isBlocked)
  }

  /// - Returns: Whether the request is sent.
  @discardableResult
  mutating func load(_ request: URLRequest, then next: URLRequest? = nil, at now: ContinuousClock.Instant) -> Bool {
    let load = Request(request: request, sender: user, start: now, next: next)
    if subject.blocks, isBlocked {
      let result = HTTPResult.failure(HTTPClientError.permanentlyBlocked)
      if subject == .loggerOutside { log(load, result, at: now) }
      deliver(result, to: load, at: now)
      return false
    }
    sent.append(load)
    effects.append("the client receives \(request.inWords)")
    return true
  }

  mutating func end(_ index: Int, with result: HTTPResult, at now: ContinuousClock.Instant) {
    let stops = subject.blocks && result.announcesBlock
    if stops, !isBlocked {
      isBlocked = true
      effects.append("the account is on the block list")
    }
    let delivered = stops ? .failure(HTTPClientError.permanentlyBlocked) : result
    if subject.logs { log(sent[index], subject == .loggerOutside ? delivered : result, at: now) }
    deliver(delivered, to: sent[index], at: now)
  }

  private mutating func log(_ load: Request, _ result: HTTPResult, at now: ContinuousClock.Instant) {
    let outcome: HTTPLogRecord.Outcome =
      switch result {
      case .success((_, let response)): .status(response.statusCode)
      case .failure(let error): .init(of: error)
      }
    let (method, path) = (load.request.httpMethod ?? "", load.request.url?.path ?? "")
    effects.append(HTTPLogRecord(method: method, path: path, outcome: outcome, duration: load.start.duration(to: now)).inWords)
  }

  private mutating func deliver(_ result: HTTPResult, to load: Request, at now: ContinuousClock.Instant) {
    effects.append("\(load.request.name) receives \(result.inWordsWithBody)")
    if let next = load.next { self.load(next, at: now) }
  }
}

extension HTTPResult {
  var announcesBlock: Bool {
    guard case .success((let data, let response)) = self else { return false }
    return PermanentBlock.isAnnounced(by: data, response)
  }
}
