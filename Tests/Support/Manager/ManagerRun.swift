import Given
import TestSupport
import Testing

/// An app that loads requests with a manager, or with clients that have its layers, and a back end that may respond with anything.
open class ManagerRun: RandomRun {
  public let app: App
  fileprivate let backEnd = BackEnd.Stub()
  fileprivate var model: ManagerModel
  private let clients = Locked<[Int: any HTTPClient]>([:])
  private var names: RandomNames

  /// - Parameters:
  ///   - setting: What else is so at first, as a sentence.
  ///   - random: The source of random numbers.
  public init(_ setting: String = "", using random: inout SeededRandom) {
    let noon = ManualClock().date
    var names = RandomNames()
    let first = names.credentials(of: names.user(), expiringAt: noon + random.pick(0, 0.75))
    self.names = names
    app = App(first, respondingOn: .global())
    app.server.respond(to: "/token", with: backEnd.respond)
    model = ManagerModel(now: noon, stored: first)
    super.init(
      setting: """
        It is 12:00:00.000. Ada is signed in with the token ada-1, which expires at \(first.expiresAt.inWords). A refreshed token is \
        valid for 900 seconds.\(setting)
        """)
  }

  /// The layers of each client.
  open var layers: [ManagerModel.Layers] { [.manager] }

  /// What a client is called.
  open func name(_ index: Int) -> String { "the manager" }

  /// Makes a client; `nil` if that is no longer possible.
  open func makeClient(_ index: Int) -> (any HTTPClient)? { nil }

  /// What of a trace has to be as predicted.
  open func observable(_ trace: ManagerModel.Trace) -> [String] { trace.entries }

  override open var predicted: [String] { model.traces.flatMap(observable) + model.state }

  override open func observed() async -> [String] {
    var state = model
    (state.stored, state.isBlocked) = (app.store.stored, app.blockList.isBlocked)
    return zip(model.traces, app.journal.traces).flatMap { observable(.init(path: $0.path, entries: $1)) } + state.state
  }

  override open func release() async {
    clients.withLock { $0 = [:] }
  }

  /// A client, which is made if there is none, or if it has been released.
  @discardableResult
  public func client(_ index: Int) -> (any HTTPClient)? {
    clients.withLock { clients in
      if clients[index] == nil { clients[index] = makeClient(index) }
      return clients[index]
    }
  }

  private func send(
    _ request: BackEndRequest, then next: (request: BackEndRequest, isElsewhere: Bool)? = nil, with index: Int
  ) {
    app.server.respond(to: request.path, with: backEnd.respond)
    client(index)?.load(request.made(for: app.server)) { [weak self, journal = app.journal] result in
      journal.add("caller: \(request.method) \(request.path) receives \(result.inWords(from: request.path))")
      guard let next else { return }
      if next.isElsewhere {
        onAnotherThread(for: 10) { self?.send(next.request, with: index) }
      } else {
        self?.send(next.request, with: index)
      }
    }
  }
}

/// Something that happens between two requests, or while the back end has yet to respond to one.
private struct Happening {
  /// What happens, without an initial capital letter and a period.
  let words: String
  /// What happens to the objects under test, perhaps on a queue in the background.
  let work: () -> Void
  /// What happens in the model.
  let modelWork: (inout ManagerModel) -> Void
}

/// What can happen in a run.
public func managerEvents<Run: ManagerRun>() -> [RandomEvent<Run>] {
  [
    RandomEvent(18) { await $0.load(using: &$1) },
    RandomEvent(8) { run, random in
      let response = random.pick(from: BackEnd.responses)
      await run.change("every request except a refresh ends with \(response.told)") { $0.response = response }
    },
    RandomEvent(6) { run, random in
      let refresh = random.pick(from: BackEnd.refreshes)
      await run.change("refreshes end with \(refresh.told)") { $0.refresh = refresh }
    },
    RandomEvent(5) { await $0.happen($0.passing([0.25, 0.5, 60, 899.75, 900, 900], &$1)) },
    RandomEvent(4) { await $0.happen($0.signingIn(&$1)) },
    RandomEvent(2) { run, _ in
      // If the block list reports a block while no one is signed in, the page allows either error.
      if run.model.stored != nil, !run.model.isBlocked { await run.happen(run.signingOut()) }
    },
    // While the account is blocked, nothing is sent.
    RandomEvent(1) { run, _ in
      if run.model.stored != nil, !run.model.isBlocked { await run.happen(run.changingTheList(isBlocked: true)) }
    },
    RandomEvent(3) { run, _ in
      if run.model.isBlocked { await run.happen(run.changingTheList(isBlocked: false)) }
    },
  ]
}

