import Given
import TestSupport
import Testing

import class Given.Locked
import struct TestSupport.BackEnd
import struct TestSupport.BackEndRequest
import class TestSupport.BlockListSpy
import class TestSupport.ManualClock
import struct TestSupport.RandomEvent
import class TestSupport.Scenario
import class TestSupport.StubServer

@testable import Exercise6

/// The clients that a factory makes, and the requests that pass through their layers.
final class FactoryWorld: Scenario {
  typealias Interruption = BackEnd.Interruption<FactoryModel>

  private let journal = Journal()
  private let clock = ManualClock()
  private let server: StubServer
  private let store: CredentialsStoreSpy
  private let blockList: BlockListSpy
  private let backEnd = BackEnd.Stub()
  private var factory: HTTPClientFactory?
  /// The kinds of the clients, and the clients that have not been released.
  private var kinds: [ClientKind]
  private let clients = Locked<[Int: any HTTPClient]>([:])
  private var model: FactoryModel
  private var names = StoryNames()

  init(using random: inout SeededRandom) {
    let first = names.credentials(of: names.user(), expiringAt: clock.date + [0, 0, 0.75].randomElement(using: &random)!)
    store = CredentialsStoreSpy(first, journal: journal)
    blockList = BlockListSpy(journal: journal)
    server = StubServer(respondingOn: .global(), journal: journal)
    server.respond(to: "/token", with: backEnd.respond)
    factory = makeFactory(server, store, blockList, clock, journal)
    let kind = ClientKind.random(using: &random)
    kinds = [kind]
    model = FactoryModel(now: clock.date, stored: first)
    super.init(
      setting:
        "It is 12:00:00.000. Ada is signed in with the token ada-1, which expires at \(first.expiresAt.inWords). A refreshed token is valid for 900 seconds. The factory makes client 1, \(kind.inWords)."
    )
    makeClient(0)
  }

  override var predicted: [String]? { model.traces + ["the store holds \(model.stored.inWords)"] }

  override func observed() async -> [String] {
    let traces = zip(journal.traces, model.paths).flatMap { entries, path in
      // How often the refresh reads the store is its own business.
      FactoryModel.trace(entries.filter { $0 != "store: credentials?" }, of: path)
    }
    return traces + ["the store holds \(store.stored.inWords)"]
  }

  override func release() async {
    factory = nil
    clients.withLock { $0 = [:] }
  }

  private func makeClient(_ index: Int) {
    guard let factory else { return }
    let client = kinds[index].make(with: factory)
    leaks.track(client as AnyObject)
    clients.withLock { $0[index] = client }
  }

  private var time: String { clock.date.inWords }
}

// What can happen.
extension FactoryWorld {
  func make(_ kind: ClientKind) async {
    guard factory != nil else { return impossible() }
    kinds.append(kind)
    await event("The factory makes client \(kinds.count), \(kind.inWords).") { makeClient(kinds.count - 1) }
  }

  func releaseFactory() async {
    guard factory != nil else { return impossible() }
    await event("The app releases the factory.") { factory = nil }
  }

  /// A client loads a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - next: The request that the completion loads, if any.
  ///   - index: The client. If it has been released, the factory makes it again.
  ///   - interruption: What happens before the back end responds, if anything.
  func load(
    _ request: BackEndRequest, then next: BackEndRequest?, with index: Int, interruptedBy interruption: Interruption?
  ) async {
    if clients.withLock({ $0[index] == nil }) { makeClient(index) }
    guard clients.withLock({ $0[index] != nil }) else { return impossible() }
    var sentence = "\(time): Client \(index + 1) loads \(request.told)"
    if let next { sentence += ", and from its completion, \(next.told)" }
    if let interruption { sentence += ". During the \(interruption.moment), \(interruption.inWords)" }
    model.load(request, then: next, with: kinds[index], interruptedBy: interruption)
    await event("\(sentence).") {
      journal.beginTrace()
      if let interruption { backEnd.during(interruption.moment, interruption.work) }
      await perform("the app's call to `load`") { self.send(request, then: next, with: index) }
    }
  }

