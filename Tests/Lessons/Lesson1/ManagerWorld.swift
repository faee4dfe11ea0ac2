import Given
import TestSupport
import Testing

/// An app that loads requests with one manager, and a back end that may respond with anything.
final class ManagerWorld: Scenario {
  typealias Interruption = BackEnd.Interruption<ManagerModel>

  private let clock = ManualClock()
  private let server: StubServer
  private let store: CredentialsStoreSpy
  private let blockList = BlockListSpy()
  private let backEnd = BackEnd.Stub()
  private let manager = Locked<(any HTTPClient)?>(nil)
  /// The refresh that may happen a second time, since a second request found the same expired credentials.
  private let repeatable = Locked<String?>(nil)
  private let effects = Inbox<String>()
  private var model: ManagerModel
  private var names = StoryNames()

  init(using random: inout SeededRandom) {
    let first = names.credentials(of: names.user(), expiringAt: clock.date + [0, 0.75].randomElement(using: &random)!)
    let store = CredentialsStoreSpy(first)
    self.store = store
    model = ManagerModel(now: clock.date, stored: first)
    server = StubServer(respondingOn: .global()) { [effects, repeatable] request in
      if request.url?.path == "/token" {
        let words = request.refreshInWords.words
        if repeatable.withLock({ $0.take() != words }) { effects.receive(words) }
      } else {
        let stored = store.stored?.accessToken
        let isStored = stored == request.sentToken
        effects.receive(request.asReceived + (isStored ? "" : " while the store holds \(stored ?? "nothing")"))
      }
    }
    server.respond(to: "/token", with: backEnd.respond)
    super.init(
      setting:
        "It is 12:00:00.000. Ada is signed in with the token ada-1, which expires at \(first.expiresAt.inWords). A refreshed token is valid for 900 seconds."
    )
  }

  override var predicted: [String]? { model.effects + model.state }

  override func observed() async -> [String] {
    var state = model
    state.stored = model.ignoringExpiry(of: store.stored)
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

  // Each request that is sent needs the time, and so does each refresh.
  override func remark(on differences: [String]) -> String? {
    clock.remark(on: differences, about: "a refresh with", requiring: server.paths.count)
      ?? clock.remark(on: differences, about: "expires at", requiring: server.paths.count)
  }

  override func release() async {
    manager.withLock { $0 = nil }
  }

  private var time: String { clock.date.inWords }
}

// What can happen.
extension ManagerWorld {
  /// The app loads a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - isOnMainQueue: Whether the app calls `load` on the main queue.
  ///   - next: The request that the completion loads, if any, and whether it does so on another thread.
  ///   - interruption: What happens before the back end responds, if anything.
  func load(
    _ request: BackEndRequest, isOnMainQueue: Bool, then next: (request: BackEndRequest, isElsewhere: Bool)?,
    interruptedBy interruption: Interruption?
  ) async {
    var sentence = "\(time): The app loads \(request.told)\(isOnMainQueue ? " on the main queue" : "")"
    if let next {
      sentence += ". The completion of this request will load \(next.request.told)"
      if next.isElsewhere { sentence += " on another thread, and wait until that call to `load` has returned" }
    }
    if let interruption { sentence += ". During the \(interruption.moment), \(interruption.inWords)" }
    model.load(request, interruptedBy: interruption)
    if let next { model.load(next.request) }

    let hasReturned = DispatchSemaphore(value: 0)
    repeatable.withLock { $0 = nil }
    if let interruption {
      backEnd.during(interruption.moment) {
        // Until the call to `load` has returned, it retains the manager.
        _ = hasReturned.wait(timeout: .now() + 0.5)
        interruption.work()
      }
    }
    await event("\(sentence).") {
      await perform("the app's call to `load`", on: isOnMainQueue ? .main : .newBackgroundQueue) {
        self.send(request, then: next)
        hasReturned.signal()
      }
    }
    model.adoptExpiry(of: store.stored)
  }

