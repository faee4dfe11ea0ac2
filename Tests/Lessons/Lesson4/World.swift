import Given
import TestSupport
import Testing

@testable import Exercise4

/// The learner's decorator, the spies around it, and what can happen to them.
final class World {
  let client: HTTPClientSpy
  let refresher: CredentialsRefresherSpy
  let store: CredentialsStoreSpy
  let clock = ManualClock()
  /// The ends of refreshes before `refresh` returns, by refresh token.
  let immediateEnds = Locked<[String: Result<Credentials, any Error>]>([:])
  /// The statuses of the responses that requests get before `load` returns, by path.
  private let immediateStatuses = Locked<[String: Int]>([:])
  /// The access tokens with which users have signed in.
  private let signInTokens = Locked<Set<String>>([])
  /// The decorator, until the app releases it.
  private let owner = Locked<RefreshCredentialsHTTPClientDecorator?>(nil)
  private let leaks: LeakTracker
  private let sends = Inbox<String>()
  private let results = Inbox<String>()
  private var obtained: [Credentials] = []
  private var completions: [(path: String, isRetained: () -> Bool)] = []

  /// Creates a world.
  ///
  /// - Parameters:
  ///   - credentials: The stored credentials; `nil` if no one is signed in.
  ///   - leaks: The tracker of the decorator and the completions.
  init(_ credentials: Credentials?, _ leaks: LeakTracker) {
    self.leaks = leaks
    store = CredentialsStoreSpy(nil)
    client = HTTPClientSpy(responding: { [store, sends, signInTokens, immediateStatuses] request in
      let token = request.sentToken
      let isStored =
        signInTokens.withLock { $0.contains(token ?? "") } || store.writes.values.contains { $0?.accessToken == token }
      let isOther = token.map { !$0.hasPrefix("`") && !isStored } ?? false
      sends.receive(request.asSent + (isOther ? ", which is not the stored token" : ""))
      return immediateStatuses.withLock { $0.removeValue(forKey: request.path) }
        .map { .response($0, to: request.path, sentWith: token ?? "no token") }
    })
    refresher = CredentialsRefresherSpy(responding: { [immediateEnds] token in
      immediateEnds.withLock { $0.removeValue(forKey: token) }
    })
    let sut = makeSUT(decoratee: client, store: StoreRelay(to: store), refresher: refresher, now: { [clock] in clock.readDate() })
    // A solution may be a struct, and a copy of one in a box leaks nothing.
    leaks.track(sut as AnyObject)
    owner.withLock { $0 = sut }
    signIn(with: credentials)
  }

  var observed: [String] {
    sends.values + refresher.calls.arguments.map { "a refresh with \($0) starts" } + results.values
      + store.writes.values.map { new in
        guard let new else { return "the store is emptied" }
        return "\(obtained.contains(new) ? new.accessToken : new.inWords) is stored"
      }
  }

  /// The completions that are retained, in words. When all requests are complete, there should be none.
  var retainedCompletions: [String] {
    completions.filter { $0.isRetained() }.map { "the completion of \($0.path) is still retained" }
  }

  /// The app loads requests, one after the other, and does not wait for their results.
  ///
  /// - Parameters:
  ///   - requests: The requests.
  ///   - token: The token that each of them already carries, if any.
  /// - Returns: Whether `load` has returned in time.
  func load(_ requests: [RefreshModel.Request], carrying token: String?) async -> Bool {
    let calls = requests.map { request in
      var original = URLRequest.original(request.path, carrying: token)
      if request.isStreaming { original.httpBodyStream = InputStream(data: Data(request.path.utf8)) }
      immediateStatuses.withLock { $0[request.path] = request.immediateStatus }
      return (original, completion(of: request))
    }
    return await perform("the app's call to `load`") { [owner] in
      for (request, completion) in calls { owner.withLock { $0 }?.load(request, completion: completion) }
    }
  }

  /// The refresher completes a call.
  ///
  /// - Returns: Whether the completion has returned in time.
  func endRefresh(_ index: Int, with result: Result<Credentials, any Error>) async -> Bool {
    await perform("the refresher's completion") { [refresher] in refresher.calls.complete(index, with: result) }
  }

  /// The client completes a request.
  ///
  /// - Returns: Whether the completion has returned in time.
  func endRequest(_ index: Int, with result: HTTPResult) async -> Bool {
    await perform("the client's completion") { [client] in client.calls.complete(index, with: result) }
  }

  /// Notes credentials that a refresh obtains. Nothing else should be stored.
  func note(_ end: Result<Credentials, any Error>) {
    if let new = try? end.get() { obtained.append(new) }
  }

  /// A user signs in, or signs out.
  func signIn(with credentials: Credentials?) {
    if let token = credentials?.accessToken { _ = signInTokens.withLock { $0.insert(token) } }
    store.stored = credentials
  }

  func release() {
    owner.withLock { $0 = nil }
  }

  /// A completion that records its result, and may load the next request.
  private func completion(of request: RefreshModel.Request) -> HTTPClient.Completion {
    let next = request.next.map { (URLRequest.original($0.path), completion(of: RefreshModel.Request(path: $0.path))) }
    let lifetime = leaks.track(Lifetime(), as: "a completion")
    completions.append((request.path, { [weak lifetime] in lifetime != nil }))
    return { [results, owner] result in
      withExtendedLifetime(lifetime) { results.receive(result.received(for: request.path)) }
      guard let (next, completion) = next, result.isSuccessful || request.next?.followsAnyResult == true else { return }
      owner.withLock { $0 }?.load(next, completion: completion)
    }
  }
}

/// Makes a decorator. What a test does not care about is a spy.
func makeSUT(
  decoratee: any HTTPClient, store: any CredentialsStore = CredentialsStoreSpy(.expired),
  refresher: any CredentialsRefresher = CredentialsRefresherSpy(), now: @escaping () -> Date = { ManualClock().date }
) -> RefreshCredentialsHTTPClientDecorator {
  RefreshCredentialsHTTPClientDecorator(decoratee: decoratee, store: store, refresher: refresher, now: now)
}

extension Credentials {
  /// The credentials of another user. Valid for 15 minutes on a new clock.
  static let newUser = Credentials(
    accessToken: "new-user", refreshToken: "new-user-refresh", expiresAt: ManualClock().date.addingTimeInterval(900))

  /// The credentials of another user, which expire when a new clock starts.
  static let expiredNewUser = Credentials(
    accessToken: "new-user-expired", refreshToken: "new-user-refresh", expiresAt: ManualClock().date)

  /// The credentials that another refresh obtains.
  static let newest = Credentials(
    accessToken: "newest-token", refreshToken: "refresh-3", expiresAt: ManualClock().date.addingTimeInterval(86_400))
}
