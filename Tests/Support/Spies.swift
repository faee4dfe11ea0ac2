import Given

/// An `HTTPClient` that stores the completions, so that a test decides when and how each request ends.
public final class HTTPClientSpy: HTTPClient, Sendable {
  /// The calls with their requests, to be completed by the test.
  public let calls: Calls<URLRequest, HTTPResult>

  /// Creates a client without requests.
  ///
  /// - Parameter response: What a request gets before `load` returns; `nil` if the test completes it.
  public init(responding response: ((URLRequest) -> HTTPResult?)? = nil) {
    calls = Calls(to: "the client", responding: response)
  }

  /// The requests so far, oldest first.
  public var requests: [URLRequest] {
    calls.arguments
  }

  public func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    calls.receive(request, completion)
  }
}

/// A `ProfileService` that stores the completions.
public final class ProfileServiceSpy: ProfileService, Sendable {
  /// The calls, to be completed by the test.
  public let calls: Calls<Void, Result<Profile, any Error>>

  /// Creates a spy without calls.
  ///
  /// - Parameter response: What a call gets before it returns; `nil` if the test completes it.
  public init(responding response: (() -> Result<Profile, any Error>?)? = nil) {
    calls = Calls(to: "the service", responding: response.map { response in { _ in response() } })
  }

  public func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    calls.receive((), completion)
  }
}

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
  ///   - onBlock: What happens after the account has been added to the list.
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
    state.withLock { $0 = (true, $0.blocks + 1) }
    onBlock()
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