  private func send(_ request: BackEndRequest, then next: (request: BackEndRequest, isElsewhere: Bool)? = nil) {
    server.respond(to: request.path, with: backEnd.respond)
    let manager = manager.withLock { manager in
      let current = manager ?? makeManager(server, store, blockList, clock, leaks)
      manager = current
      return current
    }
    manager.load(request.made(for: server)) { [weak self, effects] result in
      effects.receive("\(request.method) \(request.path) receives \(result.inWords(from: request.path))")
      guard let next else { return }
      if next.isElsewhere {
        onAnotherThread(for: 10) { self?.send(next.request) }
      } else {
        self?.send(next.request)
      }
    }
  }

  func respond(with response: StubServer.Response) async {
    model.backEnd.response = response
    await event("From now on, every request except a refresh ends with \(response.told).") {
      backEnd.change { $0.response = response }
    }
  }

  func respondToRefreshes(with refresh: BackEnd.Refresh) async {
    model.backEnd.refresh = refresh
    await event("From now on, refreshes end with \(refresh.told).") { backEnd.change { $0.refresh = refresh } }
  }

  func pass(seconds: TimeInterval) async {
    model.now += seconds
    await event("\(seconds) seconds pass. It is \(model.now.inWords).") { clock.advance(by: seconds) }
  }

  func signIn(lifetime: TimeInterval) async {
    let new = names.credentials(of: names.user(), expiringAt: clock.date + lifetime)
    model.stored = new
    await event("\(time): \(words(aboutSignIn: new)).") { store.stored = new }
  }

  private func words(aboutSignIn new: Credentials) -> String {
    let expires = new.expiresAt > clock.date ? "expires" : "expired"
    return "\(new.user) signs in with the token \(new.accessToken), which \(expires) at \(new.expiresAt.inWords)"
  }

  func signOut() async {
    // If the block list reports a block while no one is signed in, the page allows either error.
    guard model.stored != nil, !model.isBlocked else { return impossible() }
    model.stored = nil
    await event("\(time): The user signs out.") { store.stored = nil }
  }

  func block() async {
    guard model.stored != nil, !model.isBlocked else { return impossible() }
    model.isBlocked = true
    await event("\(time): The account is added to the block list.") { blockList.isBlocked = true }
  }

  func unblock() async {
    guard model.isBlocked else { return impossible() }
    model.isBlocked = false
    await event("\(time): The account is removed from the block list.") { blockList.isBlocked = false }
  }
}

// What can happen before the back end responds.
extension ManagerWorld {
  private func passing(_ seconds: TimeInterval, _ moment: BackEnd.Moment) -> Interruption {
    Interruption(moment, "\(seconds) seconds pass") {
      self.clock.advance(by: seconds)
    } modelWork: {
      $0.now += seconds
    }
  }

  private func releasing(_ moment: BackEnd.Moment) -> Interruption {
    Interruption(moment, "the app releases the manager, and later makes another one") { self.manager.withLock { $0 = nil } }
  }

  private func loading(_ second: BackEndRequest, _ moment: BackEnd.Moment) -> Interruption {
    let refresh = moment == .refresh ? model.refreshInWords : nil
    return Interruption(moment, "it also loads \(second.told)") {
      self.repeatable.withLock { $0 = refresh }
      self.send(second)
    } modelWork: {
      if moment == .refresh { $0.loadDuringRefresh(second) } else { $0.load(second) }
    }
  }

  private func signingIn(lifetime: TimeInterval, thenLoading next: BackEndRequest?, _ moment: BackEnd.Moment) -> Interruption {
    let new = names.credentials(of: names.user(), expiringAt: clock.date + lifetime)
    let words = words(aboutSignIn: new) + (next.map { ", and the app loads \($0.told)" } ?? "")
    return Interruption(moment, words) {
      self.store.stored = new
      if let next { self.send(next) }
    } modelWork: {
      $0.stored = new
      if let next { $0.load(next) }
    }
  }

  private func signingOut(_ moment: BackEnd.Moment) -> Interruption {
    Interruption(moment, "the user signs out") {
      self.store.stored = nil
    } modelWork: {
      $0.stored = nil
    }
  }

