import Given
import TestSupport
import Testing

/// A story about a user's requests, their credentials, and a server that may reject both.
///
/// Random events avoid what the page leaves open:
///
/// - A request that arrives during the refresh of a previous user may wait for its end. That refresh therefore ends
///   immediately afterward, before anything is checked.
/// - A 401 for a previous user's request arrives only if no one is signed in.
/// - No request arrives if the stored token is one that the server has rejected, and if it has not expired: a solution may
///   remember that token, and refresh it for each request.
final class RefreshStory: Story {
  enum Event: Sendable {
    /// In place of an empty path, the story makes one up.
    case load([String] = [""], RequestKind = .plain, refreshEnds: RefreshEnd? = nil)
    case endRefresh(Int = 0, with: RefreshEnd, userLeaves: Bool = false)
    case respond(to: Target = .position(0), status: Int, refreshEnds: RefreshEnd? = nil)
    case fail(Target, with: Trouble)
    case advance(TimeInterval)
    case signOut
    /// Without credentials, the story makes some up.
    case signIn(with: Credentials? = nil, lifetime: TimeInterval = 900)
    case signInAgain(lifetime: TimeInterval)
    case release
  }

  /// What is special about a request.
  enum RequestKind: Sendable {
    case plain
    /// Its completion loads another one: after a 200, or after any result.
    case loadsAnother(String? = nil, afterAnyResult: Bool = false)
    /// The client responds before its `load` returns.
    case hasResponse(status: Int)
    /// It already has an `Authorization` header.
    case carries(String)
    case isStreaming

    fileprivate var isPlain: Bool { if case .plain = self { true } else { false } }
  }

  /// How a refresh ends. An event whose `refreshEnds` is set lets the refresh that it starts end before the call to the refresher
  /// returns.
  enum RefreshEnd: Sendable {
    case obtains(Credentials)
    /// The story makes up the new credentials.
    case renews(keepsRefreshToken: Bool = false, lifetime: TimeInterval = 900)
    case fails(Trouble)
  }

  /// A request in flight: the oldest that has a path, or the one at a position.
  enum Target: Sendable, ExpressibleByStringLiteral {
    case path(String)
    case position(Int)

    init(stringLiteral path: String) {
      self = .path(path)
    }
  }

  static func event(using random: inout SeededRandom) -> Event {
    let position = Int.random(in: 0..<9, using: &random)
    let failure = Trouble.random(using: &random)
    let success = RefreshEnd.renews(
      keepsRefreshToken: Bool.random(using: &random), lifetime: [900, 900, 900, 0.5, -5].randomElement(using: &random)!)
    // A refusal is the only failure of a refresh that means something else than the others.
    let end =
      Int.random(in: 0..<3, using: &random) == 0
      ? .fails([.refused, failure, failure].randomElement(using: &random)!) : success
    let immediateEnd = Int.random(in: 0..<3, using: &random) == 0 ? end : nil
    switch Int.random(in: 0..<25, using: &random) {
    case 0..<7:
      let kinds: [RequestKind] = [
        .hasResponse(status: 401), .hasResponse(status: 401), .hasResponse(status: 401), .hasResponse(status: 200),
        .loadsAnother(), .isStreaming,
      ]
      let kind = Bool.random(using: &random) ? .plain : kinds.randomElement(using: &random)!
      // Requests that are sent together can be rejected one after another. Whether they find the end of an immediate refresh is open.
      if kind.isPlain, Bool.random(using: &random) { return .load(["", ""]) }
      return .load([""], kind, refreshEnds: immediateEnd)
    case 7..<10: return .endRefresh(position, with: end)
    case 10: return .endRefresh(position, with: success, userLeaves: Int.random(in: 0..<3, using: &random) == 0)
    case 11..<13:
      return .respond(to: .position(position), status: [200, .status(using: &random)].randomElement(using: &random)!)
    case 13..<17: return .respond(to: .position(position), status: 401, refreshEnds: immediateEnd)
    // Some failures look like a 401, or like a refusal.
    case 17..<19:
      return .fail(
        .position(position), with: [.authenticationRequired, .refused, failure, failure].randomElement(using: &random)!)
    case 19..<21: return .advance([0.125, 0.25, 0.5, 300.5, 900].randomElement(using: &random)!)
    case 21: return .signOut
    case 22: return .signIn(lifetime: [0.25, 0.75, 300.5, -60].randomElement(using: &random)!)
    case 23: return .signInAgain(lifetime: [0.75, 300.5].randomElement(using: &random)!)
    // Afterward, nothing can be loaded.
    default: return Int.random(in: 0..<3, using: &random) == 0 ? .release : .signIn(lifetime: 300.5)
    }
  }

  let leaks = LeakTracker()
  private let world: World
  private var model: RefreshModel
  private var names = StoryNames()
  private var userCount = 1
  /// Whether the events are random.
  private let isRandom: Bool
  /// Whether the user and the decorator stay until the end. Then more requests overlap.
  private let isQuiet: Bool
  /// What the learner's code has not done in time.
  private var omissions: [String] = []

