import Given
import TestSupport

@testable import Exercise9

/// A story about callers that need credentials, a clock, and users who come and leave.
///
/// It avoids what the page leaves open: a caller that arrives during the refresh of a previous user may wait for its end. That
/// refresh therefore ends immediately afterward, before anything is checked.
final class RefreshStory: Story {
  enum Event: Sendable {
    case call(count: Int = 1, again: Bool = false)
    case endRefresh(Int = 0, with: End, userLeaves: Bool = false)
    case cancel(Int = 0)
    case advance(TimeInterval)
    case signOut
    case signIn(lifetime: TimeInterval)
    case restore
  }

  typealias End = Result<(keepsRefreshToken: Bool, lifetime: TimeInterval), Trouble>

  static func event(using random: inout SeededRandom) -> Event {
    let position = [0, 0, 1, 2, 3].randomElement(using: &random)!
    switch Int.random(in: 0..<22, using: &random) {
    case 0..<6:
      return .call(count: Int.random(in: 1...3, using: &random), again: Int.random(in: 0..<3, using: &random) == 0)
    case 6..<9:
      let end = (
        keepsRefreshToken: Bool.random(using: &random), lifetime: [0, 0.2, 0.6, 900, 900].randomElement(using: &random)!
      )
      return .endRefresh(position, with: .success(end), userLeaves: Int.random(in: 0..<6, using: &random) == 0)
    case 9..<13:
      let trouble = Int.random(in: 0..<3, using: &random) == 0 ? .refused : Trouble.random(using: &random)
      return .endRefresh(position, with: .failure(trouble))
    case 13..<15: return .cancel(position)
    case 15..<17: return .advance([0.1, 0.5, 60, 899.9, 900].randomElement(using: &random)!)
    case 17: return .signOut
    case 18..<20: return .signIn(lifetime: [0.2, 0.6, 300.4, -60].randomElement(using: &random)!)
    default: return .restore
    }
  }

  let leaks = LeakTracker()
  private let clock = ManualClock()
  private let refresher = AsyncCredentialsRefresherSpy()
  private let store: CredentialsStoreSpy
  private let queue = OneQueue()
  private let results = Inbox<RefreshModel.Outcome>()
  private var sut: CredentialsProvider?
  private var callers: [Running<Void>] = []
  private var model: RefreshModel
  private var names = StoryNames()
  private let first: Credentials

  /// - Parameters:
  ///   - lifetime: The time in seconds until the stored credentials expire.
  ///   - isSignedIn: Whether a user is signed in.
  init(lifetime: TimeInterval = 0, isSignedIn: Bool = true) {
    first = names.credentials(of: names.user(), expiringAt: clock.date + lifetime)
    store = CredentialsStoreSpy(isSignedIn ? first : nil)
    model = RefreshModel(stored: isSignedIn ? first : nil)
    let sut = CredentialsProvider(store: store, refresher: refresher, now: { [clock] in clock.readDate() })
    leaks.track(sut as AnyObject)
    self.sut = sut
  }

  convenience init(using random: inout SeededRandom) {
    self.init(lifetime: [0, 0.3].randomElement(using: &random)!)
  }

  var setting: [String] {
    ["It is \(time). " + (model.stored.map { "Ada is signed in with \(inWords($0))." } ?? "No one is signed in.")]
  }

  func play(_ event: Event) async -> String? {
    guard var sentence = happen(event) else { return nil }
    await settled()
    while case .call = event, let old = model.overtaken {
      guard let index = refresher.calls.unfinished.first(where: { refresher.calls.arguments[$0] == old.refreshToken }) else {
        break
      }
      sentence += " " + end(index, of: old, .failure(.offline), userLeaves: false)
      await settled()
    }
    return sentence
  }

  private func happen(_ event: Event) -> String? {
    switch event {
    case .call(let count, let again): return call(count, again: again)
    case .endRefresh(let position, let result, let userLeaves):
      guard let index = refresher.calls.unfinished.newest(position),
        let old = model.openRefreshes.first(where: { $0.refreshToken == refresher.calls.arguments[index] })
      else { return nil }
      return end(index, of: old, result, userLeaves: userLeaves && model.stored == old)
    case .cancel(let position): return cancel(at: position)
    case .advance(let seconds):
      clock.advance(by: seconds)
      return "\(seconds) seconds pass. It is \(time)."
    case .signOut:
      guard model.stored != nil else { return nil }
      store(nil)
      return "\(time): The user signs out."
    case .signIn(let lifetime):
      let name = names.user()
      let new = names.credentials(of: name, expiringAt: clock.date + lifetime)
      store(new)
      return "\(time): \(name) signs in with \(inWords(new))."
    case .restore: return restore()
    }
  }

