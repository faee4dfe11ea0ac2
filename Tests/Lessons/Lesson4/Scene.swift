import Given
import TestSupport
import Testing

@testable import Exercise4

/// Plays a short story about a decorator: see ``ShortStory``.
///
/// When the events are over, the requests that are still in flight end, and everything should be released.
///
/// - Parameters:
///   - credentials: The stored credentials; `nil` if no one is signed in.
///   - rule: The rule that the story shows, as a sentence for the learner.
///   - sourceLocation: The source location of issues.
///   - events: What happens.
func story(
  _ credentials: Credentials?, _ rule: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ events: (Scene) async -> Void
) async {
  await expectReleased(
    "All requests are complete, but something still retains the decorator or a completion. Check your closures and lists.",
    sourceLocation: sourceLocation
  ) { leaks in
    let scene = Scene(credentials, rule, leaks)
    await events(scene)
    await scene.end(sourceLocation)
  }
}

/// Makes a decorator. What a test does not care about is a spy.
func makeSUT(
  decoratee: any HTTPClient, store: any CredentialsStore = CredentialsStoreSpy(.expired),
  refresher: any CredentialsRefresher = CredentialsRefresherSpy(), now: @escaping () -> Date = { ManualClock().date }
) -> RefreshCredentialsHTTPClientDecorator {
  RefreshCredentialsHTTPClientDecorator(decoratee: decoratee, store: store, refresher: refresher, now: now)
}

/// A decorator, everything that it uses, and a story about it.
final class Scene {
  private let owner: Locked<RefreshCredentialsHTTPClientDecorator?>
  private let client: HTTPClientSpy
  private let refresher = CredentialsRefresherSpy()
  private let store: CredentialsStoreSpy
  private let clock = ManualClock()
  private let leaks: LeakTracker
  private let sends = Inbox<String>()
  private let results = Inbox<String>()
  private let short: ShortStory
  private var loads = 0

  fileprivate init(_ credentials: Credentials?, _ rule: String, _ leaks: LeakTracker) {
    self.leaks = leaks
    store = CredentialsStoreSpy(credentials)
    client = HTTPClientSpy(responding: { [sends, store] request in
      let isOther = request.sentToken.map { !$0.hasPrefix("`") && $0 != store.stored?.accessToken } ?? false
      sends.receive(request.inWords + (isOther ? ", which is not the stored token" : ""))
      return nil
    })
    let remark = { [clock] in clock.remark(on: $0, about: "a refresh with") }
    short = ShortStory(rule, setting: credentials.inSetting, remarking: remark) { [refresher, sends, results, store] in
      refresher.calls.arguments.map { "a refresh with \($0) starts" } + sends.values + results.values
        + store.writes.values.map { $0.map { "\($0.accessToken) is stored" } ?? "the store is emptied" }
    }
    owner = Locked(
      makeSUT(decoratee: client, store: StoreRelay(to: store), refresher: refresher, now: { [clock] in clock.readDate() }))
    if let sut = owner.withLock({ $0 }) { leaks.track(sut as AnyObject) }
  }

  /// From here on, the story shows another rule.
  func show(_ rule: String) {
    if !short.hasFailed { short.rule = rule }
  }

  /// The app loads requests, one after the other, and does not wait for their results.
  ///
  /// - Parameters:
  ///   - paths: The paths of the requests.
  ///   - token: The token that each of them already carries, if any.
  ///   - isStreaming: Whether the body is a stream.
  ///   - next: The path of another request, which the completion of each loads.
  ///   - effects: What it leads to.
  ///   - place: The source location of issues.
  func load(
    _ paths: String..., carrying token: String? = nil, streaming isStreaming: Bool = false, then next: String? = nil,
    leadsTo effects: String...,
    at place: SourceLocation = #_sourceLocation
  ) async {
    let sentence =
      "The app loads \(paths.dropLast().map { "\($0), " }.joined())\(paths.count > 1 ? "and " : "")\(paths.last!)"
      + (token.map { ", with \"\(URLRequest.original("", carrying: $0).authorization ?? "")\" in its `Authorization` header" }
        ?? "")
      + (isStreaming ? ", whose body is a stream" : "")
      + (next.map { ". The completion of this load will load \($0)." } ?? ".")
    await short.play(sentence, leadingTo: effects, sourceLocation: place) {
      loads += paths.count
      let calls = paths.map { path in
        var request = URLRequest.original(path, carrying: token)
        if isStreaming { request.httpBodyStream = InputStream(data: Data(path.utf8)) }
        return (request, completion(of: path, then: next))
      }
      await perform("the app's call to `load`") { [owner] in
        for (request, completion) in calls { owner.withLock { $0 }?.load(request, completion: completion) }
      }
    }
    // A request that waits for a refresh has no effect. A solution may begin its work later: it waits when it has read the store.
    if !short.hasFailed { await store.reads.receives(loads) }
  }

