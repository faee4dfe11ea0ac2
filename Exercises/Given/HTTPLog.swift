/// Records requests and how they end.
///
/// A log can be used from any queue.
public protocol HTTPLog: AnyObject {
  /// Adds a record.
  func add(_ record: HTTPLogRecord)
}

/// A request and its outcome.
///
/// Logs are stored, copied, and mailed. A record has no room for anything secret: no headers, no body, no query.
public struct HTTPLogRecord: Equatable, Sendable {
  /// The outcome of a request.
  public enum Outcome: Equatable, Sendable {
    /// A response with this status.
    case status(Int)
    /// An error, identified by its `domain` and `code` as an `NSError`. Its description and its `userInfo` may contain the
    /// entire URL.
    case error(domain: String, code: Int)
  }

  /// The request's method, such as `GET`.
  public var method: String

  /// The path of the request's URL, such as `/articles`, without the query.
  public var path: String

  /// How the request ended.
  public var outcome: Outcome

  /// The time from just before the request was forwarded until its result arrived.
  public var duration: Duration

  /// Creates a record.
  public init(method: String, path: String, outcome: Outcome, duration: Duration) {
    self.method = method
    self.path = path
    self.outcome = outcome
    self.duration = duration
  }
}
