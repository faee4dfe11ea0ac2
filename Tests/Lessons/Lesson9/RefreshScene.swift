import Given
import TestSupport
import Testing

@testable import Exercise9

/// A provider with its store, its refresher and its clock.
struct RefreshScene {
  let store: EventfulStore
  let refresher = AsyncCredentialsRefresherSpy()
  let clock = ManualClock()

  /// - Parameter credentials: The credentials in the store, or `nil` if no one is signed in.
  init(_ credentials: Credentials?) {
    store = EventfulStore(credentials)
  }

  /// Makes a provider. The scene doesn't retain it.
  func makeSUT() -> CredentialsProvider {
    CredentialsProvider(store: store, refresher: refresher, now: { [clock] in clock.date })
  }

  /// Starts callers, and returns when each of them is suspended and the refresher was called at least once.
  ///
  /// All of them run on one queue. When it has nothing left to do, every caller has come as far as it can.
  func waitingCalls(_ count: Int, of sut: CredentialsProvider) async -> [Running<Credentials>] {
    let queue = OneQueue()
    let calls = (0..<count).map { _ in
      Running(on: queue) { try await sut.credentials() }
    }
    await queue.settled()
    await refresher.calls.receives(1)
    await queue.settled()
    return calls
  }

  /// Lets the tasks run that a cancellation may have started. Each round has the lowest priority, so it runs after them.
  func settledAfterCancellation() async {
    for _ in 0..<50 {
      await Task.detached(priority: .background) {}.value
    }
  }

  /// Refreshes once, from the call to its outcome.
  ///
  /// - Parameters:
  ///   - index: The index of the refresher's call: 0 is the first.
  ///   - result: What the refresher returns or throws.
  func refresh(
    _ sut: CredentialsProvider, _ index: Int, _ result: Result<Credentials, any Error>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Result<Credentials, any Error> {
    let call = Running { try await sut.credentials() }
    let isRefreshing = await refresher.calls.receives(index + 1)
    try #require(
      isRefreshing,
      """
      The stored credentials have expired, so the refresher should be called.\
      \(index == 0 ? "" : " Check whether an older task is reused.")
      """,
      sourceLocation: sourceLocation)
    refresher.calls.complete(index, with: result, sourceLocation: sourceLocation)
    return try await call.outcome(sourceLocation: sourceLocation)
  }
}

/// How calls ended, each in a word: the access token, or the error.
func outcomes(of calls: [Running<Credentials>]) async throws -> [String] {
  var words: [String] = []
  for call in calls {
    words.append(word(for: try await call.outcome()))
  }
  return words
}

/// The access token, or the error in a word.
func word(for outcome: Result<Credentials, any Error>) -> String {
  switch outcome {
  case .success(let credentials): credentials.accessToken
  case .failure(let error as URLError): "URLError \(error.code.rawValue)"
  case .failure(let error): "\(error)"
  }
}

/// How a refresh ends.
enum RefreshEnd: CaseIterable {
  case succeeds
  case isRefused
  case findsNoConnection
  case findsTheEndpointUnavailable
  case findsTheEndpointBusy

  static let failures = allCases.filter { $0 != .succeeds }

  /// What the refresher returns or throws.
  func result(_ new: Credentials = .next) -> Result<Credentials, any Error> {
    switch self {
    case .succeeds: .success(new)
    case .isRefused: .failure(TokenEndpoint.Refused())
    case .findsNoConnection: .failure(URLError(.notConnectedToInternet))
    case .findsTheEndpointUnavailable: .failure(TokenEndpoint.Unavailable(statusCode: 503))
    case .findsTheEndpointBusy: .failure(TokenEndpoint.Unavailable(statusCode: 429))
    }
  }

  /// What every waiting caller should get, in a word, if the same user is still signed in.
  var outcome: String {
    self == .isRefused ? "sessionExpired" : word(for: result())
  }
}

extension Credentials {
  /// The credentials that the refresher returns.
  static let next = Credentials(
    accessToken: "next-token", refreshToken: "refresh-3", expiresAt: ManualClock().date.addingTimeInterval(7200))
}

/// An `AsyncCredentialsRefresher` whose calls the test completes.
final class AsyncCredentialsRefresherSpy: AsyncCredentialsRefresher {
  /// The calls with their refresh tokens, to be completed by the test.
  let calls: AsyncCalls<String, Credentials>

  /// - Parameter endsWhenCanceled: Whether a cancellation ends a call. If not, only the test does.
  init(endsWhenCanceled: Bool = true) {
    calls = AsyncCalls(to: "the refresher", endsWhenCanceled: endsWhenCanceled)
  }

  func refresh(with refreshToken: String) async throws -> Credentials {
    try await calls.receive(refreshToken)
  }
}

/// A store that reports its writes, and that a user can sign out of between two calls.
final class EventfulStore: CredentialsStore, Sendable {
  /// Everything that was written, oldest first.
  let writes = Inbox<Credentials?>()
  private let state: Locked<(current: Credentials?, signsOutAfterRead: Bool, reads: Int)>

  init(_ credentials: Credentials?) {
    state = Locked((credentials, false, 0))
  }

  var credentials: Credentials? {
    get {
      state.withLock { state in
        let credentials = state.current
        state.reads += 1
        if state.signsOutAfterRead { (state.current, state.signsOutAfterRead) = (nil, false) }
        return credentials
      }
    }
    set {
      state.withLock { $0.current = newValue }
      writes.receive(newValue)
    }
  }

  /// The credentials, for the test itself. No one signs out after this read, and it isn't counted.
  var current: Credentials? { state.withLock { $0.current } }

  /// How often the solution has read the credentials.
  var reads: Int { state.withLock { $0.reads } }

  func replace(_ old: Credentials, with new: Credentials) -> Bool {
    let isReplaced = state.withLock { state in
      guard state.current == old else { return false }
      state.current = new
      return true
    }
    if isReplaced { writes.receive(new) }
    return isReplaced
  }

  /// Lets the user sign out immediately after the next read.
  func signOutAfterNextRead() {
    state.withLock { $0.signsOutAfterRead = true }
  }

  /// Whether the user has signed out after a read. If not, they no longer will.
  func hasSignedOutAfterRead() -> Bool {
    state.withLock { state in
      let hasSignedOut = !state.signsOutAfterRead
      state.signsOutAfterRead = false
      return hasSignedOut
    }
  }
}
