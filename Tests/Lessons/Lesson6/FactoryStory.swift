import Given
import TestSupport

@testable import Exercise6

/// A story about the clients that a factory makes, and about the requests that pass through their layers.
final class FactoryStory: Story {
  enum Event: Sendable {
    case make(ClientKind)
    case releaseFactory
    case load(BackEndRequest.Kind, then: BackEndRequest.Kind?, client: Int, Interruption?)
    case respond(StubServer.Response)
    case respondToRefreshes(BackEnd.Refresh)
    case advance(TimeInterval)
    case signIn(lifetime: TimeInterval)
    case signOut
    case block
    case clearBlockList
  }

  /// Something that happens before the back end responds.
  typealias Interruption = (moment: BackEnd.Moment, work: Work)

  /// What happens in an interruption.
  enum Work: Sendable {
    case advance(TimeInterval)
    case release
    case load(BackEndRequest.Kind)
  }

  static func event(using random: inout SeededRandom) -> Event {
    switch Int.random(in: 0..<25, using: &random) {
    case 24: return .releaseFactory
    case 0..<9:
      return .load(
        .random(using: &random), then: Int.random(in: 0..<3, using: &random) == 0 ? .random(using: &random) : nil,
        client: Int.random(in: 0..<4, using: &random), Bool.random(using: &random) ? interruption(using: &random) : nil)
    case 9..<11: return .make(.random(using: &random))
    case 11..<15: return .respond(BackEnd.responses.randomElement(using: &random)!)
    case 15..<18: return .respondToRefreshes(BackEnd.refreshes.randomElement(using: &random)!)
    case 18: return .advance([0.25, 0.5, 0.5, 60, 899.75, 900].randomElement(using: &random)!)
    case 19..<21: return .signIn(lifetime: [-60, -60, 0, 0.25, 0.75, 300.5].randomElement(using: &random)!)
    case 21: return .signOut
    // While the account is blocked, most clients send nothing.
    default: return Int.random(in: 0..<4, using: &random) == 0 ? .block : .clearBlockList
    }
  }

  static func simpler(_ event: Event) -> [Event] {
    guard case .load(let kind, let next, let client, let interruption) = event else { return [] }
    let isAlone = next == nil && interruption == nil
    return (isAlone ? [] : [.load(kind, then: nil, client: client, nil)])
      + kind.simpler.map { .load($0, then: next, client: client, interruption) }
      + (next?.simpler ?? []).map { .load(kind, then: $0, client: client, interruption) }
  }

  private static func interruption(using random: inout SeededRandom) -> Interruption {
    let moment = BackEnd.Moment.allCases.randomElement(using: &random)!
    switch Int.random(in: 0..<6, using: &random) {
    case 0..<2: return (moment, .advance([0.5, 2, 60, 900].randomElement(using: &random)!))
    case 2..<5: return (moment, .load(.random(using: &random)))
    default: return (moment, .release)
    }
  }

  let leaks = LeakTracker()
  private let (journal, clock, server, store, blockList): (Journal, ManualClock, StubServer, CredentialsStoreSpy, BlockListSpy)
  /// When the first credentials expire.
  private let expiry: Date
  private let backEnd = Locked(BackEnd())
  private let interruption = Locked<(moment: BackEnd.Moment, work: () -> Void)?>(nil)
  /// The kinds of the clients, and the clients that have not been released.
  private var kinds: [ClientKind]
  private let clients = Locked<[Int: any HTTPClient]>([:])
  private var factory: HTTPClientFactory?
  private var model: FactoryModel
  private var names = StoryNames()
  /// The path of the request that each trace is about; `nil` if it is about several requests, or about none.
  private var paths: [String?] = [nil]

  init(using random: inout SeededRandom) {
    let first = names.credentials(of: names.user(), expiringAt: ManualClock().date + [0, 0, 0.75].randomElement(using: &random)!)
    expiry = first.expiresAt
    let world = World(credentials: first, respondingOn: .global())
    (journal, clock, server, store, blockList) = (world.journal, world.clock, world.server, world.store, world.blockList)
    factory = world.factory
    kinds = [.random(using: &random)]
    model = FactoryModel(now: clock.date, stored: first)
    server.respond(to: "/token") { [weak self] in self?.respondToRefresh($0) ?? .response(404) }
    make(0)
  }