  /// - Parameters:
  ///   - credentials: The stored credentials; `nil` if no one is signed in.
  ///   - isRandom: Whether the events are random.
  ///   - isQuiet: Whether the user and the decorator stay until the end.
  init(_ credentials: Credentials?, isRandom: Bool = false, isQuiet: Bool = false) {
    world = World(credentials, leaks)
    model = RefreshModel(stored: credentials, now: { [clock = world.clock] in clock.date })
    (self.isRandom, self.isQuiet) = (isRandom, isQuiet)
  }

  convenience init(using random: inout SeededRandom) {
    var names = StoryNames()
    let lifetime = [0.75, 0.75, 300.5].randomElement(using: &random)!
    self.init(
      names.credentials(of: names.user(), expiringAt: ManualClock().date + lifetime), isRandom: true,
      isQuiet: Int.random(in: 0..<3, using: &random) == 0)
    self.names = names
  }

  static let leakMessage: Comment =
    "All requests are complete, but something still retains the decorator or a completion. Check your closures and lists."

  var setting: [String] {
    ["It is \(time). " + (model.stored.map { "The store holds \($0.inWords)." } ?? "No one is signed in.")]
  }

  func play(_ event: Event) async -> String? {
    world.immediateEnds.withLock { $0 = [:] }
    model.immediateEnds = [:]
    (model.arrivals, model.joined) = (0, [])
    model.overtaken = nil
    var sentence: String?
    switch event {
    case .signOut where isQuiet, .signIn where isQuiet, .signInAgain where isQuiet, .release where isQuiet: return nil
    case .load(let paths, let kind, let end): sentence = await load(paths, kind, end)
    case .endRefresh(let position, let end, let userLeaves): sentence = await endRefresh(at: position, end, userLeaves)
    case .respond(let target, let status, let end): sentence = await respond(to: target, status, end)
    case .fail(let target, let trouble): sentence = await endRequest(target) { _ in .failure(trouble.error) }
    case .advance(let seconds): sentence = advance(by: seconds)
    case .signOut: sentence = signOut()
    case .signIn(let credentials, let lifetime): sentence = signIn(with: credentials, for: lifetime)
    case .signInAgain(let lifetime): sentence = signInAgain(for: lifetime)
    case .release: sentence = release()
    }
    while sentence != nil, let overtaken = model.overtaken { sentence? += await endOvertaken(overtaken) }
    return sentence
  }

  var expected: [String] { model.effects }

  var observed: [String] {
    world.observed + (model.isIdle ? world.retainedCompletions : []) + omissions
  }

  func remark(on differences: [String]) -> String? { world.clock.remark(on: differences, about: "a refresh with") }

  func release() -> String? {
    guard !model.isReleased else { return nil }
    model.isReleased = true
    world.release()
    return "\(time): The app releases the decorator. Only the requests in flight still need it."
  }

  func nextEnding() -> Event? {
    if !world.refresher.calls.unfinished.isEmpty { return .endRefresh(with: .renews()) }
    return world.client.calls.unfinished.isEmpty ? nil : .respond(status: 200)
  }
}

// What happens, to the learner's decorator and to the model.
extension RefreshStory {
  private func load(_ paths: [String], _ kind: RequestKind, _ end: RefreshEnd?) async -> String? {
    guard !model.isReleased, !isRandom || !model.isTokenInDoubt else { return nil }
    let paths = paths.map { $0.isEmpty ? names.path() : $0 }
    var sentence =
      "\(time): The app loads \(paths.dropLast().map { "\($0), " }.joined())\(paths.count > 1 ? "and " : "")\(paths.last!)"
    var request = RefreshModel.Request(path: "")
    var token = isRandom ? "the-callers-own" : nil
    switch kind {
    case .plain:
      sentence += "."
    case .loadsAnother(let path, let afterAnyResult):
      let next = path ?? names.path()
      request.next = (next, afterAnyResult)
      sentence += ". \(afterAnyResult ? "Its" : "After a 200, its") completion will load \(next)."
    case .hasResponse(let status):
      request.immediateStatus = status
      sentence += ". When that request is sent, the client completes it with \(status) before the client's `load` returns."
    case .carries(let header):
      token = header
      sentence += ", with \"\(header)\" in its `Authorization` header."
    case .isStreaming:
      request.isStreaming = true
      sentence += ", whose body is a stream."
    }
    let requests = paths.map { path in
      var request = request
      request.path = path
      return request
    }
    sentence += prepare(end) {
      for request in requests { model.load(request) }
    }
    await run { await world.load(requests, carrying: token) }
    return sentence
  }

  private func endRefresh(at position: Int, _ end: RefreshEnd, _ userLeaves: Bool) async -> String? {
    guard let index = world.refresher.calls.unfinished.at(position),
      let old = model.refreshes.first(where: { $0.old.refreshToken == world.refresher.calls.arguments[index] })?.old
    else { return nil }
    var sentence = "\(time): "
    if userLeaves, model.stored == old {
      sentence += "The user signs out at the last moment, before the new credentials are stored. "
      world.store.letTheUserSignOut()
      model.stored = nil
    }
    return await sentence + endRefresh(index, of: old, end)
  }

