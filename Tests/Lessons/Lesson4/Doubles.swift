import Given
import TestSupport
import Testing

/// How a refresh ends.
enum RefreshOutcome: CaseIterable {
  case succeeds
  case isRefused
  case fails

  var result: Result<Credentials, any Error> {
    switch self {
    case .succeeds: .success(.renewed)
    case .isRefused: .failure(TokenEndpoint.Refused())
    case .fails: .failure(URLError(.timedOut))
    }
  }
}

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

/// A store that counts how often it is read.
///
/// A solution may read the store later than in `load`, on a queue or in a task. The number of reads shows when it has.
final class CountingStore: CredentialsStore, Sendable {
  let reads = Inbox<Void>()
  private let spy: CredentialsStoreSpy

  init(_ credentials: Credentials?) {
    spy = CredentialsStoreSpy(credentials)
  }

  var credentials: Credentials? {
    get {
      defer { reads.receive(()) }
      return spy.credentials
    }
    set { spy.credentials = newValue }
  }

  func replace(_ old: Credentials, with new: Credentials) -> Bool {
    spy.replace(old, with: new)
  }

  /// The stored credentials. Reading them here does not count.
  var stored: Credentials? {
    spy.credentials
  }

  /// Everything that was written, oldest first.
  var writes: [Credentials?] {
    spy.writes
  }
}

/// A store whose user signs out as late as possible: after the next time that it is read, or immediately before the next write.
final class LastMomentStore: CredentialsStore, Sendable {
  private enum Moment {
    case signedIn
    case leaving
    case signedOut
  }

  private let state: Locked<(current: Credentials?, moment: Moment)>

  init(_ credentials: Credentials) {
    state = Locked((credentials, .signedIn))
  }

  /// From now on, the user is about to sign out.
  func letTheUserSignOut() {
    state.withLock { $0.moment = .leaving }
  }

  /// The stored credentials. Reading them here does not make the user sign out.
  var stored: Credentials? {
    state.withLock { $0.current }
  }

  var credentials: Credentials? {
    get {
      state.withLock { state in
        let credentials = state.current
        if state.moment == .leaving { state = (nil, .signedOut) }
        return credentials
      }
    }
    set { state.withLock { $0.current = newValue } }
  }

  func replace(_ old: Credentials, with new: Credentials) -> Bool {
    state.withLock { state in
      if state.moment == .leaving { state = (nil, .signedOut) }
      guard state.current == old else { return false }
      state.current = new
      return true
    }
  }
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