  var setting: [String] {
    [
      "It is 12:00:00.000. Ada is signed in with the token ada-1, which expires at \(expiry.inWords). A refreshed token is valid for 900 seconds.",
      "The factory makes client 1, \(kinds[0].told).",
    ]
  }

  func play(_ event: Event) async -> String? {
    switch event {
    case .releaseFactory:
      guard factory.take() != nil else { return nil }
      return "The app releases the factory."
    case .make(let kind):
      guard factory != nil else { return nil }
      kinds.append(kind)
      make(kinds.count - 1)
      return "The factory makes client \(kinds.count), \(kind.told)."
    case .load(let kind, let next, let client, let interruption):
      return await load(kind, then: next, with: client % kinds.count, interruption)
    case .respond(let response):
      model.backEnd.response = response
      backEnd.withLock { $0.response = response }
      return "From now on, every request except a refresh ends with \(response.told)."
    case .respondToRefreshes(let refresh):
      model.backEnd.refresh = refresh
      backEnd.withLock { $0.refresh = refresh }
      return "From now on, refreshes end with \(refresh.told)."
    case .advance(let seconds):
      model.now += seconds
      clock.advance(by: seconds)
      return "\(seconds) seconds pass. It is \(clock.date.inWords)."
    case .signIn(let lifetime):
      let new = names.credentials(of: names.user(), expiringAt: clock.date + lifetime)
      model.stored = new
      store.stored = new
      return "\(new.user) signs in with the token \(new.accessToken), which expires at \(new.expiresAt.inWords)."
    case .signOut:
      guard model.stored != nil else { return nil }
      model.stored = nil
      store.stored = nil
      return "The user signs out."
    case .block:
      guard !model.isBlocked else { return nil }
      model.isBlocked = true
      blockList.isBlocked = true
      return "The account is added to the block list."
    case .clearBlockList:
      guard model.isBlocked else { return nil }
      model.isBlocked = false
      blockList.isBlocked = false
      return "The account is removed from the block list."
    }
  }

  var expected: [String] { model.traces + ["the store holds \(model.stored.inWords)"] }

  var observed: [String] {
    let traces = zip(journal.traces, paths).flatMap { entries, path in
      // How often the refresh reads the store is its own business.
      FactoryModel.trace(entries.filter { $0 != "store: credentials?" }, of: path)
    }
    return traces + ["the store holds \(store.stored.inWords)"]
  }

  func release() -> String? {
    factory = nil
    clients.withLock { $0 = [:] }
    return nil
  }

  func nextEnding() -> Event? { nil }
}

// What happens, to the factory's clients and to the model.
extension FactoryStory {
  private func make(_ index: Int) {
    guard let factory else { return }
    let client = kinds[index].make(with: factory)
    leaks.track(client as AnyObject)
    clients.withLock { $0[index] = client }
  }

  private func load(
    _ kind: BackEndRequest.Kind, then next: BackEndRequest.Kind?, with index: Int, _ interruption: Interruption?
  ) async -> String? {
    if clients.withLock({ $0[index] == nil }) { make(index) }
    guard clients.withLock({ $0[index] != nil }) else { return nil }
    let request = request(kind)
    let client = kinds[index]
    let interruption = interruption.flatMap { model.isDefined($0, for: client) ? $0 : nil }
    let next = interruption == nil ? next.map(self.request) : nil
    var sentence = "\(clock.date.inWords): Client \(index + 1) loads \(request.told)"
    if let next { sentence += ", and from its completion, \(next.told)" }
    journal.beginTrace()
    paths.append(request.path)

    var told = ""
    switch interruption?.work {
    case nil:
      model.load(request, then: next, with: client)
    case .advance(let seconds):
      told = "\(seconds) seconds pass"
      model.load(request, with: client, during: interruption?.moment) { $0.now += seconds }
      interrupt(interruption) { self.clock.advance(by: seconds) }
    case .release:
      told = "the app releases the client"
      model.load(request, with: client)
      interrupt(interruption) { _ = self.clients.withLock { $0.removeValue(forKey: index) } }
    case .load(let kind):
      let second = BackEndRequest(kind: kind, path: names.path())
      told = "it also loads \(second.told)"
      // The order of what happens to two requests is open.
      paths[paths.count - 1] = nil
      model.loadTogether(request, second, with: client, during: interruption!.moment)
      interrupt(interruption) { [journal, patience = Patience.seconds] in
        // A client may begin its work on a queue of its own. The second request waits for the refresh when it has read the store.
        if interruption?.moment == .refresh {
          journal.wait(for: "store: credentials?", seconds: patience) { self.send(second, with: index) }
        } else {
          self.send(second, with: index)
        }
      }
    }
    await perform("the app's call to `load`") { self.send(request, then: next, with: index) }
    return sentence + (interruption.map { ". During the \($0.moment), \(told)" } ?? "") + "."
  }

