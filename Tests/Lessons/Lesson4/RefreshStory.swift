import Given
import TestSupport
import Testing

@testable import Exercise4

/// A story about a user's requests, their credentials, and a server that may reject both.
///
/// It avoids what the page leaves open:
///
/// - A request that arrives during the refresh of a previous user may wait for its end. That refresh therefore ends
///   immediately afterward, before anything is checked.
/// - A 401 for a previous user's request arrives only if no one is signed in.
/// - No request arrives if the stored token is one that the server has rejected, and if it has not expired: a solution may
///   remember that token, and refresh it for each request.
final class RefreshStory: Story {
  enum Event: Sendable {
    case load(RequestKind, RefreshEnd?)
    case endRefresh(Int, RefreshEnd)
    case respond(Int, status: Int, RefreshEnd?)
    case fail(Int, Trouble)
    case advance(TimeInterval)
    case signOut
    case signIn(lifetime: TimeInterval)
    case signInAgain(lifetime: TimeInterval)
    case release
  }

  /// What is special about a request.
  enum RequestKind: Sendable {
    case plain
    /// Its completion loads another one.
    case loadsAnother
    /// The client responds before its `load` returns.
    case hasResponse(status: Int)
  }

  /// How a refresh ends. An event that carries one lets the refresh that it starts end before the call to the refresher returns.
  typealias RefreshEnd = Result<(keepsRefreshToken: Bool, lifetime: TimeInterval), Trouble>

  static func event(using random: inout SeededRandom) -> Event {
    let position = Int.random(in: 0..<9, using: &random)
    let failure = Trouble.random(using: &random)
    let success = RefreshEnd.success(
      (keepsRefreshToken: Bool.random(using: &random), lifetime: [900, 900, 900, 0.5, -5].randomElement(using: &random)!))
    let end = Int.random(in: 0..<3, using: &random) == 0 ? .failure(failure) : success
    let immediateEnd = Int.random(in: 0..<3, using: &random) == 0 ? end : nil
    switch Int.random(in: 0..<23, using: &random) {
    case 0..<6:
      let kinds: [RequestKind] = [
        .plain, .plain, .plain, .loadsAnother, .hasResponse(status: 200), .hasResponse(status: 401), .hasResponse(status: 401),
      ]
      return .load(kinds.randomElement(using: &random)!, immediateEnd)
    case 6..<10: return .endRefresh(position, end)
    case 10..<12: return .respond(position, status: [200, Int.status(using: &random)].first { $0 != 401 }!, nil)
    case 12..<16: return .respond(position, status: 401, immediateEnd)
    case 16: return .fail(position, failure)
    case 17..<19: return .advance([0.125, 0.25, 0.5, 300.5, 900].randomElement(using: &random)!)
    case 19: return .signOut
    case 20: return .signIn(lifetime: [0.25, 0.75, 300.5, -60].randomElement(using: &random)!)
    case 21: return .signInAgain(lifetime: [0.75, 300.5].randomElement(using: &random)!)
    default: return .release
    }
  }

  let leaks = LeakTracker()
  private let clock = ManualClock()
  private let client: HTTPClientSpy
  private let refresher: CredentialsRefresherSpy
  /// The status of the response that a request gets before `load` returns, by path.
  private let immediateStatuses = Locked<[String: Int]>([:])
  /// The end of a refresh before `refresh` returns, by refresh token.
  private let immediateEnds = Locked<[String: Result<Credentials, any Error>]>([:])
  private let store: CredentialsStoreSpy
  private let firstInWords: String
  private let results = Inbox<String>()
  /// The decorator, until the app releases it.
  private let owner = Locked<RefreshCredentialsHTTPClientDecorator?>(nil)
  private var model: RefreshModel
  private var names = StoryNames()
  private var userCount = 1
  /// What the learner's code has not done in time.
  private var omissions: [String] = []
  private var completions: [(path: String, isRetained: () -> Bool)] = []

  init(using random: inout SeededRandom) {
    let lifetime = [0.75, 0.75, 300.5].randomElement(using: &random)!
    let first = names.credentials(of: names.user(), expiringAt: clock.date + lifetime)
    firstInWords = first.inWords
    client = HTTPClientSpy(responding: { [immediateStatuses] request in
      immediateStatuses.withLock { $0.removeValue(forKey: request.path) }
        .map { .response($0, to: request.path, sentWith: request.sentToken ?? "no token") }
    })
    refresher = CredentialsRefresherSpy(responding: { [immediateEnds] token in
      immediateEnds.withLock { $0.removeValue(forKey: token) }
    })
    store = CredentialsStoreSpy(first)
    model = RefreshModel(stored: first, now: { [clock] in clock.date })
    let sut = makeSUT(decoratee: client, store: StoreRelay(to: store), refresher: refresher, now: { [clock] in clock.readDate() })
    // A solution may be a struct, and a copy of one in a box leaks nothing.
    leaks.track(sut as AnyObject)
    owner.withLock { $0 = sut }
  }

