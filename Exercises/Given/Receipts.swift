/// The receipt of a payment.
public struct Receipt: Codable, Equatable, Sendable {
  public let id: String
  public var text: String

  public init(id: String, text: String) {
    self.id = id
    self.text = text
  }
}

/// The reason why a receipt was not saved.
public enum ReceiptError: Error {
  /// Somebody from support is looking at the customer's phone.
  case readOnly
}

/// Loads and saves receipts.
///
/// Code in Swift 5 mode, as it is here, need not prove that it is `Sendable`.
@preconcurrency public protocol ReceiptService: Sendable {
  typealias Completion = (Result<Receipt, any Error>) -> Void

  /// Delivers the receipt with an ID.
  func load(_ id: String, completion: @escaping Completion)

  /// Saves a receipt, and delivers what has been saved.
  func save(_ receipt: Receipt, completion: @escaping Completion)
}

/// A receipt service with a switch, which the app may turn at any time.
public protocol SwitchableReceiptService: ReceiptService, AnyObject {
  /// Whether somebody from support is looking at the customer's phone.
  var isReadOnly: Bool { get set }
}

/// Files, by their names. A store uses them on a queue of its own.
@preconcurrency public protocol Disk: Sendable {
  /// Returns the content of a file. Throws an error if there is no such file, or if it cannot be read.
  func read(_ name: String) throws -> Data

  /// Writes a file. Throws an error if it cannot be written.
  func write(_ data: Data, to name: String) throws
}

/// Runs work on the main queue, now or later.
public typealias MainQueueRunner = (_ work: @escaping () -> Void) -> Void

/// The app's log, for its developers.
public final class AppLog: Sendable {
  public static let shared = AppLog()

  private let all = Locked<[String]>([])

  private init() {}

  /// What has been written so far, oldest first.
  public var lines: [String] { all.withLock { $0 } }

  /// Adds a line.
  public func write(_ line: String) {
    all.withLock { $0.append(line) }
  }
}

/// The app's analytics. They count what customers do.
public final class Analytics: Sendable {
  public static let shared = Analytics()

  private let all = Locked<[String]>([])

  private init() {}

  /// What has been tracked so far, oldest first.
  public var events: [String] { all.withLock { $0 } }

  /// Counts an event.
  public func track(_ event: String) {
    all.withLock { $0.append(event) }
  }
}
