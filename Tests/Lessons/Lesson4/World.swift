import Given
import TestSupport
import Testing

import class Given.Locked
import class TestSupport.HTTPClientSpy
import typealias TestSupport.HTTPResult
import class TestSupport.Inbox
import class TestSupport.ManualClock
import struct TestSupport.RandomEvent
import enum TestSupport.SampleError
import class TestSupport.Scenario

@testable import Exercise4

/// The learner's decorator, the spies around it, a model of it, and what can happen to them.
final class World: Scenario {
  typealias RefreshResult = Result<Credentials, any Error>

  private let client: HTTPClientSpy
  private let refresher: CredentialsRefresherSpy
  private let store = CredentialsStoreSpy(nil)
  private let clock = ManualClock()
  /// The decorator, until the app releases it.
  private let owner = Locked<RefreshCredentialsHTTPClientDecorator?>(nil)
  /// The ends of refreshes before `refresh` returns, by refresh token.
  private let immediateEnds = Locked<[String: RefreshResult]>([:])
  /// The statuses of the responses that requests get before `load` returns, by path.
  private let immediateStatuses = Locked<[String: Int]>([:])
  /// The access tokens with which users have signed in.
  private let signInTokens = Locked<Set<String>>([])
  private let sends = Inbox<String>()
  private let results = Inbox<String>()
  /// The credentials that refreshes have obtained. Nothing else should be stored.
  private var obtained: [Credentials] = []
  private var completions: [(path: String, isRetained: () -> Bool)] = []
  /// What the learner's code has not done in time.
  private var omissions: [String] = []
  private var model: RefreshModel
  private var names = StoryNames()
  private var userCount = 1
  /// Whether the user and the decorator stay until the end of a random story, although the user may sign in again. Then more requests overlap.
  private var isQuiet = false

  /// - Parameter credentials: The stored credentials; `nil` if no one is signed in.
  init(_ credentials: Credentials?) {
    client = HTTPClientSpy(responding: { [store, sends, signInTokens, immediateStatuses] request in
      let token = request.sentToken
      let isStored =
        signInTokens.withLock { $0.contains(token ?? "") } || store.writes.values.contains { $0?.accessToken == token }
      let isOther = token.map { !$0.hasPrefix("`") && !isStored } ?? false
      sends.receive(request.sentence + (isOther ? ", which is not the stored token" : ""))
      return immediateStatuses.withLock { $0.removeValue(forKey: request.path) }
        .map { .response($0, to: request.path, sentWith: token ?? "no token") }
    })
    refresher = CredentialsRefresherSpy(responding: { [immediateEnds] token in
      immediateEnds.withLock { $0.removeValue(forKey: token) }
    })
    model = RefreshModel(stored: nil, now: { [clock] in clock.date })
    let state = credentials.map { "The store holds \($0.inWords)." } ?? "No one is signed in."
    super.init(setting: "It is \(clock.date.inWords). \(state)")
    let sut = makeSUT(decoratee: client, store: StoreRelay(to: store), refresher: refresher, now: { [clock] in clock.readDate() })
    // A solution may be a struct, and a copy of one in a box leaks nothing.
    leaks.track(sut as AnyObject)
    owner.withLock { $0 = sut }
    hold(credentials)
  }

  override func observed() async -> [String] {
    sends.values + refresher.calls.arguments.map { "a refresh with \($0) starts" } + results.values
      + store.writes.values.map { new in
        guard let new else { return "the store is emptied" }
        return "\(obtained.contains(new) ? new.accessToken : new.inWords) is stored"
      }
      // When all requests are complete, nothing should retain their completions.
      + (model.isIdle ? completions.filter { $0.isRetained() }.map { "the completion of \($0.path) is still retained" } : [])
      + omissions
  }

  override var predicted: [String]? { model.effects }

  override func remark(on differences: [String]) -> String? { clock.remark(on: differences, about: "a refresh with") }

  override var leakMessage: String {
    "All requests are complete, but something still retains the decorator or a completion. Check your closures and lists."
  }

