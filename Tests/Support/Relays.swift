import Given

// A spy belongs to its test. Code that holds such an object weakly would lose it if nothing else retained it, and no test could
// tell. A relay is what that code gets in place of the spy, and nothing else retains it.

/// A `CredentialsStore` that forwards to another one.
public final class StoreRelay: CredentialsStore {
  private let store: any CredentialsStore

  /// Creates a relay.
  public init(to store: any CredentialsStore) {
    self.store = store
  }

  public var credentials: Credentials? {
    get { store.credentials }
    set { store.credentials = newValue }
  }

  public func replace(_ old: Credentials, with new: Credentials) -> Bool {
    store.replace(old, with: new)
  }
}

/// A `BlockList` that forwards to another one.
public final class BlockListRelay: BlockList {
  private let list: any BlockList

  /// Creates a relay.
  public init(to list: any BlockList) {
    self.list = list
  }

  public var isCurrentAccountBlocked: Bool { list.isCurrentAccountBlocked }

  public func blockCurrentAccount() {
    list.blockCurrentAccount()
  }
}
