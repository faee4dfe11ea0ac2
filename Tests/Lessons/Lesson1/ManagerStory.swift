import Given
import TestSupport

@testable import Exercise1

/// A story about an app that loads requests with one manager, and a back end that may respond with anything.
final class ManagerStory: Story {
  enum Event: Sendable {
    case load(BackEndRequest.Kind)
    case interruptNextLoad(Interruption)
    case followNextLoad
    case nextLoadOnMain
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
    case load(BackEndRequest.Kind, isSamePath: Bool)
    case signIn
    case signOut
    case block
  }

  static func event(using random: inout SeededRandom) -> Event {
    switch Int.random(in: 0..<29, using: &random) {
    case 0..<9: return .load(.random(using: &random))
    case 9..<14: return .interruptNextLoad(interruption(using: &random))
    case 14: return .followNextLoad
    case 15: return .nextLoadOnMain
    case 16..<19: return .respond(BackEnd.responses.randomElement(using: &random)!)
    case 19..<21: return .respondToRefreshes(BackEnd.refreshes.randomElement(using: &random)!)
    case 21..<24: return .advance([0.25, 0.5, 60, 899.75, 900, 900].randomElement(using: &random)!)
    case 24..<26: return .signIn(lifetime: [-60, 0, 0, 0.25, 0.75, 300.5].randomElement(using: &random)!)
    case 26: return .signOut
    // While the account is blocked, nothing is sent.
    default: return Int.random(in: 0..<4, using: &random) == 0 ? .block : .clearBlockList
    }
  }

  static func simpler(_ event: Event) -> [Event] {
    switch event {
    case .load(let kind): return kind.simpler.map { .load($0) }
    case .interruptNextLoad(let interruption):
      guard case .load(let kind, let isSame) = interruption.work else { return [] }
      // Two paths tell the requests apart.
      let works = (isSame ? [Work.load(kind, isSamePath: false)] : []) + kind.simpler.map { .load($0, isSamePath: isSame) }
      return works.map { .interruptNextLoad((interruption.moment, $0)) }
    default: return []
    }
  }

  private static func interruption(using random: inout SeededRandom) -> Interruption {
    let moment = BackEnd.Moment.allCases.randomElement(using: &random)!
    switch Int.random(in: 0..<11, using: &random) {
    case 0..<2: return (moment, .advance([0.5, 60, 900].randomElement(using: &random)!))
    case 2..<5:
      return (moment, .load(.random(using: &random), isSamePath: Int.random(in: 0..<3, using: &random) == 0))
    case 5..<8: return (moment, .release)
    case 8: return (.refresh, .block)
    // The page leaves open what happens if the user changes during a refresh.
    case 9: return (.request, .signIn)
    default: return (.request, .signOut)
    }
  }

  /// What is special about the next load. It is told together with the load.
  private struct NextLoad {
    var interruption: Interruption?
    var isFollowed = false
    var isOnMainQueue = false
  }

  let leaks = LeakTracker()
  private let clock = ManualClock()
  /// When the first credentials expire.
  private let expiry: Date
  private let server = StubServer(respondingOn: .global())
  private let store: CredentialsStoreSpy
  private let blockList = BlockListSpy()
  private let backEnd = Locked(BackEnd())
  private let manager = Locked<HTTPManager?>(nil)
  private let interruption = Locked<(moment: BackEnd.Moment, work: () -> Void)?>(nil)
  /// The refresh that may happen a second time, since a second request found the same expired credentials.
  private let repeatable = Locked<String?>(nil)
  private let effects = Inbox<String>()
  private var model: ManagerModel
  private var names = StoryNames()
  private var nextLoad = NextLoad()

  init(using random: inout SeededRandom) {
    let first = names.credentials(of: names.user(), expiringAt: clock.date + [0, 0.75].randomElement(using: &random)!)
    expiry = first.expiresAt
    store = CredentialsStoreSpy(first)
    model = ManagerModel(now: clock.date, stored: first)
    server.respond(to: "/token") { [weak self] in self?.respondToRefresh($0) ?? .response(404) }
  }

