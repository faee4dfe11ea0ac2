/// Takes messages for developers.
public protocol Logging {
  func log(_ message: String)
}

/// The logger that everybody can reach from everywhere.
public final class Logger: Logging, Sendable {
  public static let shared = Logger()

  /// To whom the messages of the current task go in place of the console.
  ///
  /// This is what it takes to test code that calls ``shared``: a back door in the logger itself.
  @TaskLocal public static var redirection: (any Logging & Sendable)?

  private init() {}

  public func log(_ message: String) {
    if let redirection = Self.redirection {
      redirection.log(message)
    } else {
      print("debug: \(message)")
    }
  }
}

/// What the log says about a load of the transactions.
public enum LoadMessage {
  /// - Parameters:
  ///   - count: How many transactions came.
  ///   - duration: The time from the call to its answer.
  public static func loaded(_ count: Int, in duration: Duration) -> String {
    "Loaded \(count) transactions in \(duration / .seconds(1)) seconds."
  }

  /// - Parameter duration: The time from the call to its failure.
  public static func failed(after duration: Duration) -> String {
    "Loading transactions failed after \(duration / .seconds(1)) seconds."
  }
}
