import Given

/// A `BlockList` in memory whose answer a test can change.
public final class BlockListSpy: BlockList, Sendable {
  private let state: Locked<(isBlocked: Bool, blocks: Int)>

  /// - Parameter isBlocked: What it answers at first.
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

  /// How often the account was put on the list.
  public var blocks: Int {
    state.withLock { $0.blocks }
  }
}
