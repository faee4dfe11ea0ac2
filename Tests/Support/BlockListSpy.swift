import Given

/// A `BlockList` in memory that a test can change.
public final class BlockListSpy: BlockList, Sendable {
  private let state: Locked<(isBlocked: Bool, blocks: Int)>
  private let onRead: @Sendable () -> Void
  private let onBlock: @Sendable () -> Void

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - isBlocked: Whether the account is blocked initially.
  ///   - onRead: What happens before the list is read.
  ///   - onBlock: What happens before the account is added to the list.
  public init(
    isBlocked: Bool = false, onRead: @escaping @Sendable () -> Void = {}, onBlock: @escaping @Sendable () -> Void = {}
  ) {
    state = Locked((isBlocked, 0))
    (self.onRead, self.onBlock) = (onRead, onBlock)
  }

  public var isCurrentAccountBlocked: Bool {
    onRead()
    return isBlocked
  }

  public func blockCurrentAccount() {
    onBlock()
    state.withLock {
      $0.isBlocked = true
      $0.blocks += 1
    }
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