  override func release() async { await releaseDecorator() }

  override func nextEnding() -> (() async -> Void)? {
    if let old = refreshing(0) { return { await self.endRefresh(with: .success(self.renewed(old))) } }
    guard let index = client.calls.unfinished.first else { return nil }
    return { await self.respond(to: self.client.requests[index].path, status: 200) }
  }
}

// What can happen.
extension World {
  /// The app loads requests, one after the other, and does not wait for their results.
  ///
  /// - Parameters:
  ///   - paths: Their paths.
  ///   - header: What each of them has in its `Authorization` header already.
  ///   - isStreaming: Whether their bodies are streams.
  ///   - next: The path that each completion loads: after a 200, or after any result.
  ///   - status: The status of the response to the first attempt, if the client responds before its `load` returns.
  ///   - end: How the refresh that this starts ends before the call to the refresher returns.
  func load(
    _ paths: String..., carrying header: String? = nil, isStreaming: Bool = false, then next: String? = nil,
    afterAnyResult: Bool = false, completedWith status: Int? = nil, refreshEnds end: ((Credentials) -> RefreshResult)? = nil,
    leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    guard !model.isReleased else { return impossible(at: place) }
    var sentence = "The app loads \(paths.dropLast().map { "\($0), " }.joined())\(paths.count > 1 ? "and " : "")\(paths.last!)"
    if let header { sentence += ", with \"\(header)\" in its `Authorization` header" }
    if isStreaming { sentence += ", whose body is a stream" }
    if let next { sentence += ". \(afterAnyResult ? "Its" : "After a 200, its") completion will load \(next)" }
    if let status {
      sentence += ". When that request is sent, the client completes it with \(status) before the client's `load` returns"
    }
    let requests = paths.map {
      RefreshModel.Request(
        path: $0, next: next.map { ($0, afterAnyResult) }, immediateStatus: status, isStreaming: isStreaming)
    }
    await happen("\(sentence).", refreshEnds: end, leadsToAllOf: effects, at: place) { model in
      for request in requests { model.load(request) }
    } really: {
      let calls = requests.map { request in
        var original = URLRequest.original(request.path, carrying: header ?? (isTold ? nil : "the-callers-own"))
        if isStreaming { original.httpBodyStream = InputStream(data: Data(request.path.utf8)) }
        return (original, completion(of: request))
      }
      immediateStatuses.withLock { for path in paths { $0[path] = status } }
      return await perform("the app's call to `load`") { [owner] in
        for (request, completion) in calls { owner.withLock { $0 }?.load(request, completion: completion) }
      }
    }
  }

  /// A refresh under way ends. At the last moment, before the new credentials are stored, the user may sign out.
  func endRefresh(
    _ position: Int = 0, with result: RefreshResult, userLeaves: Bool = false, leadsToAllOf effects: [String] = [],
    at place: SourceLocation = #_sourceLocation
  ) async {
    guard let index = refresher.calls.unfinished.at(position), let old = refreshing(position) else {
      return impossible(at: place)
    }
    let userLeaves = userLeaves && model.stored == old
    let leaving = userLeaves ? "The user signs out at the last moment, before the new credentials are stored. " : ""
    await happen(
      "\(leaving)The refresh with \(old.refreshToken) \(result.inWords).", leadsToAllOf: effects, at: place
    ) { model in
      if userLeaves { model.stored = nil }
      model.endRefresh(of: old, with: result)
    } really: {
      if userLeaves { store.letTheUserSignOut() }
      return await completeRefresh(index, with: result)
    }
  }

  /// The client completes the oldest request with a path.
  func respond(
    to path: String, status: Int, refreshEnds end: ((Credentials) -> RefreshResult)? = nil, leadsToAllOf effects: [String] = [],
    at place: SourceLocation = #_sourceLocation
  ) async {
    await complete(path, refreshEnds: end, leadsToAllOf: effects, at: place) { .response(status, to: path, sentWith: $0) }
  }

