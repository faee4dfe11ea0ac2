import Given

/// An `HTTPLog` in memory.
public final class HTTPLogSpy: HTTPLog, Sendable {
  private let inbox = Inbox<HTTPLogRecord>()

  public init() {}

  /// The records so far, oldest first.
  public var records: [HTTPLogRecord] {
    inbox.values
  }

  public func add(_ record: HTTPLogRecord) {
    inbox.receive(record)
  }

  /// Waits until there have been a number of records: not at all when they have come already.
  ///
  /// - Parameters:
  ///   - count: How many records to wait for, all in all.
  ///   - deadline: After how many seconds to give up.
  /// - Returns: Whether they came.
  @discardableResult
  public func hasReceived(_ count: Int, within deadline: TimeInterval = 1) async -> Bool {
    await inbox.hasReceived(count, within: deadline)
  }
}