  /// The refresh obtains new credentials.
  func refresh(obtains new: Credentials, leadsTo effects: String..., at place: SourceLocation = #_sourceLocation) async {
    await endRefresh(with: .success(new), effects, place)
  }

  /// The refresh fails.
  func refresh(fails trouble: Trouble, leadsTo effects: String..., at place: SourceLocation = #_sourceLocation) async {
    await endRefresh(with: .failure(trouble.error), effects, place)
  }

  private func endRefresh(with result: Result<Credentials, any Error>, _ effects: [String], _ place: SourceLocation) async {
    let index = refresher.calls.unfinished.first ?? refresher.calls.count
    let name = refresher.calls.arguments.indices.contains(index) ? " with \(refresher.calls.arguments[index])" : ""
    await short.play("The refresh\(name) \(result.inWords).", leadingTo: effects, sourceLocation: place) {
      guard refresher.calls.unfinished.contains(index) else { return refresher.calls.reportMissing(index, at: place) }
      await perform("the refresher's completion") { [refresher] in refresher.calls.complete(index, with: result) }
    }
  }

  /// The client responds to the oldest request in flight that has a path.
  func respond(_ status: Int, to path: String, leadsTo effects: String..., at place: SourceLocation = #_sourceLocation) async {
    let index = client.calls.unfinished.first { client.requests[$0].path == path } ?? client.requests.count
    let token = client.requests.indices.contains(index) ? client.requests[index].sentToken : nil
    let result = HTTPResult.response(status, to: path, sentWith: token ?? "no token")
    await end(index, with: result, "The client completes \(path) with \(status).", effects, place)
  }

  /// The oldest request in flight that has a path fails.
  func fail(
    _ path: String, with trouble: Trouble, leadsTo effects: String..., at place: SourceLocation = #_sourceLocation
  ) async {
    let index = client.calls.unfinished.first { client.requests[$0].path == path } ?? client.requests.count
    await end(index, with: .failure(trouble.error), "The client completes \(path) with \(trouble.inWords).", effects, place)
  }

  /// Other credentials are stored, or the user signs out.
  func store(_ credentials: Credentials?) {
    short.tell(credentials.map { "Another user signs in. The store holds \($0.inWords)." } ?? "The user signs out.")
    store.stored = credentials
  }

  /// The user signs out as late as possible: immediately before the new credentials are stored.
  func userSignsOutAtTheLastMoment() {
    short.tell("When new credentials are about to be stored, the user will sign out.")
    store.letTheUserSignOut()
  }

  func pass(seconds: TimeInterval) {
    clock.advance(by: seconds)
    short.tell("\(seconds) seconds pass. It is \(clock.date.inWords).")
  }

  func release() {
    short.tell("The app releases the decorator. Only the requests in flight still need it.")
    owner.withLock { $0 = nil }
  }

  /// Ends what is in flight. If a refresh is still under way, the story leaves open how it ends.
  fileprivate func end(_ place: SourceLocation) async {
    await mainQueueDrained()
    for index in client.calls.unfinished where refresher.calls.unfinished.isEmpty {
      let (path, token) = (client.requests[index].path, client.requests[index].sentToken ?? "no token")
      let result = HTTPResult.response(200, to: path, sentWith: token)
      await end(index, with: result, "The client completes \(path) with 200.", [result.received(for: path)], place)
    }
    await short.play("Nothing else happens.", leadingTo: [], sourceLocation: place) {}
    release()
    if short.hasFailed || !refresher.calls.unfinished.isEmpty { leaks.forget() }
  }

  private func end(
    _ index: Int, with result: HTTPResult, _ sentence: String, _ effects: [String], _ place: SourceLocation
  ) async {
    await short.play(sentence, leadingTo: effects, sourceLocation: place) {
      guard client.calls.unfinished.contains(index) else { return client.calls.reportMissing(index, at: place) }
      await perform("the client's completion") { [client] in client.calls.complete(index, with: result) }
    }
  }

  private func completion(of path: String, then next: String?) -> HTTPClient.Completion {
    let lifetime = leaks.track(Completion(), as: "a completion")
    let following = next.map { ($0, completion(of: $0, then: nil)) }
    return { [results, owner] result in
      withExtendedLifetime(lifetime) { results.receive(result.received(for: path)) }
      if let (next, completion) = following { owner.withLock { $0 }?.load(.original(next), completion: completion) }
    }
  }
}

/// Lives as long as the completion that captures it.
private final class Completion {}

extension Credentials? {
  fileprivate var inSetting: String {
    "It is 12:00:00.000. " + (map { "The store holds \($0.inWords)." } ?? "No one is signed in.")
  }
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