  var setting: [String] {
    [
      "It is 12:00:00.000. Ada is signed in with the token ada-1, which expires at \(expiry.inWords). A refreshed token is valid for 900 seconds."
    ]
  }

  func play(_ event: Event) async -> String? {
    model.adoptExpiry(of: store.credentials)
    switch event {
    case .load(let kind):
      defer { nextLoad = NextLoad() }
      return await load(kind, nextLoad)
    case .interruptNextLoad(let interruption):
      nextLoad.interruption = interruption
      return nil
    case .followNextLoad:
      nextLoad.isFollowed = true
      return nil
    case .nextLoadOnMain:
      nextLoad.isOnMainQueue = true
      return nil
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
      return "\(seconds) seconds pass. It is \(time)."
    case .signIn(let lifetime):
      let new = names.credentials(of: names.user(), expiringAt: clock.date + lifetime)
      model.stored = new
      store.credentials = new
      return
        "\(time): \(new.user) signs in with the token \(new.accessToken), which \(lifetime > 0 ? "expires" : "expired") at \(new.expiresAt.inWords)."
    case .signOut:
      // If the block list reports a block while no one is signed in, the page allows either error.
      guard model.stored != nil, !model.isBlocked else { return nil }
      model.stored = nil
      store.credentials = nil
      return "\(time): The user signs out."
    case .block:
      guard model.stored != nil, !model.isBlocked else { return nil }
      model.isBlocked = true
      blockList.isBlocked = true
      return "\(time): The account is added to the block list."
    case .clearBlockList:
      guard model.isBlocked else { return nil }
      model.isBlocked = false
      blockList.isBlocked = false
      return "\(time): The account is removed from the block list."
    }
  }

  var expected: [String] { model.effects + model.state }

  var observed: [String] {
    var state = model
    state.stored = model.ignoringExpiry(of: store.credentials)
    state.isBlocked = blockList.isBlocked
    var effects = effects.values
    // A request whose account is blocked during its refresh may be stopped instead of sent. But it has to receive something.
    for request in model.doubtful {
      guard let index = effects.firstIndex(of: request.stopped) else { continue }
      effects[index] = request.result
      if let sending = request.sending, !effects.contains(sending) { effects.append(sending) }
    }
    return effects + state.state
  }

  func remark(on differences: [String]) -> String? {
    clock.remark(on: differences, about: "a refresh with", requiring: model.readings)
      ?? clock.remark(on: differences, about: "expires at", requiring: model.readings)
  }

  func release() -> String? {
    _ = manager.withLock { $0.take() }
    return nil
  }

  func nextEnding() -> Event? { nil }
}

// What happens, to the learner's manager and to the model.
extension ManagerStory {
  private func load(_ kind: BackEndRequest.Kind, _ load: NextLoad) async -> String? {
    let request = BackEndRequest(kind: kind, path: names.path())
    let interruption = load.interruption.flatMap { isDefined($0) ? $0 : nil }
    let next = load.isFollowed && isDefined(afterwards: interruption) ? BackEndRequest(kind: .get, path: names.path()) : nil
    var sentence = "\(time): The app loads \(request.told)\(load.isOnMainQueue ? " on the main queue" : "")"
    if let next { sentence += ". The completion of this request will load \(next.told)" }

    repeatable.withLock { $0 = nil }
    let hasReturned = DispatchSemaphore(value: 0)
    if let interruption {
      let (told, work, modelWork) = prepare(interruption, of: request.path, until: hasReturned)
      sentence += ". During the \(interruption.moment), \(told)"
      self.interruption.withLock { $0 = (interruption.moment, work) }
      if case (.refresh, .load) = (interruption.moment, interruption.work) {
        // Whether the second request shares the refresh or repeats it, it is sent with the same new token.
        model.load(request)
        modelWork(&model)
      } else {
        model.load(request, during: interruption.moment, modelWork)
      }
    } else {
      model.load(request)
    }
    if let next { model.load(next) }
    await perform("the app's call to `load`", on: load.isOnMainQueue ? .main : .newBackgroundQueue) {
      self.send(request, then: next)
      hasReturned.signal()
    }
    return sentence + "."
  }