  private func blocking(_ moment: BackEnd.Moment) -> Interruption {
    Interruption(moment, "the account is added to the block list") {
      self.blockList.isBlocked = true
    } modelWork: {
      $0.isBlocked = true
    }
  }
}

// What happens in random stories.
extension ManagerWorld {
  static var randomEvents: [RandomEvent<ManagerWorld>] {
    [
      RandomEvent(12) { world, random in
        let request = world.request(using: &random)
        let isFollowed = [false, false, false, false, true].randomElement(using: &random)!
        let next = isFollowed ? (world.request(using: &random), isElsewhere: Bool.random(using: &random)) : nil
        let interruption = Bool.random(using: &random) ? world.interruption(of: request, isFollowed, using: &random) : nil
        let isOnMainQueue = [false, false, false, false, false, false, true].randomElement(using: &random)!
        await world.load(request, isOnMainQueue: isOnMainQueue, then: next, interruptedBy: interruption)
      },
      RandomEvent(6) { await $0.respond(with: BackEnd.responses.randomElement(using: &$1)!) },
      RandomEvent(4) { await $0.respondToRefreshes(with: BackEnd.refreshes.randomElement(using: &$1)!) },
      RandomEvent(6) { await $0.pass(seconds: [0.25, 0.5, 60, 899.75, 900, 900].randomElement(using: &$1)!) },
      RandomEvent(4) { await $0.signIn(lifetime: lifetimes.randomElement(using: &$1)!) },
      RandomEvent(2) { world, _ in await world.signOut() },
      // While the account is blocked, nothing is sent.
      RandomEvent(1) { world, _ in await world.block() },
      RandomEvent(3) { world, _ in await world.unblock() },
    ]
  }

  /// For how long the credentials of a user who signs in are valid.
  private static let lifetimes = [300.5, 0, 0, 0.25, 0.75, -60]

  private func request(using random: inout SeededRandom) -> BackEndRequest {
    BackEndRequest(kind: .random(using: &random), path: names.path())
  }

  /// Makes up what happens before the back end responds to a request; `nil` if the page leaves open what that leads to.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - isFollowed: Whether its completion loads another one. What that one finds must not be open, either.
  private func interruption(
    of request: BackEndRequest, _ isFollowed: Bool, using random: inout SeededRandom
  ) -> Interruption? {
    guard let moment = BackEnd.Moment.allCases.filter(model.reaches).randomElement(using: &random) else { return nil }
    let announcesBlock = model.backEnd.announcesBlock
    switch Int.random(in: 0..<13, using: &random) {
    case 0..<2:
      // The lifetime of new credentials may count from the moment before.
      guard moment == .request || !isFollowed else { return nil }
      return passing([0.5, 60, 900].randomElement(using: &random)!, moment)
    case 2..<5:
      // Two requests may share a refresh or not, so its credentials have to be valid for the second one.
      guard !isFollowed, !announcesBlock, moment == .request || model.backEnd.refresh.isUseful else { return nil }
      // Two paths tell the requests apart.
      let path = [false, false, true].randomElement(using: &random)! ? request.path : names.path()
      return loading(BackEndRequest(kind: .random(using: &random), path: path), moment)
    case 5..<8: return releasing(moment)
    case 8..<10:
      guard moment == .refresh, !isFollowed, !announcesBlock else { return nil }
      return blocking(moment)
    case 10..<12:
      guard canChangeUser(at: moment) else { return nil }
      // The new user's request may wait for the refresh, but it needs nothing of it.
      let isLoading = moment == .refresh && !isFollowed && !announcesBlock && Bool.random(using: &random)
      let next = isLoading ? self.request(using: &random) : nil
      return signingIn(lifetime: Self.lifetimes.randomElement(using: &random)!, thenLoading: next, moment)
    default:
      return canChangeUser(at: moment) ? signingOut(moment) : nil
    }
  }

  /// Whether the page says what it means that the user changes. If a refresh succeeds, it leaves open what is stored then.
  private func canChangeUser(at moment: BackEnd.Moment) -> Bool {
    switch moment {
    case .refresh: !model.backEnd.refresh.isSuccess
    case .request: !model.backEnd.announcesBlock
    }
  }
}