  private func send(_ request: BackEndRequest, then next: BackEndRequest? = nil, with index: Int) {
    server.respond(to: request.path, with: backEnd.respond)
    clients.withLock { $0[index] }?.load(request.made(for: server)) { [weak self, journal] result in
      journal.add("caller: \(result.inWords(from: request.path))")
      if let next { self?.send(next, with: index) }
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
    await event("\(new.user) signs in with the token \(new.accessToken), which expires at \(new.expiresAt.inWords).") {
      store.stored = new
    }
  }

  func signOut() async {
    guard model.stored != nil else { return impossible() }
    model.stored = nil
    await event("The user signs out.") { store.stored = nil }
  }

  func block() async {
    guard !model.isBlocked else { return impossible() }
    model.isBlocked = true
    await event("The account is added to the block list.") { blockList.isBlocked = true }
  }

  func unblock() async {
    guard model.isBlocked else { return impossible() }
    model.isBlocked = false
    await event("The account is removed from the block list.") { blockList.isBlocked = false }
  }
}

// What can happen before the back end responds.
extension FactoryWorld {
  private func passing(_ seconds: TimeInterval, _ moment: BackEnd.Moment) -> Interruption {
    Interruption(moment, "\(seconds) seconds pass") {
      self.clock.advance(by: seconds)
    } modelWork: {
      $0.now += seconds
    }
  }

  private func loading(_ second: BackEndRequest, with index: Int, _ moment: BackEnd.Moment) -> Interruption {
    let (client, patience) = (kinds[index], Deadline.seconds)
    return Interruption(moment, "it also loads \(second.told)") {
      switch moment {
      case .request:
        self.send(second, with: index)
      case .refresh:
        // A client may begin its work on a queue of its own. The second request waits for the refresh when it has read the store.
        self.journal.wait(for: "store: credentials?", seconds: patience) { self.send(second, with: index) }
      }
    } modelWork: {
      $0.loadTogether(second, with: client, during: moment)
    }
  }

  private func releasing(_ index: Int, _ moment: BackEnd.Moment) -> Interruption {
    Interruption(moment, "the app releases the client") { _ = self.clients.withLock { $0.removeValue(forKey: index) } }
  }
}

// What happens in random stories.
extension FactoryWorld {
  static var randomEvents: [RandomEvent<FactoryWorld>] {
    [
      RandomEvent(18) { world, random in
        let index = Int.random(in: 0..<4, using: &random) % world.kinds.count
        let request = world.request(using: &random)
        if Bool.random(using: &random) {
          let interruption = world.interruption(of: index, using: &random)
          await world.load(request, then: nil, with: index, interruptedBy: interruption)
        } else {
          let isFollowed = [false, false, true].randomElement(using: &random)!
          await world.load(request, then: isFollowed ? world.request(using: &random) : nil, with: index, interruptedBy: nil)
        }
      },
      RandomEvent(4) { await $0.make(.random(using: &$1)) },
      RandomEvent(2) { world, _ in await world.releaseFactory() },
      RandomEvent(8) { await $0.respond(with: BackEnd.responses.randomElement(using: &$1)!) },
      RandomEvent(6) { await $0.respondToRefreshes(with: BackEnd.refreshes.randomElement(using: &$1)!) },
      RandomEvent(2) { await $0.pass(seconds: [0.25, 0.5, 0.5, 60, 899.75, 900].randomElement(using: &$1)!) },
      RandomEvent(4) { await $0.signIn(lifetime: [300.5, 0, 0.25, 0.75, -60, -60].randomElement(using: &$1)!) },
      RandomEvent(2) { world, _ in await world.signOut() },
      // While the account is blocked, most clients send nothing.
      RandomEvent(1) { world, _ in await world.block() },
      RandomEvent(3) { world, _ in await world.unblock() },
    ]
  }

  private func request(using random: inout SeededRandom) -> BackEndRequest {
    let kind = BackEndRequest.Kind.random(using: &random)
    // A body stream cannot be sent a second time.
    return BackEndRequest(kind: kind == .postWithStream && model.backEnd.rejectsTokens ? .post : kind, path: names.path())
  }

  /// Makes up what happens before the back end responds to a request of a client; `nil` if the page leaves open what that leads to.
  private func interruption(of index: Int, using random: inout SeededRandom) -> Interruption? {
    let client = kinds[index]
    let moments = BackEnd.Moment.allCases.filter { model.reaches($0, with: client) }
    guard let moment = moments.randomElement(using: &random) else { return nil }
    switch Int.random(in: 0..<6, using: &random) {
    case 0..<2: return passing([0.5, 2, 60, 900].randomElement(using: &random)!, moment)
    case 2..<5:
      guard model.canLoadTogether(with: client, during: moment) else { return nil }
      return loading(BackEndRequest(kind: .random(using: &random), path: names.path()), with: index, moment)
    default: return releasing(index, moment)
    }
  }
}

extension ClientKind {
  fileprivate static func random(using random: inout SeededRandom) -> Self {
    Self(
      environment: environments.randomElement(using: &random)!,
      blocksAccounts: [nil, true, false].randomElement(using: &random)!)
  }
}