  private func request(_ kind: BackEndRequest.Kind) -> BackEndRequest {
    // A body stream cannot be sent a second time.
    BackEndRequest(kind: kind == .postWithStream && model.backEnd.rejectsTokens ? .post : kind, path: names.path())
  }

  private func interrupt(_ interruption: Interruption?, _ work: @escaping () -> Void) {
    guard let interruption else { return }
    self.interruption.withLock { $0 = (interruption.moment, work) }
  }

  private func send(_ request: BackEndRequest, then next: BackEndRequest? = nil, with index: Int) {
    server.respond(to: request.path) { [weak self] in self?.respond(to: $0) ?? .response(404) }
    clients.withLock { $0[index] }?.load(request.made(for: server)) { [weak self, journal] result in
      journal.add("caller: \(result.inFull(from: request.path))")
      if let next { self?.send(next, with: index) }
    }
  }

  private func respond(to received: URLRequest) -> StubServer.Response {
    interruptIfNeeded(.request)
    return backEnd.withLock { $0.response.marked(received.url?.path ?? "") }
  }

  private func respondToRefresh(_ received: URLRequest) -> StubServer.Response {
    let token = received.refreshInWords.token
    interruptIfNeeded(.refresh)
    return backEnd.withLock { $0.respondToRefresh(with: token) }
  }

  private func interruptIfNeeded(_ moment: BackEnd.Moment) {
    interruption.withLock { $0?.moment == moment ? $0.take()?.work : nil }?()
  }
}

extension ClientKind {
  static func random(using random: inout SeededRandom) -> Self {
    Self(
      environment: environments.randomElement(using: &random)!,
      blocksAccounts: [nil, true, false].randomElement(using: &random)!)
  }

  var isGuest: Bool { if case .guest = environment { true } else { false } }
  var isBlocking: Bool { !isGuest && blocksAccounts ?? true }
  var isLogging: Bool { if case .production = environment { false } else { true } }
}

/// What the page promises, as plain values: the trace of each request.
struct FactoryModel {
  var now: Date
  var stored: Credentials?
  var isBlocked = false
  var backEnd = BackEnd()
  /// The finished traces.
  private(set) var traces: [String] = []
  private var entries: [String] = []
  private var interruption: (moment: BackEnd.Moment, work: (inout Self) -> Void)?
  private var refreshResult = RefreshResult.failure("")

  init(now: Date, stored: Credentials?) {
    self.now = now
    self.stored = stored
  }

  /// One line for the entries of one request, in order. The entries of two requests are in any order.
  static func trace(_ entries: [String], of path: String?) -> [String] {
    guard let path else { return entries }
    return entries.isEmpty ? [] : ["the trace of \(path) is \(entries.joined(separator: " → "))"]
  }

  mutating func load(
    _ request: BackEndRequest, then next: BackEndRequest? = nil, with client: ClientKind, during moment: BackEnd.Moment? = nil,
    _ interrupt: @escaping (inout Self) -> Void = { _ in }
  ) {
    interruption = moment.map { ($0, interrupt) }
    pass(request, through: client)
    if let next { pass(next, through: client) }
    traces += Self.trace(entries, of: request.path)
    entries = []
  }

