import Given

/// A `CredentialsStore` in memory that remembers what was written to it.
public final class CredentialsStoreSpy: CredentialsStore, Sendable {
  private let state: Locked<(current: Credentials?, writes: [Credentials?])>

  /// - Parameter credentials: What it holds at first.
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

  /// Everything that was written, oldest first.
  public var writes: [Credentials?] {
    state.withLock { $0.writes }
  }
}