  /// The client completes the oldest request with a path, with an error.
  func fail(
    _ path: String, with trouble: SampleError, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    await complete(path, leadsToAllOf: effects, at: place) { _ in .failure(trouble.error) }
  }

  private func complete(
    _ path: String, refreshEnds end: ((Credentials) -> RefreshResult)? = nil, leadsToAllOf effects: [String],
    at place: SourceLocation, with result: (_ token: String) -> HTTPResult
  ) async {
    guard let index = client.calls.unfinished.first(where: { client.requests[$0].path == path }) else {
      return impossible("complete \(path)", at: place)
    }
    let request = client.requests[index]
    let token = request.sentToken ?? "no token"
    let result = result(token)
    let sentence = "The client completes \(path) (sent with \(token)) with \(result.inWords)."
    await happen(sentence, refreshEnds: end, leadsToAllOf: effects, at: place) { model in
      model.endRequest(request.sentence, with: result)
    } really: {
      await perform("the client's completion") { [client] in client.calls.complete(index, with: result) }
    }
  }

  func advance(
    _ seconds: TimeInterval, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    clock.advance(by: seconds)
    await event("\(seconds) seconds pass. It is \(time).", leadsToAllOf: effects, at: place)
  }

  func signOut(leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation) async {
    guard model.stored != nil else { return impossible(at: place) }
    hold(nil)
    await event("\(time): The user signs out.", leadsToAllOf: effects, at: place)
  }

  /// Another user signs in.
  func signIn(
    with credentials: Credentials, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    hold(credentials)
    await event(
      "\(time): Another user signs in. The store holds \(credentials.inWords).", leadsToAllOf: effects, at: place)
  }

  /// The same user signs in, with other credentials.
  func signInAgain(
    with credentials: Credentials, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    hold(credentials)
    await event(
      "\(time): The user signs in again. The store holds \(credentials.inWords).", leadsToAllOf: effects, at: place)
  }

  func releaseDecorator(leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation) async {
    guard !model.isReleased else { return impossible(at: place) }
    model.isReleased = true
    owner.withLock { $0 = nil }
    await event(
      "\(time): The app releases the decorator. Only the requests in flight still need it.", leadsToAllOf: effects, at: place)
  }
}

// What happens in random stories. They avoid what the page leaves open:
//
// - A request that arrives during the refresh of other credentials may wait for its end. That refresh therefore ends immediately
//   afterward, before anything is checked: see `happen`.
// - A 401 for a previous user's request arrives only if no one is signed in.
// - If the user has signed in again during a refresh, no 401 arrives for a request that was sent with the same refresh token. A
//   solution may let that request wait for the refresh.
// - No request arrives if the stored token is one that the server has rejected, and if it has not expired: a solution may
//   remember that token, and refresh it for each request.
extension World {
  convenience init(using random: inout SeededRandom) {
    var names = StoryNames()
    let lifetime = [0.75, 0.75, 300.5].randomElement(using: &random)!
    self.init(names.credentials(of: names.user(), expiringAt: ManualClock().date + lifetime))
    self.names = names
    isQuiet = Int.random(in: 0..<3, using: &random) == 0
  }