  var expected: [String] { model.effects + model.outcomes.map(model.inWords) }

  var observed: [String] {
    refresher.calls.arguments.map { "a refresh with \($0) starts" }
      + store.writes.values.map { $0.map { "\($0.accessToken) is stored" } ?? "the store is emptied" }
      + refresher.calls.cancelled.map { refresher.calls.arguments[$0] }.filter { !model.mayBeCanceled.contains($0) }
      .map { "the refresh with \($0) is canceled" }
      // A canceled caller may end before the refresh.
      + results.values.filter { !model.mayEndEarly($0.call) }.map(model.inWords)
  }

  func remark(on differences: [String]) -> String? { clock.remark(on: differences, about: "a refresh with") }

  func release() -> String? {
    sut = nil
    return nil
  }

  func nextEnding() -> Event? {
    refresher.calls.unfinished.isEmpty ? nil : .endRefresh(with: .renewed())
  }
}

// What happens, to the learner's provider and to the model.
extension RefreshStory {
  private func call(_ count: Int, again: Bool) -> String? {
    guard let sut else { return nil }
    let numbers = (0..<count).map { callers.count + $0 + 1 }
    for number in numbers {
      model.call(number, again: again, at: clock.date)
      callers.append(
        Running(on: queue) { [results, store] in
          results.receive(.init(call: .init(caller: number), word: await sut.outcome(with: store)))
          guard again, !Task.isCancelled else { return }
          results.receive(.init(call: .init(caller: number, isSecond: true), word: await sut.outcome(with: store)))
        })
    }
    let names =
      count == 1 ? "Caller \(numbers[0]) calls" : "Callers \(numbers[0]) \(count == 2 ? "and" : "to") \(numbers[count - 1]) call"
    return "\(time): \(names) `credentials()`\(again ? ", and once more after the result" : "")."
  }

  private func end(_ index: Int, of old: Credentials, _ end: End, userLeaves: Bool) -> String {
    var sentence = "\(time): "
    if userLeaves {
      sentence += "The user signs out at the last moment, before the new credentials are stored. "
      store.letTheUserSignOut()
      model.stored = nil
    }
    let result = end.map { names.renewed(old, keepingRefreshToken: $0.keepsRefreshToken, expiringAt: clock.date + $0.lifetime) }
      .mapError(\.error)
    model.endRefresh(of: old, with: result, at: clock.date)
    refresher.calls.finish(index, with: result)
    switch result {
    case .success(let new): return sentence + "The refresh with \(old.refreshToken) succeeds with \(inWords(new))."
    case .failure(let error): return sentence + "The refresh with \(old.refreshToken) fails with \(error.inWords)."
    }
  }

  private func cancel(at position: Int) -> String? {
    guard let call = model.waiting.newest(position) else { return nil }
    model.cancel(call)
    callers[call.caller - 1].cancel()
    return "\(time): Caller \(call.caller) is canceled."
  }

  private func restore() -> String? {
    let last = model.lastRefreshed ?? first
    // Whether the same credentials share the refresh in flight is left open.
    guard model.stored != last, !model.openRefreshes.contains(where: { $0.refreshToken == last.refreshToken }) else { return nil }
    store(last)
    return "\(time): The device is restored from a backup. The store holds \(inWords(last))."
  }

  private func store(_ credentials: Credentials?) {
    model.stored = credentials
    store.stored = credentials
  }

  /// Waits until every caller has come as far as it can.
  private func settled() async {
    // Callers may call again after the results that the story waits for.
    if model.overtaken == nil { await eventually { observed.sorted() == expected.sorted() } }
    await queue.settled()
    // A solution may continue in another task. Each round has the lowest priority, so it runs after that.
    for round in 0..<20 where round < 1 || store.reads.values.count < model.reads {
      await Task.detached(priority: .background) {}.value
    }
    await queue.settled()
  }

  private var time: String { clock.date.inWords }

  private func inWords(_ credentials: Credentials) -> String {
    "\(credentials.accessToken) (expiry: \(credentials.expiresAt.inWords), refresh token: \(credentials.refreshToken))"
  }
}

/// What the page promises, as plain values.
struct RefreshModel {
  struct Call: Hashable {
    let caller: Int
    var isSecond = false
  }

  struct Outcome {
    let call: Call
    let word: String
  }