  /// Loads a request, and a second one while the back end has yet to respond to the first.
  mutating func loadTogether(
    _ first: BackEndRequest, _ second: BackEndRequest, with client: ClientKind, during moment: BackEnd.Moment
  ) {
    if moment == .request { interruption = (moment, { $0.pass(second, through: client) }) }
    pass(first, through: client)
    if moment == .refresh { pass(second, through: client, sharing: refreshResult) }
    traces += Self.trace(entries, of: nil)
    entries = []
  }

  private mutating func pass(_ request: BackEndRequest, through client: ClientKind, sharing refresh: RefreshResult? = nil) {
    if client.isBlocking {
      entries.append("block list: blocked?")
      if isBlocked { return entries.append("caller: permanentlyBlocked") }
    }
    var result =
      client.isGuest
      ? send(request, with: request.token, through: client) : authorize(request, through: client, sharing: refresh)
    if client.isBlocking, result == StubServer.Response.permanentBlock.result {
      entries.append("block list: block")
      isBlocked = true
      result = "permanentlyBlocked"
    }
    entries.append("caller: \(result)")
  }

  private mutating func authorize(_ request: BackEndRequest, through client: ClientKind, sharing refresh: RefreshResult?)
    -> String
  {
    guard let stored else { return "signedOut" }
    var credentials = RefreshResult.credentials(stored)
    if let refresh { credentials = refresh } else if now >= stored.expiresAt { credentials = self.refresh(stored) }
    guard case .credentials(let first) = credentials else { return credentials.error }

    let result = send(request, with: first.accessToken, through: client)
    guard backEnd.rejectsTokens else { return result }
    credentials = self.refresh(first)
    guard case .credentials(let second) = credentials else { return credentials.error }
    return send(request, with: second.accessToken, through: client)
  }

  private mutating func refresh(_ old: Credentials) -> RefreshResult {
    let start = now
    entries.append("server: a refresh with \(old.refreshToken) starts")
    interrupt(.refresh)
    switch backEnd.refresh {
    case .failure(let response):
      refreshResult = .failure(response.refreshResult)
    case .credentials(let lifetime, _):
      let (accessToken, refreshToken) = backEnd.renewed(old.refreshToken)
      let new = Credentials(accessToken: accessToken, refreshToken: refreshToken, expiresAt: start + lifetime)
      entries.append("store: \(accessToken)")
      stored = new
      refreshResult = .credentials(new)
    }
    return refreshResult
  }

  private mutating func send(_ request: BackEndRequest, with token: String?, through client: ClientKind) -> String {
    let start = now
    if client.isLogging { entries.append("stopwatch: time?") }
    entries.append("server: \(request.sent) is sent with \(token ?? "no token")")
    interrupt(.request)
    if client.isLogging {
      let log = "log: \(request.method) \(request.path) \(backEnd.response.logged), \(now.timeIntervalSince(start)) seconds"
      entries += ["stopwatch: time?", log]
    }
    return backEnd.response.result
  }

  private mutating func interrupt(_ moment: BackEnd.Moment) {
    if interruption?.moment == moment { interruption.take()?.work(&self) }
  }

  /// Whether an interruption of a request happens, and the page says what it means.
  func isDefined(_ interruption: FactoryStory.Interruption, for client: ClientKind) -> Bool {
    if client.isBlocking, isBlocked { return false }
    let isExpired = stored.map { now >= $0.expiresAt } ?? false
    if client.isGuest {
      guard interruption.moment == .request else { return false }
    } else {
      guard stored != nil, interruption.moment == .request ? !isExpired || backEnd.refresh.isSuccess : isExpired else {
        return false
      }
    }
    guard case .load = interruption.work else { return true }
    return client.isGuest
      || !backEnd.rejectsTokens && !(client.isBlocking && backEnd.announcesBlock)
        && (interruption.moment == .request || backEnd.refresh.isUseful)
  }
}

extension FactoryModel {
  private enum RefreshResult {
    case credentials(Credentials)
    case failure(String)

    var error: String {
      if case .failure(let error) = self { error } else { "" }
    }
  }
}

extension Credentials? {
  var inWords: String {
    map { "\($0.accessToken), which expires at \($0.expiresAt.inWords)" } ?? "nothing"
  }
}
