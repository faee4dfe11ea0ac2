import Given
import TestSupport
import Testing

import class Given.Locked
import typealias TestSupport.HTTPResult

@testable import Exercise4

/// The learner's decorator, the spies around it, a model of it, and what can happen to them.
final class RefreshRun: RandomRun {
  typealias RefreshResult = Result<Credentials, any Error>

  static var events: [RandomEvent<RefreshRun>] {
    [
      RandomEvent(7) { await $0.loads(using: &$1) },
      RandomEvent(4) { await $0.refreshEnds(using: &$1) },
      RandomEvent(8) { await $0.requestEnds(using: &$1) },
      RandomEvent(2) { await $0.timePasses($1.pick(0.125, 0.25, 0.5, 300.5, 900)) },
      RandomEvent(1) { run, _ in await run.userSignsOut() },
      RandomEvent(2) { await $0.anotherUserSignsIn(for: $1.pick(300.5, 300.5, 0.75, 0.25, -60)) },
      RandomEvent(2) { await $0.userSignsInAgain(using: &$1) },
      // After the release, nothing can be loaded, so it is rare.
      RandomEvent(1) { run, random in if random.pick(false, false, true), !run.isQuiet { await run.release() } },
    ]
  }

  private let client: HTTPClientSpy
  private let refresher: CredentialsRefresherSpy
  private let store = CredentialsStoreSpy(nil)
  private let clock = ManualClock()
  /// The decorator, until the app releases it.
  private let owner = Locked<RefreshCredentialsHTTPClientDecorator?>(nil)
  /// What calls get before they return, by path and by refresh token.
  private let immediate = Locked<(statuses: [String: Int], ends: [String: RefreshResult])>(([:], [:]))
  private let sends = Inbox<String>()
  private let results = Inbox<String>()
  /// The access tokens with which users have signed in.
  private let signInTokens = Locked<Set<String>>([])
  private var completions: [(path: String, isRetained: () -> Bool)] = []
  /// Requests that wait, although the store has not been read for them.
  private var unread: [String] = []
  private var model: RefreshModel
  private var names = RandomNames()
  private var userCount = 1
  /// Whether the user and the decorator stay until the end, although the user may sign in again. Then more requests overlap.
  private let isQuiet: Bool

  init(using random: inout SeededRandom) {
    client = HTTPClientSpy(responding: { [store, sends, signInTokens, immediate] request in
      let token = request.sentToken ?? "no token"
      let isKnown = signInTokens.withLock { $0.contains(token) } || store.writes.values.contains { $0?.accessToken == token }
      sends.receive(request.sentence + (isKnown ? "" : ", which has never been in the store"))
      return immediate.withLock { $0.statuses.removeValue(forKey: request.path) }
        .map { .response($0, to: request.path, sentWith: token) }
    })
    refresher = CredentialsRefresherSpy(responding: { [immediate] token in
      immediate.withLock { $0.ends.removeValue(forKey: token) }
    })
    model = RefreshModel(stored: nil, now: { [clock] in clock.date })
    isQuiet = random.pick(false, false, true)
    let user = names.credentials(of: names.user(), expiringAt: clock.date + random.pick(0.75, 0.75, 300.5))
    super.init(setting: "It is \(clock.date.inWords). The store holds \(user.inWords).")
    let sut = makeSUT(decoratee: client, store: StoreRelay(to: store), refresher: refresher, now: { [clock] in clock.date })
    // A solution may be a struct, and a copy of one in a box leaks nothing.
    leaks.track(sut as AnyObject)
    owner.withLock { $0 = sut }
    hold(user)
  }

  override func observed() async -> [String] {
    sends.values + refresher.calls.arguments.map { "a refresh with \($0) starts" } + results.values
      + store.writes.values.map { "\($0?.inWords ?? "nothing") is stored" }
      // When all requests are complete, nothing should retain their completions.
      + (model.isIdle ? completions.filter { $0.isRetained() }.map { "the completion of \($0.path) is still retained" } : [])
      + unread.map { "\($0) waits, although the store has not been read for it" }
  }

  override var predicted: [String] { model.effects }

  override func release() async {
    guard !model.isReleased else { return }
    model.isReleased = true
    owner.withLock { $0 = nil }
    await event("\(time): The app releases the decorator. Only the requests in flight still need it.")
  }

  override func nextEnding() -> (() async -> Void)? {
    if let old = refreshing(0) { return { await self.endRefresh(0, with: .success(self.renewed(old))) } }
    if client.calls.unfinished.isEmpty { return nil }
    return { await self.endRequest(self.client.calls.unfinished[0]) { .response(200, to: $0, sentWith: $1) } }
  }
}

