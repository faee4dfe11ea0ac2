import Given

/// A `CredentialsStore` in memory that records every write.
public final class CredentialsStoreSpy: CredentialsStore, Sendable {
  private let state: Locked<(current: Credentials?, writes: [Credentials?])>

  /// Creates a store.
  ///
  /// - Parameter credentials: The initial credentials.
  public init(_ credentials: Credentials?) {
    state = Locked((credentials, []))
  }

  public var credentials: Credentials? {
    get { state.withLock { $0.current } }
    set {
      state.withLock {
        $0.current = newValue
        $0.writes.append(newValue)
      }
    }
  }

  public func replace(_ old: Credentials, with new: Credentials) -> Bool {
    state.withLock {
      guard $0.current == old else { return false }
      $0.current = new
      $0.writes.append(new)
      return true
    }
  }

  /// Everything that was written, oldest first.
  public var writes: [Credentials?] {
    state.withLock { $0.writes }
  }
}