  /// Whether the page says what an interruption means.
  private func isDefined(_ interruption: Interruption) -> Bool {
    guard model.reaches(interruption.moment) else { return false }
    return switch (interruption.moment, interruption.work) {
    // Two requests may share a refresh or not, so its credentials have to be valid for the second one.
    case (.refresh, .load): !model.backEnd.announcesBlock && model.backEnd.refresh.isUseful
    case (.request, .load), (_, .signIn), (_, .signOut), (_, .block): !model.backEnd.announcesBlock
    default: true
    }
  }

  /// Whether the page says what the next request finds after an interruption.
  private func isDefined(afterwards interruption: Interruption?) -> Bool {
    switch (interruption?.moment, interruption?.work) {
    case (_, .load), (.refresh, .advance), (_, .block): false
    default: true
    }
  }

  /// - Returns: What happens in words, at the back end, and in the model.
  private func prepare(
    _ interruption: Interruption, of path: String, until hasReturned: DispatchSemaphore
  ) -> (String, () -> Void, (inout ManagerModel) -> Void) {
    switch interruption.work {
    case .advance(let seconds):
      return ("\(seconds) seconds pass", { self.clock.advance(by: seconds) }, { $0.now += seconds })
    case .release:
      return (
        "the app releases the manager, and later makes another one",
        {
          // Until the call to `load` has returned, it retains the manager.
          _ = hasReturned.wait(timeout: .now() + 0.5)
          _ = self.manager.withLock { $0.take() }
        }, { _ in }
      )
    case .load(let kind, let isSame):
      let second = BackEndRequest(kind: kind, path: isSame ? path : names.path())
      let refresh = interruption.moment == .refresh ? model.refreshInWords : nil
      let work = {
        self.repeatable.withLock { $0 = refresh }
        self.send(second)
      }
      return ("it also loads \(second.told)", work, { $0.load(second, sharingRefresh: interruption.moment == .refresh) })
    case .signIn:
      let new = names.credentials(of: names.user(), expiringAt: clock.date + 300.5)
      return (
        "\(new.user) signs in with the token \(new.accessToken), which expires at \(new.expiresAt.inWords)",
        { self.store.credentials = new }, { $0.stored = new }
      )
    case .signOut:
      return ("the user signs out", { self.store.credentials = nil }, { $0.stored = nil })
    case .block:
      return ("the account is added to the block list", { self.blockList.isBlocked = true }, { $0.isBlocked = true })
    }
  }

  private func send(_ request: BackEndRequest, then next: BackEndRequest? = nil) {
    server.respond(to: request.path) { [weak self] in self?.respond(to: $0) ?? .response(404) }
    let manager = manager.withLock { manager in
      if let manager { return manager }
      let new = HTTPManager(
        session: server.session, store: StoreRelay(to: store), blockList: BlockListRelay(to: blockList),
        refreshURL: server.url("/token"),
        now: { [clock] in clock.readDate() })
      leaks.track(new as AnyObject)
      manager = new
      return new
    }
    manager.load(request.made(for: server)) { [weak self, effects] result in
      effects.receive("\(request.method) \(request.path) receives \(result.inFull(from: request.path))")
      if let next { self?.send(next) }
    }
  }

  private func respond(to received: URLRequest) -> StubServer.Response {
    let stored = store.credentials?.accessToken
    effects.receive(received.asReceived + (stored == received.sentToken ? "" : " while the store holds \(stored ?? "nothing")"))
    interrupt(.request)
    return backEnd.withLock { $0.response.marked(received.url?.path ?? "") }
  }

  private func respondToRefresh(_ received: URLRequest) -> StubServer.Response {
    let (token, words) = received.refreshInWords
    if repeatable.withLock({ $0.take() != words }) { effects.receive(words) }
    interrupt(.refresh)
    return backEnd.withLock { $0.respondToRefresh(with: token) }
  }

