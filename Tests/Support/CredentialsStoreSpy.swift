import Given

/// A `CredentialsStore` in memory that records how it is used.
public final class CredentialsStoreSpy: CredentialsStore, Sendable {
  /// Receives an element at each read. A solution may read the store later than in `load`, on a queue or in a task.
  public let reads = Inbox<Void>()
  /// Everything that was written, oldest first.
  public let writes = Inbox<Credentials?>()
  private let state: Locked<(current: Credentials?, isUserLeaving: Bool)>
  private let afterRead: @Sendable () -> Void
  private let beforeWrite: @Sendable (Credentials?) -> Void

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - credentials: The initial credentials.
  ///   - afterRead: What happens after the credentials have been read, and before the reader gets them.
  ///   - beforeWrite: What happens before new credentials are written.
  public init(
    _ credentials: Credentials?, afterRead: @escaping @Sendable () -> Void = {},
    beforeWrite: @escaping @Sendable (Credentials?) -> Void = { _ in }
  ) {
    state = Locked((credentials, false))
    (self.afterRead, self.beforeWrite) = (afterRead, beforeWrite)
  }

  public var credentials: Credentials? {
    get {
      let credentials = state.withLock { state in
        defer { if state.isUserLeaving { state = (nil, false) } }
        return state.current
      }
      reads.receive(())
      afterRead()
      return credentials
    }
    set {
      beforeWrite(newValue)
      state.withLock {
        $0.current = newValue
        writes.receive(newValue)
      }
    }
  }

  public func replace(_ old: Credentials, with new: Credentials) -> Bool {
    beforeWrite(new)
    return state.withLock { state in
      if state.isUserLeaving { state = (nil, false) }
      guard state.current == old else { return false }
      state.current = new
      writes.receive(new)
      return true
    }
  }

  /// The stored credentials, for the test itself: nothing is recorded.
  public var stored: Credentials? {
    get { state.withLock { $0.current } }
    set { state.withLock { $0.current = newValue } }
  }

  /// From now on, the user signs out as late as possible: after the next read, or immediately before the next `replace`.
  public func letTheUserSignOut() {
    state.withLock { $0.isUserLeaving = true }
  }
}
