/// Logs messages for developers.
@preconcurrency public protocol Logging: Sendable {
  /// Logs a message.
  func log(_ message: String)
}

/// The logger that code can reach from anywhere.
public final class Logger: Logging {
  public static let shared = Logger()

  /// The logger that receives the current task's messages instead of the console.
  ///
  /// Code that calls ``shared`` can be tested only through a back door like this one, in the logger itself.
  @TaskLocal public static var redirection: (any Logging)?

  private init() {}

  public func log(_ message: String) {
    if let redirection = Self.redirection {
      redirection.log(message)
    } else {
      print("debug: \(message)")
    }
  }
}

/// The log messages about loading transactions.
public enum LoadMessage {
  /// The message about a load that succeeded.
  ///
  /// - Parameters:
  ///   - count: The number of transactions.
  ///   - duration: The time from the call to its result.
  public static func loaded(_ count: Int, in duration: Duration) -> String {
    "Loaded \(count) transactions in \(duration / .seconds(1)) seconds."
  }

  /// The message about a load that failed.
  ///
  /// - Parameter duration: The time from the call to its failure.
  public static func failed(after duration: Duration) -> String {
    "Loading transactions failed after \(duration / .seconds(1)) seconds."
  }
}