  var setting: [String] {
    ["12:00:00.000: Ada is signed in with \(firstInWords)."]
  }

  func play(_ event: Event) async -> String? {
    immediateEnds.withLock { $0 = [:] }
    model.immediateEnds = [:]
    (model.arrivals, model.joined) = (0, [])
    model.overtaken = nil
    var sentence: String?
    switch event {
    case .load(let kind, let end): sentence = await load(kind, end)
    case .endRefresh(let position, let end): sentence = await endRefresh(at: position, end)
    case .respond(let position, let status, let end): sentence = await respond(at: position, status, end)
    case .fail(let position, let failure): sentence = await endRequest(at: position) { _ in .failure(failure.error) }
    case .advance(let seconds): sentence = advance(by: seconds)
    case .signOut: sentence = signOut()
    case .signIn(let lifetime): sentence = signIn(for: lifetime)
    case .signInAgain(let lifetime): sentence = signInAgain(for: lifetime)
    case .release: sentence = release()
    }
    while sentence != nil, let overtaken = model.overtaken { sentence? += await endOvertaken(overtaken) }
    return sentence
  }

  var expected: [String] { model.observable }

  var observed: [String] {
    client.requests.map(\.inWords) + refresher.calls.arguments.map { "a refresh with \($0) starts" } + results.values
      + ["the store holds \(store.stored?.inWords ?? "nothing")"]
      + (model.isIdle ? completions.filter { $0.isRetained() }.map { "the completion of \($0.path) is still retained" } : [])
      + omissions
  }

  func remark(on differences: [String]) -> String? { clock.remark(on: differences, about: "a refresh with") }

  func release() -> String? {
    guard owner.withLock({ $0.take() }) != nil else { return nil }
    model.isReleased = true
    return "\(time): The app releases the decorator."
  }

  func nextEnding() -> Event? {
    if !refresher.calls.unfinished.isEmpty {
      .endRefresh(0, .success((keepsRefreshToken: false, lifetime: 900)))
    } else if !client.calls.unfinished.isEmpty {
      .respond(0, status: 200, nil)
    } else {
      nil
    }
  }
}

// What happens, to the learner's decorator and to the model.
extension RefreshStory {
  private func load(_ kind: RequestKind, _ end: RefreshEnd?) async -> String? {
    guard !model.isTokenInDoubt, let sut = owner.withLock({ $0 }) else { return nil }
    var request = RefreshModel.Request(path: names.path())
    var sentence = "\(time): The app loads \(request.path)"
    switch kind {
    case .plain:
      sentence += "."
    case .loadsAnother:
      let next = names.path()
      request.next = next
      sentence += ". After a 200, its completion will load \(next)."
    case .hasResponse(let status):
      request.immediateStatus = status
      immediateStatuses.withLock { [path = request.path] in $0[path] = status }
      sentence += ". When that request is sent, the client completes it with \(status) before the client's `load` returns."
    }
    sentence += prepare(end) { model.load(request) }
    let completion = completion(of: request)
    await run("the app's call to `load`") { [path = request.path] in sut.load(.original(path), completion: completion) }
    return sentence
  }

  /// A completion that records its result, and loads the next request after a response.
  private func completion(of request: RefreshModel.Request) -> HTTPClient.Completion {
    let next = request.next.map { (URLRequest.original($0), completion(of: RefreshModel.Request(path: $0))) }
    let lifetime = leaks.track(Completion(), as: "a completion")
    completions.append((request.path, { [weak lifetime] in lifetime != nil }))
    return { [results, owner] result in
      withExtendedLifetime(lifetime) { results.receive(result.received(for: request.path)) }
      guard let (request, completion) = next, result.isSuccessful else { return }
      owner.withLock { $0 }?.load(request, completion: completion)
    }
  }

  private func endRefresh(at position: Int, _ end: RefreshEnd) async -> String? {
    let open = refresher.calls.unfinished
    guard !open.isEmpty else { return nil }
    let index = open[position % open.count]
    guard let old = model.refreshes.first(where: { $0.old.refreshToken == refresher.calls.arguments[index] })?.old
    else { return nil }
    let result = result(of: old, end)
    model.endRefresh(of: old, with: result)
    await run("the refresher's completion") { [refresher] in refresher.calls.complete(index, with: result) }
    return "\(time): The refresh with \(old.refreshToken) \(result.inWords)."
  }