  /// Ends a refresh, because no one can tell from outside whether it has been joined.
  private func endOvertaken(_ old: Credentials) async -> String {
    model.overtaken = nil
    (model.arrivals, model.joined) = (0, [])
    let index = world.refresher.calls.unfinished.first { world.refresher.calls.arguments[$0] == old.refreshToken }
    guard let index else { return "" }
    return await " Then: " + endRefresh(index, of: old, .renews())
  }

  private func endRefresh(_ index: Int, of old: Credentials, _ end: RefreshEnd) async -> String {
    let result = result(of: old, end)
    model.endRefresh(of: old, with: result)
    await run { await world.endRefresh(index, with: result) }
    return "The refresh with \(old.refreshToken) \(result.inWords)."
  }

  private func respond(to target: Target, _ status: Int, _ end: RefreshEnd?) async -> String? {
    await endRequest(target, end) { request in
      let isOfPreviousUser = self.model.stored.map { $0.user != request.sentToken?.user } ?? false
      if self.isRandom, status == 401, isOfPreviousUser { return nil }
      return .response(status, to: request.path, sentWith: request.sentToken ?? "no token")
    }
  }

  private func endRequest(
    _ target: Target, _ end: RefreshEnd? = nil, with result: (URLRequest) -> HTTPResult?
  ) async -> String? {
    let open = world.client.calls.unfinished
    let index =
      switch target {
      case .path(let path): open.first { world.client.requests[$0].path == path }
      case .position(let position): open.at(position)
      }
    guard let index else { return nil }
    let request = world.client.requests[index]
    guard let result = result(request) else { return nil }
    if isRandom, model.isTokenInDoubt, model.leadsToARequest(request.asSent, result) { return nil }
    let endOfRefresh = prepare(end) { model.endRequest(request.asSent, with: result) }
    await run { await world.endRequest(index, with: result) }
    let call = "\(request.path) (sent with \(request.sentToken ?? "no token"))"
    return "\(time): The client completes \(call) with \(result.inWords)." + endOfRefresh
  }

  private func advance(by seconds: TimeInterval) -> String? {
    world.clock.advance(by: seconds)
    return "\(seconds) seconds pass. It is \(time)."
  }

  private func signOut() -> String? {
    guard model.stored != nil else { return nil }
    store(nil)
    return "\(time): The user signs out."
  }

  private func signIn(with credentials: Credentials?, for lifetime: TimeInterval) -> String? {
    guard credentials != nil || userCount < 5 else { return nil }
    userCount += 1
    let new = credentials ?? names.credentials(of: names.user(), expiringAt: world.clock.date + lifetime)
    store(new)
    return "\(time): Another user signs in. The store holds \(new.inWords)."
  }

  /// The back end returns the access token that it has issued before, if no refresh is under way.
  private func signInAgain(for lifetime: TimeInterval) -> String? {
    guard var again = model.stored, model.refreshes.isEmpty else { return nil }
    again.refreshToken += "-2"
    again.expiresAt = world.clock.date + lifetime
    store(again)
    return "\(time): The user signs in again. The store holds \(again.inWords)."
  }

  private func store(_ credentials: Credentials?) {
    model.stored = credentials
    world.signIn(with: credentials)
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
    world.immediateEnds.withLock { $0[old.refreshToken] = result }
    body()
    guard model.immediateEnds.isEmpty else {
      names = unused
      return ""
    }
    return
      " If a refresh with \(old.refreshToken) starts, it \(result.inWords) before the call to the refresher returns."
  }

  private func result(of old: Credentials, _ end: RefreshEnd) -> Result<Credentials, any Error> {
    let result: Result<Credentials, any Error> =
      switch end {
      case .obtains(let new): .success(new)
      case .renews(let keepsRefreshToken, let lifetime):
        .success(
          names.renewed(old, keepingRefreshToken: keepsRefreshToken, expiringAt: world.clock.date + lifetime))
      case .fails(let trouble): .failure(trouble.error)
      }
    world.note(result)
    return result
  }

  private func run(_ event: () async -> Bool) async {
    let store = world.store
    let reads = store.reads.values.count
    guard await event(), let joined = model.joined.last, model.overtaken == nil else { return }
    // A request that joins a refresh has no effect. A queue or a task should have read the store for it before the next event.
    if joined.rejected == nil {
      let isRead = await store.reads.receives(reads + model.arrivals)
      if !isRead, isRandom { omissions.append("the store is not read for \(joined.path)") }
    } else {
      await turns(40) { store.reads.values.count >= reads + model.arrivals }
      // After a 401, a solution may join the refresh of the rejected token without reading the store.
      if isRandom, store.reads.values.count < reads + model.arrivals { model.overtaken = model.stored }
    }
    await turns(2) { false }
  }

  private func turns(_ count: Int, until holds: () -> Bool) async {
    for _ in 0..<count where !holds() { _ = await returns(on: .global(qos: .utility)) {} }
  }

  private var time: String { world.clock.date.inWords }
}