  private func interrupt(_ moment: BackEnd.Moment) {
    let work = interruption.withLock { $0?.moment == moment ? $0.take()?.work : nil }
    work?()
  }

  private var time: String { clock.date.inWords }
}

/// What the page promises, as plain values.
struct ManagerModel {
  var now: Date
  var stored: Credentials?
  var isBlocked = false
  var backEnd = BackEnd()
  /// How often the time is needed.
  private(set) var readings = 0
  /// Requests, refreshes, and results.
  private(set) var effects: [String] = []
  /// What a request leads to whose account is blocked during its refresh, and what it receives if it is stopped.
  private(set) var doubtful: [(sending: String?, result: String, stopped: String)] = []
  /// The lifetime of new credentials may count from the moment the refresh is sent, or from the moment its response arrives.
  private var possibleExpiry: [Date] = []

  init(now: Date, stored: Credentials?) {
    self.now = now
    self.stored = stored
  }

  /// What the store and the block list must hold.
  var state: [String] {
    [
      stored.map { "the store holds \($0.accessToken), which expires at \($0.expiresAt.inWords), with \($0.refreshToken)" }
        ?? "the store holds nothing",
      isBlocked ? "the account is on the block list" : "the account is not on the block list",
    ]
  }

  /// A refresh with the stored credentials.
  var refreshInWords: String {
    "a refresh with \(stored?.refreshToken ?? "nothing") starts"
  }

  mutating func load(
    _ request: BackEndRequest, sharingRefresh: Bool = false, during moment: BackEnd.Moment? = nil,
    _ interrupt: (inout Self) -> Void = { _ in }
  ) {
    let wasBlocked = isBlocked
    var sending: String?
    func received(_ result: String) -> String { "\(request.method) \(request.path) receives \(result)" }
    func deliver(_ result: String, in model: inout Self) {
      model.effects.append(received(result))
      guard moment == .refresh, model.isBlocked, !wasBlocked, !model.backEnd.announcesBlock else { return }
      model.doubtful.append((sending, received(result), received("permanentlyBlocked")))
    }

    guard !isBlocked else { return deliver("permanentlyBlocked", in: &self) }
    guard var credentials = stored else { return deliver("signedOut", in: &self) }

    readings += 1
    if now >= credentials.expiresAt {
      readings += 1
      let start = now
      if !sharingRefresh { effects.append(refreshInWords) }
      if moment == .refresh { interrupt(&self) }
      switch backEnd.refresh {
      case .credentials(let lifetime, _):
        (credentials.accessToken, credentials.refreshToken) = backEnd.renewed(credentials.refreshToken)
        possibleExpiry = [start + lifetime, now + lifetime]
        credentials.expiresAt = start + lifetime
        stored = credentials
      case .failure(let response):
        return deliver(response.refreshResult, in: &self)
      }
    }

    let send = "\(request.sent) is sent with \(credentials.accessToken)"
    effects.append(send)
    sending = send
    if moment == .request { interrupt(&self) }
    if backEnd.announcesBlock {
      isBlocked = true
      deliver("permanentlyBlocked", in: &self)
    } else {
      deliver(backEnd.response.result, in: &self)
    }
  }

  /// Whether a request that is loaded now reaches a moment: the refresh before it, or its own response.
  func reaches(_ moment: BackEnd.Moment) -> Bool {
    guard !isBlocked, let stored else { return false }
    switch moment {
    case .refresh: return now >= stored.expiresAt
    case .request: return now < stored.expiresAt || backEnd.refresh.isSuccess
    }
  }

  /// The expected credentials, if the given ones differ only in their expiration date, and that date is possible.
  func ignoringExpiry(of credentials: Credentials?) -> Credentials? {
    guard let expiry = credentials?.expiresAt, possibleExpiry.contains(expiry), var same = stored else { return credentials }
    same.expiresAt = expiry
    return same == credentials ? stored : credentials
  }

  /// Continues with the expiration date that the solution has chosen.
  mutating func adoptExpiry(of credentials: Credentials?) {
    if let credentials, ignoringExpiry(of: credentials) == stored { stored = credentials }
  }
}