// What can happen. Events avoid what the page leaves open:
//
// - A request that arrives during the refresh of other credentials may wait for its end. That refresh therefore ends immediately
//   afterward, before anything is checked: see `happen`.
// - A 401 for a previous user's request arrives only if no one is signed in.
// - If the user has signed in again during a refresh, no 401 arrives for a request that was sent with the same refresh token. A
//   solution may let that request wait for the refresh.
// - No request arrives if the stored token is one that the server has rejected, and if it has not expired.
extension RefreshRun {
  private func loads(using random: inout SeededRandom) async {
    guard !model.isReleased, !model.isTokenInDoubt else { return }
    var requests = [RefreshModel.Request(path: names.path())]
    var sentence = "The app loads \(requests[0].path)"
    var end: ((Credentials) -> RefreshResult)?
    if random.pick(false, false, true) {
      // Whether the second one finds the end of an immediate refresh, or the first one's 401, is open.
      requests.append(RefreshModel.Request(path: random.pick(requests[0].path, names.path())))
      sentence += " and \(requests[1].path)"
    } else {
      if random.pick(false, false, true) { end = makeEnd(using: &random) }
      requests[0].immediateStatus = random.pick(nil, nil, nil, 401, 401, 200)
      requests[0].isStreaming = random.pick(false, false, false, false, false, true)
      requests[0].next = random.pick(false, false, false, false, false, true) ? names.path() : nil
    }
    let request = requests[0]
    if request.isStreaming { sentence += ", whose body is a stream" }
    if let next = request.next { sentence += ". After a 200, its completion will load \(next)" }
    if let status = request.immediateStatus {
      sentence += ". When that request is sent, the client completes it with \(status) before the client's `load` returns"
    }
    await happen("\(sentence).", refreshEnds: end) { [requests] model in
      for request in requests { model.load(request) }
    } really: {
      immediate.withLock { $0.statuses[request.path] = request.immediateStatus }
      let calls = requests.map { (URLRequest.original($0.path, isStreaming: $0.isStreaming), completion(of: $0)) }
      return await perform("the app's call to `load`") { [owner] in
        for (request, completion) in calls { owner.withLock { $0 }?.load(request, completion: completion) }
      }
    }
  }

  private func refreshEnds(using random: inout SeededRandom) async {
    let (position, makeResult) = (random.pick(from: 0..<9), makeEnd(using: &random))
    guard let old = refreshing(position) else { return }
    await endRefresh(position, with: makeResult(old), userLeaves: random.pick(false, false, false, false, false, true))
  }

  /// A refresh under way ends. At the last moment, before new credentials are stored, the user may sign out.
  private func endRefresh(_ position: Int, with result: RefreshResult, userLeaves: Bool = false) async {
    guard let index = refresher.calls.unfinished.at(position), let old = refreshing(position) else { return }
    let userLeaves = userLeaves && result.isSuccess && model.stored == old
    let leaving = userLeaves ? "The user signs out at the last moment, before the new credentials are stored. " : ""
    await happen("\(leaving)The refresh with \(old.refreshToken) \(result.inWords).") { model in
      if userLeaves { model.stored = nil }
      model.endRefresh(of: old, with: result)
    } really: {
      if userLeaves { store.letTheUserSignOut() }
      return await perform("the refresher's completion") { [refresher] in refresher.calls.complete(index, with: result) }
    }
  }

  private func requestEnds(using random: inout SeededRandom) async {
    let (position, end) = (random.pick(from: 0..<9), random.pick(false, false, true) ? makeEnd(using: &random) : nil)
    let (any, trouble) = (random.pick(from: 200...599), random.pick(from: SampleError.inRandomRuns))
    let other = random.pick(403, 204, 304, 400, 404, 500, 503, any)
    let status: Int? = random.pick(200, 401, 401, 401, 401, other, nil, nil)
    // Some failures look like a 401, or like a refusal.
    let error = random.pick(trouble, trouble, .authenticationRequired, .refused).error
    guard let index = client.calls.unfinished.at(position) else { return }
    let request = client.requests[index]
    if let status, model.leavesOpen(status, to: request.path, sentWith: request.sentToken ?? "") { return }
    await endRequest(index, refreshEnds: end) { path, token in
      status.map { .response($0, to: path, sentWith: token) } ?? .failure(error)
    }
  }

  private func endRequest(
    _ index: Int, refreshEnds end: ((Credentials) -> RefreshResult)? = nil,
    with result: (_ path: String, _ token: String) -> HTTPResult
  ) async {
    let request = client.requests[index]
    let (path, token) = (request.path, request.sentToken ?? "no token")
    let result = result(path, token)
    await happen("The client completes \(path) (sent with \(token)) with \(result.inWords).", refreshEnds: end) { model in
      model.endRequest(path, sentWith: token, with: result)
    } really: {
      await perform("the client's completion") { [client] in client.calls.complete(index, with: result) }
    }
  }

