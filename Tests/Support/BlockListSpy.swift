import Given

/// A `BlockList` in memory that a test can change.
public final class BlockListSpy: BlockList, Sendable {
  private let state: Locked<(isBlocked: Bool, blocks: Int)>

  /// Creates a list.
  ///
  /// - Parameter isBlocked: Whether the account is blocked initially.
  public init(isBlocked: Bool = false) {
    state = Locked((isBlocked, 0))
  }

  public var isCurrentAccountBlocked: Bool {
    get { state.withLock { $0.isBlocked } }
    set { state.withLock { $0.isBlocked = newValue } }
  }

  public func blockCurrentAccount() {
    state.withLock {
      $0.isBlocked = true
      $0.blocks += 1
    }
  }

  /// The number of times that the account was added to the list.
  public var blocks: Int {
    state.withLock { $0.blocks }
  }
}