extension ManagerRun {
  private var time: String { app.clock.date.inWords }

  /// A client loads a request. Its completion may load another one, or something may happen before the back end responds.
  fileprivate func load(using random: inout SeededRandom) async {
    let index = random.pick(0, 1, 2, 3) % layers.count
    let layers = layers[index]
    guard client(index) != nil else { return }
    let request = request(through: layers, using: &random)
    var sentence = "\(time): \(name(index).capitalizedSentence) loads \(request.told)"

    var next: (request: BackEndRequest, isElsewhere: Bool)?
    var interruption: (moment: BackEnd.Moment, happening: Happening)?
    let moments = BackEnd.Moment.allCases.filter { model.reaches($0, through: layers) }
    switch random.pick(0, 1, 2, 2, 2) {
    case 0: break
    case 1:
      let (second, isElsewhere) = (self.request(through: layers, using: &random), random.pick(false, true))
      next = (second, isElsewhere)
      sentence += ". Its completion loads \(second.told)"
      if isElsewhere { sentence += " on another thread, and waits until that call to `load` has returned" }
    default:
      guard !moments.isEmpty else { break }
      let moment = random.pick(from: moments)
      guard let happening = happening(during: moment, request, index, layers, using: &random) else { break }
      interruption = (moment, happening)
      sentence += ". During the \(moment), \(happening.words)"
    }
    let isOnMainQueue = random.pick(false, false, false, false, false, true)
    if isOnMainQueue { sentence += " (on the main queue)" }

    model.load(
      request, then: next?.request, through: layers, interruptedBy: interruption.map { ($0.moment, $0.happening.modelWork) })
    let hasReturned = DispatchSemaphore(value: 0)
    if let (moment, happening) = interruption {
      backEnd.during(moment) {
        // Until the call to `load` has returned, it retains the client.
        _ = hasReturned.wait(timeout: .now() + 0.5)
        happening.work()
      }
    }
    await event("\(sentence).") {
      app.journal.beginTrace()
      await perform("the app's call to `load`", on: isOnMainQueue ? .main : .newBackgroundQueue) {
        self.send(request, then: next, with: index)
        hasReturned.signal()
      }
    }
  }

  private func request(through layers: ManagerModel.Layers, using random: inout SeededRandom) -> BackEndRequest {
    let kind = BackEndRequest.Kind.random(using: &random)
    // A body stream cannot be sent a second time.
    let isSentTwice = layers.refreshesLikeTheDecorator && model.backEnd.rejectsTokens
    return BackEndRequest(kind == .postWithStream && isSentTwice ? .post : kind, names.path())
  }

  /// Lets something happen between two requests.
  fileprivate func happen(_ happening: Happening) async {
    happening.modelWork(&model)
    await event("\(time): \(happening.words.capitalizedSentence).") { happening.work() }
  }

  fileprivate func change(_ words: String, _ change: (inout BackEnd) -> Void) async {
    change(&model.backEnd)
    await event("From now on, \(words).") { backEnd.change(change) }
  }

  fileprivate func passing(_ seconds: [TimeInterval], _ random: inout SeededRandom) -> Happening {
    let seconds = random.pick(from: seconds)
    return Happening(words: "\(seconds) seconds pass") {
      self.app.clock.advance(by: seconds)
    } modelWork: {
      $0.now += seconds
    }
  }