  static var randomEvents: [RandomEvent<World>] {
    [
      RandomEvent(7) { world, random in
        guard !world.model.isReleased, !world.model.isTokenInDoubt else { return }
        let path = world.names.path()
        let end = world.immediateEnd(using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<3: await world.load(path, refreshEnds: end)
        // Requests that are sent together can be rejected one after another. Whether they find the end of an immediate refresh is
        // open.
        case 3: await world.load(path, path)
        case 4..<6: await world.load(path, world.names.path())
        case 6..<9: await world.load(path, completedWith: 401, refreshEnds: end)
        case 9: await world.load(path, completedWith: 200, refreshEnds: end)
        case 10: await world.load(path, then: world.names.path(), refreshEnds: end)
        default: await world.load(path, isStreaming: true, refreshEnds: end)
        }
      },
      RandomEvent(3) { world, random in
        let position = Int.random(in: 0..<9, using: &random)
        guard let old = world.refreshing(position) else { return }
        await world.endRefresh(position, with: world.end(using: &random)(old))
      },
      RandomEvent(1) { world, random in
        let position = Int.random(in: 0..<9, using: &random)
        guard let old = world.refreshing(position) else { return }
        let new = world.success(using: &random)(old)
        await world.endRefresh(position, with: new, userLeaves: Int.random(in: 0..<3, using: &random) == 2)
      },
      RandomEvent(2) { world, random in
        let status = [200, .status(using: &random)].randomElement(using: &random)!
        guard let path = world.path(at: .random(in: 0..<9, using: &random), endingWith: status) else { return }
        await world.respond(to: path, status: status)
      },
      RandomEvent(4) { world, random in
        guard let path = world.path(at: .random(in: 0..<9, using: &random), endingWith: 401) else { return }
        await world.respond(to: path, status: 401, refreshEnds: world.immediateEnd(using: &random))
      },
      RandomEvent(2) { world, random in
        guard let path = world.path(at: .random(in: 0..<9, using: &random), endingWith: nil) else { return }
        let trouble = SampleError.random(using: &random)
        // Some failures look like a 401, or like a refusal.
        await world.fail(
          path, with: [trouble, trouble, .authenticationRequired, .refused].randomElement(using: &random)!)
      },
      RandomEvent(2) { world, random in
        await world.advance([0.125, 0.25, 0.5, 300.5, 900].randomElement(using: &random)!)
      },
      RandomEvent(1) { world, _ in
        if !world.isQuiet { await world.signOut() }
      },
      RandomEvent(1) { world, random in
        await world.signInAnotherUser(for: [300.5, 0.75, 0.25, -60].randomElement(using: &random)!)
      },
      RandomEvent(2) { world, random in
        guard let stored = world.model.stored else { return }
        let lifetime = [300.5, 0.75].randomElement(using: &random)!
        var again = world.renewed(stored, for: lifetime)
        // The back end may return the access token that it has issued before, if no refresh is under way.
        if Int.random(in: 0..<4, using: &random) == 3, world.model.refreshes.isEmpty { again.accessToken = stored.accessToken }
        await world.signInAgain(with: again)
      },
      // After the release, nothing can be loaded, so it is rare.
      RandomEvent(1) { world, random in
        guard Int.random(in: 0..<3, using: &random) == 2 else { return await world.signInAnotherUser(for: 300.5) }
        if !world.isQuiet { await world.releaseDecorator() }
      },
    ]
  }

  private func signInAnotherUser(for lifetime: TimeInterval) async {
    guard !isQuiet, userCount < 5 else { return }
    userCount += 1
    await signIn(with: names.credentials(of: names.user(), expiringAt: clock.date + lifetime))
  }

  /// Makes up how a refresh ends.
  private func end(using random: inout SeededRandom) -> (Credentials) -> RefreshResult {
    guard Int.random(in: 0..<3, using: &random) == 2 else { return success(using: &random) }
    let trouble = SampleError.random(using: &random)
    // A refusal is the only failure of a refresh that means something else than the others.
    let failure = [.refused, trouble, trouble].randomElement(using: &random)!
    return { _ in .failure(failure.error) }
  }

  private func success(using random: inout SeededRandom) -> (Credentials) -> RefreshResult {
    let keepsRefreshToken = Bool.random(using: &random)
    let lifetime = [900, 900, 900, 0.5, -5].randomElement(using: &random)!
    return { old in .success(self.renewed(old, keepingRefreshToken: keepsRefreshToken, for: lifetime)) }
  }

  private func immediateEnd(using random: inout SeededRandom) -> ((Credentials) -> RefreshResult)? {
    Int.random(in: 0..<3, using: &random) == 2 ? end(using: &random) : nil
  }