  private struct Refresh {
    let old: Credentials
    var waiting: [Call] = []
    var isOpen = true
  }

  var stored: Credentials? {
    didSet { mayBeCanceled += refreshes.filter { $0.isOpen && $0.old != stored }.map(\.old.refreshToken) }
  }
  private(set) var effects: [String] = []
  private(set) var outcomes: [Outcome] = []
  /// The refresh tokens whose user has signed out during the refresh: a solution may then cancel it.
  private(set) var mayBeCanceled: [String] = []
  /// The number of calls. Each has to read the store.
  private(set) var reads = 0
  private var refreshes: [Refresh] = []
  private var callersThatCallAgain: Set<Int> = []
  private var canceled: Set<Call> = []

  init(stored: Credentials?) {
    self.stored = stored
  }

  /// The credentials that are being refreshed.
  var openRefreshes: [Credentials] { refreshes.filter(\.isOpen).map(\.old) }

  /// Credentials that are being refreshed, although they are no longer stored.
  var overtaken: Credentials? { openRefreshes.first { $0 != stored } }

  /// The last credentials that were refreshed, or are being refreshed, and are not stored.
  var lastRefreshed: Credentials? { refreshes.last { $0.old != stored }?.old }

  /// The calls that wait for a refresh and have not been canceled.
  var waiting: [Call] {
    refreshes.filter(\.isOpen).flatMap(\.waiting).filter { !canceled.contains($0) }
  }

  /// Whether a call has been canceled during a refresh that is still in flight.
  func mayEndEarly(_ call: Call) -> Bool {
    canceled.contains(call) && refreshes.contains { $0.isOpen && $0.waiting.contains(call) }
  }

  mutating func call(_ caller: Int, again: Bool, at now: Date) {
    if again { callersThatCallAgain.insert(caller) }
    serve(Call(caller: caller), at: now)
  }

  mutating func cancel(_ call: Call) {
    canceled.insert(call)
  }

  mutating func endRefresh(of old: Credentials, with result: Result<Credentials, any Error>, at now: Date) {
    guard let index = refreshes.firstIndex(where: { $0.isOpen && $0.old == old }) else { return }
    refreshes[index].isOpen = false
    let isStillSignedIn = stored == old
    if isStillSignedIn, case .success(let new) = result {
      stored = new
      effects.append("\(new.accessToken) is stored")
    }
    for call in refreshes[index].waiting {
      switch result {
      case _ where !isStillSignedIn: end(call, "signedOut", at: now)
      case .success(let new): end(call, new.accessToken, at: now)
      case .failure(is TokenEndpoint.Refused): end(call, "sessionExpired", at: now)
      case .failure(let error): end(call, error.inWords, at: now)
      }
    }
  }

  func inWords(_ outcome: Outcome) -> String {
    let call = "caller \(outcome.call.caller)\(outcome.call.isSecond ? "'s second call" : "")"
    return canceled.contains(outcome.call) ? "\(call) ends" : "\(call) receives \(outcome.word)"
  }

  private mutating func serve(_ call: Call, at now: Date) {
    reads += 1
    guard let stored else { return end(call, "signedOut", at: now) }
    guard now >= stored.expiresAt else { return end(call, stored.accessToken, at: now) }
    if let index = refreshes.firstIndex(where: { $0.isOpen && $0.old.refreshToken == stored.refreshToken }) {
      refreshes[index].waiting.append(call)
    } else {
      effects.append("a refresh with \(stored.refreshToken) starts")
      refreshes.append(Refresh(old: stored, waiting: [call]))
    }
  }

  private mutating func end(_ call: Call, _ word: String, at now: Date) {
    outcomes.append(Outcome(call: call, word: word))
    guard callersThatCallAgain.contains(call.caller), !call.isSecond, !canceled.contains(call) else { return }
    serve(Call(caller: call.caller, isSecond: true), at: now)
  }
}

extension CredentialsProvider {
  /// The access token, or the error in words. Credentials should be in the store before they are returned.
  fileprivate nonisolated func outcome(with store: CredentialsStoreSpy) async -> String {
    do {
      let credentials = try await credentials()
      return credentials.accessToken + (credentials == store.stored ? "" : ", which is not in the store")
    } catch {
      return error.inWords
    }
  }
}

extension RefreshStory.End {
  /// Credentials that are valid for 15 minutes.
  static func renewed(keepingRefreshToken keepsRefreshToken: Bool = false) -> Self {
    .success((keepsRefreshToken: keepsRefreshToken, lifetime: 900))
  }
}