  fileprivate func signingIn(_ random: inout SeededRandom) -> Happening {
    let lifetime = random.pick(300.5, 0, 0, 0.25, 0.75, -60)
    let new = names.credentials(of: names.user(), expiringAt: app.clock.date + lifetime)
    let expires = lifetime > 0 ? "expires" : "expired"
    return Happening(
      words: "\(new.user) signs in with the token \(new.accessToken), which \(expires) at \(new.expiresAt.inWords)"
    ) {
      self.app.store.stored = new
    } modelWork: {
      $0.stored = new
    }
  }

  fileprivate func signingOut() -> Happening {
    Happening(words: "the user signs out") {
      self.app.store.stored = nil
    } modelWork: {
      $0.stored = nil
    }
  }

  fileprivate func changingTheList(isBlocked: Bool) -> Happening {
    Happening(words: isBlocked ? "the account is added to the block list" : "the account is removed from the block list") {
      self.app.blockList.isBlocked = isBlocked
    } modelWork: {
      $0.isBlocked = isBlocked
    }
  }

  private func releasing(_ index: Int) -> Happening {
    Happening(words: "the app releases \(name(index))") {
      _ = self.clients.withLock { $0.removeValue(forKey: index) }
    } modelWork: { _ in
    }
  }

  private func loading(
    _ second: BackEndRequest, with index: Int, _ layers: ManagerModel.Layers, sharingRefresh: Bool
  ) -> Happening {
    let patience = Deadline.seconds
    return Happening(words: "\(name(index)) also loads \(second.told)") {
      if sharingRefresh, layers.refreshesLikeTheDecorator {
        // A client may begin its work on a queue of its own. The second request waits for the refresh when it has read the store.
        self.app.journal.wait(for: "store: credentials?", seconds: patience) { self.send(second, with: index) }
      } else {
        self.send(second, with: index)
      }
    } modelWork: {
      $0.loadTogether(second, through: layers, sharingRefresh: sharingRefresh)
    }
  }

  /// Makes up what happens before the back end responds to a request; `nil` if the page leaves open what that leads to.
  private func happening(
    during moment: BackEnd.Moment, _ request: BackEndRequest, _ index: Int, _ layers: ManagerModel.Layers,
    using random: inout SeededRandom
  ) -> Happening? {
    let (backEnd, isDecorator) = (model.backEnd, layers.refreshesLikeTheDecorator)
    // If a refresh succeeds while the user changes, the page leaves open what is stored then.
    let canChangeUser = !isDecorator && (moment == .refresh ? !backEnd.refresh.isSuccess : !backEnd.announcesBlock)
    let announcesBlock = layers.blocks && backEnd.announcesBlock
    switch random.pick("time", "time", "release", "release", "release", "load", "load", "load", "sign-in", "sign-in", "sign-out")
    {
    case "time":
      // The manager may count the lifetime of new credentials from the moment at which they arrive.
      guard moment == .request || isDecorator || !backEnd.refresh.isSuccess else { return nil }
      return passing([0.5, 60, 900], &random)
    case "release": return releasing(index)
    case "load":
      // Two requests may share a refresh or not, so its credentials have to be valid for the second one.
      guard !announcesBlock, !(isDecorator && backEnd.rejectsTokens), moment == .request || backEnd.refresh.isUseful else {
        return nil
      }
      // Two paths tell the requests apart.
      let other = self.request(through: layers, using: &random)
      let second = random.pick(false, false, true) ? BackEndRequest(other.kind, request.path) : other
      return loading(second, with: index, layers, sharingRefresh: moment == .refresh)
    case "sign-in":
      guard canChangeUser else { return nil }
      let signIn = signingIn(&random)
      guard moment == .refresh, !announcesBlock, random.pick(false, true) else { return signIn }
      // The new user's request may wait for the refresh, but it needs nothing of it.
      let load = loading(self.request(through: layers, using: &random), with: index, layers, sharingRefresh: false)
      return Happening(words: "\(signIn.words), and \(load.words)") {
        signIn.work()
        load.work()
      } modelWork: {
        signIn.modelWork(&$0)
        load.modelWork(&$0)
      }
    default: return canChangeUser ? signingOut() : nil
    }
  }
}

extension String {
  /// The text with an initial capital letter.
  fileprivate var capitalizedSentence: String { prefix(1).uppercased() + dropFirst() }
}