  private func timePasses(_ seconds: TimeInterval) async {
    clock.advance(by: seconds)
    await event("\(seconds) seconds pass. It is \(time).")
  }

  private func userSignsOut() async {
    guard model.stored != nil, !isQuiet else { return }
    hold(nil)
    await event("\(time): The user signs out.")
  }

  private func anotherUserSignsIn(for lifetime: TimeInterval) async {
    guard !isQuiet, userCount < 5 else { return }
    userCount += 1
    let credentials = names.credentials(of: names.user(), expiringAt: clock.date + lifetime)
    hold(credentials)
    await event("\(time): Another user signs in. The store holds \(credentials.inWords).")
  }

  /// The same user signs in, with other credentials.
  private func userSignsInAgain(using random: inout SeededRandom) async {
    guard let stored = model.stored else { return }
    var again = renewed(stored, for: random.pick(300.5, 0.75))
    // The back end may return the access token that it has issued before, if no refresh is under way.
    if random.pick(false, false, false, true), model.refreshes.isEmpty { again.accessToken = stored.accessToken }
    hold(again)
    await event("\(time): The user signs in again. The store holds \(again.inWords).")
  }

  /// Makes up how a refresh ends.
  private func makeEnd(using random: inout SeededRandom) -> (Credentials) -> RefreshResult {
    let (succeeds, keepsRefreshToken) = (random.pick(true, true, true, false), random.pick(false, true))
    let lifetime = random.pick(900, 900, 900, 0.5, -5)
    let trouble = random.pick(from: SampleError.inRandomRuns)
    // A refusal is the only failure of a refresh that means something else than the others.
    let error = random.pick(SampleError.refused, trouble, trouble).error
    return { old in
      succeeds ? .success(self.renewed(old, keepingRefreshToken: keepsRefreshToken, for: lifetime)) : .failure(error)
    }
  }
}

// How it happens.
extension RefreshRun {
  private var time: String { clock.date.inWords }

  /// From now on, the store holds these credentials.
  private func hold(_ credentials: Credentials?) {
    if let token = credentials?.accessToken { _ = signInTokens.withLock { $0.insert(token) } }
    model.stored = credentials
    store.stored = credentials
  }

  /// The credentials whose refresh is the one at a position.
  private func refreshing(_ position: Int) -> Credentials? {
    let token = refresher.calls.unfinished.at(position).map { refresher.calls.arguments[$0] }
    return model.refreshes.first { $0.old.refreshToken == token }?.old
  }

  /// Makes up the credentials that replace others.
  private func renewed(_ old: Credentials, keepingRefreshToken: Bool = false, for lifetime: TimeInterval = 900) -> Credentials {
    names.renewed(old, keepingRefreshToken: keepingRefreshToken, expiringAt: clock.date + lifetime)
  }

  /// Lets something happen to the model, and then to the learner's decorator.
  private func happen(
    _ sentence: String, refreshEnds end: ((Credentials) -> RefreshResult)? = nil, inModel: (inout RefreshModel) -> Void,
    really: () async -> Bool
  ) async {
    var sentence = "\(time): \(sentence)"
    model.event = RefreshModel.Event(immediateEnd: end)
    inModel(&model)
    immediate.withLock { $0.ends = [:] }
    if let (old, result) = model.event.ended {
      immediate.withLock { $0.ends = [old.refreshToken: result] }
      sentence += " If a refresh with \(old.refreshToken) starts, it \(result.inWords) before the call to the refresher returns."
    }
    await event(sentence) {
      await carryOut(really)
      // No one can tell from outside whether a request waits for the end of this refresh. It ends before anything is checked.
      while let old = model.event.overtaken,
        let index = refresher.calls.unfinished.first(where: { refresher.calls.arguments[$0] == old.refreshToken })
      {
        let result = RefreshResult.success(renewed(old))
        add(" Then: The refresh with \(old.refreshToken) \(result.inWords).")
        model.event = RefreshModel.Event()
        model.endRefresh(of: old, with: result)
        await carryOut {
          await perform("the refresher's completion") { [refresher] in refresher.calls.complete(index, with: result) }
        }
      }
    }
  }

  /// Lets something happen to the learner's decorator, and waits until each request has either had an effect or joined a refresh.
  private func carryOut(_ work: () async -> Bool) async {
    let reads = store.reads.values.count
    guard await work(), let joined = model.event.joined.last, model.event.overtaken == nil else { return }
    let due = reads + model.event.arrivals
    // A request that joins a refresh has no effect. A queue or a task should have read the store for it before the next event.
    if joined.rejected == nil {
      if await !store.reads.receives(due) { unread.append(joined.path) }
    } else {
      await turns(40) { store.reads.values.count >= due }
      // After a 401, a solution may join the refresh of the rejected token without reading the store.
      if store.reads.values.count < due { model.event.overtaken = model.stored }
    }
    await turns(2) { false }
  }

