import Given

/// A `BlockList` in memory that a test can change.
public final class BlockListSpy: BlockList, Sendable {
  private let state: Locked<(isBlocked: Bool, blocks: Int)>
  private let onRead: @Sendable () -> Void
  private let onBlock: @Sendable (Bool) -> Void

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - isBlocked: Whether the account is blocked initially.
  ///   - onRead: What happens before the list is read.
  ///   - onBlock: What happens after the account has been added to the list. The argument says whether it was there already.
  public init(
    isBlocked: Bool = false, onRead: @escaping @Sendable () -> Void = {}, onBlock: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    state = Locked((isBlocked, 0))
    (self.onRead, self.onBlock) = (onRead, onBlock)
  }

  public var isCurrentAccountBlocked: Bool {
    onRead()
    return isBlocked
  }

  public func blockCurrentAccount() {
    let wasBlocked = state.withLock { state in
      defer { state = (true, state.blocks + 1) }
      return state.isBlocked
    }
    onBlock(wasBlocked)
  }

  /// Whether the account is on the list, for the test itself.
  public var isBlocked: Bool {
    get { state.withLock { $0.isBlocked } }
    set { state.withLock { $0.isBlocked = newValue } }
  }

  /// The number of times that the account was added to the list.
  public var blocks: Int {
    state.withLock { $0.blocks }
  }
}