  /// Ends a refresh, because no one can tell from outside whether it has been joined.
  private func endOvertaken(_ old: Credentials) async -> String {
    model.overtaken = nil
    (model.arrivals, model.joined) = (0, [])
    let index = refresher.calls.unfinished.first { refresher.calls.arguments[$0] == old.refreshToken }
    guard let index else { return "" }
    let result = result(of: old, .success((keepsRefreshToken: false, lifetime: 900)))
    model.endRefresh(of: old, with: result)
    await run("the refresher's completion") { [refresher] in refresher.calls.complete(index, with: result) }
    return " Then the refresh with \(old.refreshToken) \(result.inWords)."
  }

  private func respond(at position: Int, _ status: Int, _ end: RefreshEnd?) async -> String? {
    await endRequest(at: position, end) { request in
      let isOfPreviousUser = self.model.stored.map { $0.user != request.sentToken?.user } ?? false
      return status == 401 && isOfPreviousUser ? nil : .response(status, to: request.path, sentWith: request.sentToken ?? "")
    }
  }

  private func endRequest(
    at position: Int, _ end: RefreshEnd? = nil, with result: (URLRequest) -> HTTPResult?
  ) async -> String? {
    let open = client.calls.unfinished
    guard !open.isEmpty else { return nil }
    let index = open[position % open.count]
    let request = client.calls.arguments[index]
    guard let result = result(request) else { return nil }
    if model.isTokenInDoubt, model.leadsToARequest(request.inWords, result) { return nil }
    let endOfRefresh = prepare(end) { model.endRequest(request.inWords, with: result) }
    await run("the client's completion") { [client] in client.calls.complete(index, with: result) }
    let call = "\(request.path) (sent with \(request.sentToken ?? ""))"
    return "\(time): The client completes \(call) with \(result.inWords)." + endOfRefresh
  }

  private func advance(by seconds: TimeInterval) -> String? {
    clock.advance(by: seconds)
    return "\(time): \(seconds) seconds have passed."
  }

  private func signOut() -> String? {
    guard let stored = model.stored else { return nil }
    model.stored = nil
    store.credentials = nil
    return "\(time): \(stored.user) signs out."
  }

  private func signIn(for lifetime: TimeInterval) -> String? {
    guard userCount < 5 else { return nil }
    userCount += 1
    let new = names.credentials(of: names.user(), expiringAt: clock.date + lifetime)
    model.stored = new
    store.credentials = new
    return "\(time): \(new.user) signs in with \(new.inWords)."
  }

  /// The back end returns the access token that it has issued before, if no refresh is under way.
  private func signInAgain(for lifetime: TimeInterval) -> String? {
    guard var again = model.stored, model.refreshes.isEmpty else { return nil }
    again.refreshToken += "-2"
    again.expiresAt = clock.date + lifetime
    model.stored = again
    store.credentials = again
    return "\(time): \(again.user) signs in again, with \(again.inWords)."
  }

  /// Lets something happen in the model. The refresh that it starts, if any, ends before the call to the refresher returns.
  ///
  /// - Returns: What has happened to the refresh, as a sentence.
  private func prepare(_ end: RefreshEnd?, _ body: () -> Void) -> String {
    guard let end, let old = model.stored else {
      body()
      return ""
    }
    let unused = names
    let result = result(of: old, end)
    model.immediateEnds[old.refreshToken] = result
    immediateEnds.withLock { $0[old.refreshToken] = result }
    body()
    guard model.immediateEnds.isEmpty else {
      names = unused
      return ""
    }
    return
      " If a refresh with \(old.refreshToken) starts, it \(result.inWords) before the call to the refresher returns."
  }

  private func result(of old: Credentials, _ end: RefreshEnd) -> Result<Credentials, any Error> {
    switch end {
    case .success((let keepsRefreshToken, let lifetime)):
      .success(names.renewed(old, keepingRefreshToken: keepsRefreshToken, expiringAt: clock.date + lifetime))
    case .failure(let failure): .failure(failure.error)
    }
  }

  private func run(_ name: String, _ work: @escaping () -> Void) async {
    let reads = store.reads.values.count
    guard await perform(name, work), let joined = model.joined.last, model.overtaken == nil else { return }
    // A request that joins a refresh has no effect. A queue or a task should have read the store for it before the next event.
    if joined.rejected == nil {
      let isRead = await store.reads.receives(reads + model.arrivals)
      if !isRead { omissions.append("the store is not read for \(joined.path)") }
    } else {
      await turns(40) { store.reads.values.count >= reads + model.arrivals }
      // After a 401, a solution may join the refresh of the rejected token without reading the store.
      if store.reads.values.count < reads + model.arrivals { model.overtaken = model.stored }
    }
    await turns(2) { false }
  }

  private func turns(_ count: Int, until holds: () -> Bool) async {
    for _ in 0..<count where !holds() { _ = await returns(on: .global(qos: .utility)) {} }
  }

  private var time: String { clock.date.inWords }
}

/// Lives as long as the completion that captures it.
private final class Completion {}