  private func turns(_ count: Int, until holds: () -> Bool) async {
    for _ in 0..<count where !holds() { _ = await returns(on: .global(qos: .utility)) {} }
  }

  /// A completion that records its result, and may load the next request.
  private func completion(of request: RefreshModel.Request) -> HTTPClient.Completion {
    let next = request.next.map { (URLRequest.original($0), completion(of: RefreshModel.Request(path: $0))) }
    let lifetime = leaks.lifetime(of: "a completion")
    completions.append((request.path, { [weak lifetime] in lifetime != nil }))
    return { [results, owner] result in
      withExtendedLifetime(lifetime) { results.receive("\(request.path) receives \(result.inWordsWithBody)") }
      guard let (next, completion) = next, result.status == 200 else { return }
      owner.withLock { $0 }?.load(next, completion: completion)
    }
  }
}

extension URLRequest {
  /// A request as the app makes it. The same path always leads to the same request, so a sent one can be compared with its original.
  fileprivate static func original(_ path: String, isStreaming: Bool = false) -> URLRequest {
    var random = SeededRandom(seed: path.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
    var request = RandomRequest.random(using: &random, fields: ["Accept", "If-None-Match", "Authorization"]).request(for: path)
    if request.httpMethod == "GET" { request.httpMethod = "POST" }
    (request.httpBodyStream, request.httpBody) = (nil, Data(path.utf8))
    if isStreaming { request.httpBodyStream = InputStream(data: Data(path.utf8)) }
    return request
  }

  /// The request, as it is sent: `/articles is sent with ada-1`.
  fileprivate var sentence: String {
    let (new, old) = (withoutToken, URLRequest.original(path, isStreaming: httpBodyStream != nil).withoutToken)
    return "\(path) is sent with \(sentToken ?? "no token")" + (new == old ? "" : ", but not as it was: \(old) has become \(new)")
  }

  private var withoutToken: String {
    var request = self
    request.setValue(nil, forHTTPHeaderField: "Authorization")
    return request.inWords
  }
}

extension Result<Credentials, any Error> {
  fileprivate var isSuccess: Bool { (try? get()) != nil }

  /// The end of a refresh.
  fileprivate var inWords: String {
    switch self {
    case .success(let new): "succeeds with \(new.inWords)"
    case .failure(let error): "fails with \(error.inWords)"
    }
  }
}

/// Names for the paths, users, and tokens in a random run.
struct RandomNames: Sendable {
  private var paths = 0
  private var users = 0
  private var tokens: [String: Int] = [:]

  /// Creates a source of names.
  init() {}

  /// Makes up a path that no other request of the run has.
  mutating func path() -> String {
    let names = ["articles", "comments", "profile", "settings", "search", "authors", "tags", "images", "lists", "votes"]
    defer { paths += 1 }
    return "/" + names[paths % names.count] + (paths < names.count ? "" : "-\(paths / names.count + 1)")
  }

  /// Makes up the name of the next user.
  mutating func user() -> String {
    let names = ["Ada", "Grace", "Alan", "Barbara", "Edsger"]
    defer { users += 1 }
    return names[users % names.count]
  }

  /// Makes up credentials with new tokens, such as `ada-1` and `ada-1-refresh`.
  ///
  /// - Parameters:
  ///   - user: The user's name.
  ///   - date: The expiry.
  mutating func credentials(of user: String, expiringAt date: Date) -> Credentials {
    let token = numbered(user.lowercased())
    return Credentials(accessToken: token, refreshToken: "\(token)-refresh", expiresAt: date)
  }

  /// Makes up the credentials that replace others.
  ///
  /// - Parameters:
  ///   - old: The credentials to replace.
  ///   - keepingRefreshToken: Whether the refresh token stays the same.
  ///   - date: The expiry.
  mutating func renewed(_ old: Credentials, keepingRefreshToken: Bool, expiringAt date: Date) -> Credentials {
    let token = numbered(String(old.accessToken.prefix { $0 != "-" }))
    return Credentials(
      accessToken: token, refreshToken: keepingRefreshToken ? old.refreshToken : "\(token)-refresh", expiresAt: date)
  }

  private mutating func numbered(_ name: String) -> String {
    let number = tokens[name, default: 0] + 1
    tokens[name] = number
    return "\(name)-\(number)"
  }
}

extension Credentials {
  /// The name of the user to whom the credentials belong.
  var user: String { accessToken.user }
}

extension String {
  /// The name of the user to whom an access token belongs.
  var user: String { prefix { $0 != "-" }.capitalized }
}

extension [Int] {
  /// The element at a position modulo the number of elements; `nil` if there is none.
  func at(_ position: Int) -> Int? {
    isEmpty ? nil : self[position % count]
  }
}