  /// The path of a request in flight, unless the page leaves open what its end leads to.
  ///
  /// - Parameters:
  ///   - position: The position of the request.
  ///   - status: The status with which it ends; `nil` for an error.
  private func path(at position: Int, endingWith status: Int?) -> String? {
    guard let request = client.calls.unfinished.at(position).map({ client.requests[$0] }) else { return nil }
    if status == 401, let stored = model.stored, let token = request.sentToken {
      if token.user != stored.user || model.waitsForAnOvertakenRefresh(request.sentence) { return nil }
    }
    if model.isTokenInDoubt, model.leadsToARequest(request.sentence, status) { return nil }
    return request.path
  }
}

// How it happens.
extension World {
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
  private func renewed(
    _ old: Credentials, keepingRefreshToken: Bool = false, for lifetime: TimeInterval = 900
  ) -> Credentials {
    names.renewed(old, keepingRefreshToken: keepingRefreshToken, expiringAt: clock.date + lifetime)
  }

  /// Lets something happen to the model, and then to the learner's decorator.
  private func happen(
    _ sentence: String, refreshEnds end: ((Credentials) -> RefreshResult)? = nil, leadsToAllOf effects: [String],
    at place: SourceLocation, inModel: (inout RefreshModel) -> Void, really: () async -> Bool
  ) async {
    var sentence = "\(time): \(sentence)"
    model.event = RefreshModel.Event(immediateEnd: end)
    inModel(&model)
    immediateEnds.withLock { $0 = [:] }
    if let (old, result) = model.event.ended {
      immediateEnds.withLock { $0[old.refreshToken] = result }
      note(result)
      sentence +=
        " If a refresh with \(old.refreshToken) starts, it \(result.inWords) before the call to the refresher returns."
    }
    await event(sentence, leadsToAllOf: effects, at: place) {
      await carryOut(really)
      // No one can tell from outside whether a request waits for the end of this refresh. It ends before anything is checked.
      while let old = model.event.overtaken,
        let index = refresher.calls.unfinished.first(where: { refresher.calls.arguments[$0] == old.refreshToken })
      {
        let result = RefreshResult.success(renewed(old))
        add(" Then: The refresh with \(old.refreshToken) \(result.inWords).")
        model.event = RefreshModel.Event()
        model.endRefresh(of: old, with: result)
        await carryOut { await completeRefresh(index, with: result) }
      }
    }
  }

  private func completeRefresh(_ index: Int, with result: RefreshResult) async -> Bool {
    note(result)
    return await perform("the refresher's completion") { [refresher] in refresher.calls.complete(index, with: result) }
  }

  private func note(_ result: RefreshResult) {
    if let new = try? result.get() { obtained.append(new) }
  }

  /// Lets something happen to the learner's decorator, and waits until each request has either had an effect or joined a refresh.
  private func carryOut(_ work: () async -> Bool) async {
    let reads = store.reads.values.count
    guard await work(), let joined = model.event.joined.last, model.event.overtaken == nil else { return }
    let due = reads + model.event.arrivals
    // A request that joins a refresh has no effect. A queue or a task should have read the store for it before the next event.
    if joined.rejected == nil {
      let isRead = await store.reads.receives(due)
      if !isRead, !isTold { omissions.append("the store is not read for \(joined.path)") }
    } else {
      await turns(40) { store.reads.values.count >= due }
      // After a 401, a solution may join the refresh of the rejected token without reading the store.
      if !isTold, store.reads.values.count < due { model.event.overtaken = model.stored }
    }
    await turns(2) { false }
  }

  private func turns(_ count: Int, until holds: () -> Bool) async {
    for _ in 0..<count where !holds() { _ = await returns(on: .global(qos: .utility)) {} }
  }

  /// A completion that records its result, and may load the next request.
  private func completion(of request: RefreshModel.Request) -> HTTPClient.Completion {
    let next = request.next.map { (URLRequest.original($0.path), completion(of: RefreshModel.Request(path: $0.path))) }
    let lifetime = leaks.lifetime(of: "a completion")
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
