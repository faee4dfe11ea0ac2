import Given
import TestSupport
import Testing

extension HTTPClientSpy {
  /// Creates a client that responds before `load` returns. It rejects one token with a 401, three times at most: a solution that
  /// sends the same token again and again comes to an end.
  ///
  /// - Parameter rejected: The token to reject.
  static func immediate(rejecting rejected: String? = nil) -> HTTPClientSpy {
    let rejections = Locked(0)
    return HTTPClientSpy(responding: { request in
      guard let rejected, request.token == rejected else { return .status(200) }
      let count = rejections.withLock { count in
        count += 1
        return count
      }
      return .status(count <= 3 ? 401 : 200)
    })
  }

  /// The tokens of all requests.
  var tokens: [String] { requests.compactMap(\.token) }

  /// The tokens of the requests with a name.
  func tokens(of name: String) -> [String] { requests.filter { $0.url?.lastPathComponent == name }.compactMap(\.token) }
}

/// Holds one thread until another one opens the gate, or until a moment has passed.
///
/// A correct solution may hold a lock that keeps the other thread from coming so far. Then the moment passes, and both go on.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func wait(seconds: TimeInterval = 0.5) {
    _ = semaphore.wait(timeout: .now() + seconds)
  }

  func open() {
    semaphore.signal()
  }
}
