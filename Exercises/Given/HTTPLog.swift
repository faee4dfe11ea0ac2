/// Takes down what went over the network.
///
/// Implementations may be called from any queue.
public protocol HTTPLog: AnyObject {
  /// Adds a record.
  func add(_ record: HTTPLogRecord)
}

/// One request, and what became of it.
///
/// Logs are kept, copied and mailed around. A record has no room for what must not be in it: no headers, no body, no query.
public struct HTTPLogRecord: Equatable, Sendable {
  /// How a request ended.
  public enum Outcome: Equatable, Sendable {
    /// There was a response, with this status.
    case status(Int)
    /// There was none. An error is identified by the `domain` and the `code` that it has as an `NSError`: its description
    /// and its `userInfo` may quote the whole URL.
    case error(domain: String, code: Int)
  }

  /// The request's method, as in `GET`.
  public var method: String

  /// The path of the request's URL, as in `/articles`, without the query.
  public var path: String

  public var outcome: Outcome

  /// The time from just before the request was passed on until its answer came.
  public var duration: Duration

  public init(method: String, path: String, outcome: Outcome, duration: Duration) {
    self.method = method
    self.path = path
    self.outcome = outcome
    self.duration = duration
  }
}
