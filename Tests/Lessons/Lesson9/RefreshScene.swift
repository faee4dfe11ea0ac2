import Given
import TestSupport
import Testing

@testable import Exercise9

/// A provider with its store, its refresher and its clock.
struct RefreshScene {
  let store: CredentialsStoreSpy
  let refresher = AsyncCredentialsRefresherSpy()
  let clock = ManualClock()

  /// - Parameter credentials: The credentials in the store, or `nil` if no one is signed in.
  init(_ credentials: Credentials?) {
    store = CredentialsStoreSpy(credentials)
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

extension RefreshEnd {
  /// What every waiting caller should get, in a word, if the same user is still signed in.
  var outcome: String {
    self == .isRefused ? "sessionExpired" : word(for: result(.next))
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
