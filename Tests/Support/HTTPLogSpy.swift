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

  /// Waits for a number of records: see ``Inbox/receives(_:)``.
  @discardableResult
  public func receives(_ count: Int) async -> Bool {
    await inbox.receives(count)
  }
}
