import Given
import TestSupport

@testable import Exercise9

/// A story about callers that need credentials, a clock, and users who come and leave.
final class SharedRefreshStory: Story {
  enum Event: Sendable {
    case call(count: Int, again: Bool)
    case refreshSucceeds(Int, keepsRefreshToken: Bool, lifetime: TimeInterval)
    case refreshFails(Int, Trouble)
    case cancel(Int)
    case advance(TimeInterval)
    case signOut
    case signIn(lifetime: TimeInterval)
    case restore
  }

  static func event(using random: inout SeededRandom) -> Event {
    let position = [0, 0, 1, 2, 3].randomElement(using: &random)!
    switch Int.random(in: 0..<22, using: &random) {
    case 0..<6:
      return .call(count: Int.random(in: 1...3, using: &random), again: Int.random(in: 0..<3, using: &random) == 0)
    case 6..<9:
      return .refreshSucceeds(
        position, keepsRefreshToken: Bool.random(using: &random),
        lifetime: [0, 0.2, 0.6, 900, 900].randomElement(using: &random)!)
    case 9..<13: return .refreshFails(position, .random(using: &random))
    case 13..<15: return .cancel(position)
    case 15..<17: return .advance([0.1, 0.5, 60, 899.9, 900].randomElement(using: &random)!)
    case 17..<19: return .signOut
    case 19: return .signIn(lifetime: [0.2, 0.6, 300.4, -60].randomElement(using: &random)!)
    default: return .restore
    }
  }

  let leaks = LeakTracker()
  private let clock = ManualClock()
  private let refresher = AsyncCredentialsRefresherSpy(endsWhenCanceled: false)
  private let store: CredentialsStoreSpy
  private let queue = OneQueue()
  private let results = Inbox<SharedRefreshModel.Outcome>()
  private var sut: CredentialsProvider?
  private var calls: [Running<Void>] = []
  private var model: SharedRefreshModel
  private var names = StoryNames()
  private let first: Credentials

  init(using random: inout SeededRandom) {
    first = names.credentials(of: names.user(), expiringAt: clock.date + [0, 0.3].randomElement(using: &random)!)
    store = CredentialsStoreSpy(first)
    model = SharedRefreshModel(stored: first)
    let sut = CredentialsProvider(store: store, refresher: refresher, now: { [clock] in clock.date })
    leaks.track(sut as AnyObject)
    self.sut = sut
  }

  var setting: [String] {
    ["It is 12:00:00.000. Ada is signed in: \(inWords(first))."]
  }

  func play(_ event: Event) async -> String? {
    guard let sentence = happen(event) else { return nil }
    // Callers may call again after the results that the story waits for.
    await eventually { observed.sorted() == expected.sorted() }
    await settle()
    return sentence
  }

  private func happen(_ event: Event) -> String? {
    switch event {
    case .call(let count, let again): call(count, again: again)
    case .refreshSucceeds(let position, let keepsRefreshToken, let lifetime):
      endRefresh(at: position) { old in
        .success(names.renewed(old, keepingRefreshToken: keepsRefreshToken, expiringAt: clock.date + lifetime))
      }
    case .refreshFails(let position, let failure): endRefresh(at: position) { _ in .failure(failure.error) }
    case .cancel(let position): cancel(at: position)
    case .advance(let seconds): advance(by: seconds)
    case .signOut: signOut()
    case .signIn(let lifetime): signIn(for: lifetime)
    case .restore: restore()
    }
  }

  var expected: [String] {
    model.refreshes.map { "a refresh with \($0.old.refreshToken)" } + model.outcomes.map(model.inWords)
      + ["the store holds \(model.stored?.accessToken ?? "nothing")"]
  }

  var observed: [String] {
    refresher.calls.arguments.map { "a refresh with \($0)" }
      + refresher.calls.cancelled.map { refresher.calls.arguments[$0] }.filter { !model.mayBeCanceled.contains($0) }
      .map { "the refresh with \($0) is canceled" }
      // A canceled caller may end before the refresh.
      + results.values.filter { !model.mayEndEarly($0.call) }.map(model.inWords)
      + ["the store holds \(store.stored?.accessToken ?? "nothing")"]
  }

  func release() -> String? {
    sut = nil
    return nil
  }

  func nextEnding() -> Event? {
    if refresher.calls.unfinished.isEmpty { return nil }
    return model.isUnclear(at: clock.date) ? .signOut : .refreshSucceeds(0, keepsRefreshToken: false, lifetime: 900)
  }
}

// What happens, to the learner's provider and to the model.
extension SharedRefreshStory {
  private func call(_ count: Int, again: Bool) -> String? {
    guard let sut else { return nil }
    let callers = (0..<count).map { calls.count + $0 + 1 }
    for caller in callers {
      model.call(caller, again: again, at: clock.date)
      calls.append(
        Running(on: queue) { [results] in
          results.receive(.init(call: .init(caller: caller), word: await sut.outcome))
          guard again, !Task.isCancelled else { return }
          results.receive(.init(call: .init(caller: caller, isSecond: true), word: await sut.outcome))
        })
    }
    let first = callers.dropLast().map { "\($0)" }.joined(separator: ", ")
    let names = count == 1 ? "Caller \(callers[0]) calls" : "Callers \(first) and \(callers[count - 1]) call"
    return "\(time): \(names) `credentials()`\(again ? ", and again after the result" : "")."
  }

  private func endRefresh(
    at position: Int, with result: (Credentials) -> Result<Credentials, any Error>
  ) -> String? {
    guard let index = refresher.calls.unfinished.newest(position), !model.isUnclear(at: clock.date) else { return nil }
    let token = refresher.calls.arguments[index]
    guard let old = model.refreshes.first(where: { $0.isOpen && $0.old.refreshToken == token })?.old else { return nil }
    let result = result(old)
    model.endRefresh(of: old, with: result, at: clock.date)
    refresher.calls.finish(index, with: result)
    switch result {
    case .success(let new): return "\(time): The refresh with \(token) succeeds: \(inWords(new))."
    case .failure(let error): return "\(time): The refresh with \(token) fails: \(error.inWords)."
    }
  }

  private func cancel(at position: Int) -> String? {
    guard let call = model.waiting.newest(position) else { return nil }
    model.cancel(call)
    calls[call.caller - 1].cancel()
    return "\(time): Caller \(call.caller) is canceled."
  }

  private func advance(by seconds: TimeInterval) -> String? {
    clock.advance(by: seconds)
    return "\(seconds) seconds pass. It is \(time)."
  }

  private func signOut() -> String? {
    guard model.stored != nil else { return nil }
    store(nil)
    return "\(time): The user signs out."
  }

  private func signIn(for lifetime: TimeInterval) -> String? {
    let name = names.user()
    let new = names.credentials(of: name, expiringAt: clock.date + lifetime)
    store(new)
    return "\(time): \(name) signs in: \(inWords(new))."
  }

  private func restore() -> String? {
    let last = model.refreshes.last { $0.old != model.stored }?.old ?? first
    // Whether the same credentials share the refresh in flight is left open.
    guard model.stored != last, !model.refreshes.contains(where: { $0.isOpen && $0.old.refreshToken == last.refreshToken })
    else { return nil }
    store(last)
    return "\(time): The device is restored from a backup. The store holds \(inWords(last))."
  }

  private func store(_ credentials: Credentials?) {
    model.stored = credentials
    store.credentials = credentials
  }

  /// Waits until every caller has come as far as it can.
  private func settle() async {
    await queue.settled()
    // A solution may continue in another task. Each round has the lowest priority, so it runs after that.
    for round in 0..<20 where round < 1 || store.reads.values.count < model.reads {
      await Task.detached(priority: .background) {}.value
    }
    await queue.settled()
  }

  private var time: String { clock.date.inWords }

  private func inWords(_ credentials: Credentials) -> String {
    "\(credentials.accessToken) with the refresh token \(credentials.refreshToken), expiring at \(credentials.expiresAt.inWords)"
  }
}

/// What the page promises, as plain values.
struct SharedRefreshModel {
  struct Call: Hashable {
    let caller: Int
    var isSecond = false
  }

  struct Outcome {
    let call: Call
    let word: String
  }

  struct Refresh {
    let old: Credentials
    var waiting: [Call] = []
    var isOpen = true
  }

  var stored: Credentials? {
    didSet { mayBeCanceled += refreshes.filter { $0.isOpen && $0.old != stored }.map(\.old.refreshToken) }
  }
  private(set) var refreshes: [Refresh] = []
  private(set) var outcomes: [Outcome] = []
  /// The refresh tokens whose user has signed out during the refresh: a solution may then cancel it.
  private(set) var mayBeCanceled: [String] = []
  /// The number of calls. Each has to read the store.
  private(set) var reads = 0
  private var callersThatCallAgain: Set<Int> = []
  private var canceled: Set<Call> = []
  /// The calls that end with `signedOut` or a new user's credentials, with the access token of these.
  private var replaced: [Call: String] = [:]

  init(stored: Credentials?) {
    self.stored = stored
  }

  /// The calls that wait for a refresh and have not been canceled.
  var waiting: [Call] {
    refreshes.filter(\.isOpen).flatMap(\.waiting).filter { !canceled.contains($0) }
  }

  /// Whether a call has been canceled during a refresh that is still in flight.
  func mayEndEarly(_ call: Call) -> Bool {
    canceled.contains(call) && refreshes.contains { $0.isOpen && $0.waiting.contains(call) }
  }

  /// Whether a new user's credentials have expired that no refresh replaces yet. It is left open who would start that refresh.
  func isUnclear(at now: Date) -> Bool {
    guard let stored, now >= stored.expiresAt else { return false }
    return !refreshes.filter(\.isOpen).allSatisfy { $0.old == stored }
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
    if isStillSignedIn, case .success(let new) = result { stored = new }
    for call in refreshes[index].waiting {
      if !isStillSignedIn, let stored { replaced[call] = stored.accessToken }
      switch result {
      case _ where !isStillSignedIn: end(call, "signedOut", at: now)
      case .success(let new): end(call, new.accessToken, at: now)
      case .failure(is TokenEndpoint.Refused): end(call, "sessionExpired", at: now)
      case .failure(let error): end(call, error.inWords, at: now)
      }
    }
  }

  func inWords(_ outcome: Outcome) -> String {
    let call = "Caller \(outcome.call.caller)\(outcome.call.isSecond ? "'s second call" : "")"
    if canceled.contains(outcome.call) { return "\(call) ends" }
    if let new = replaced[outcome.call], ["signedOut", new].contains(outcome.word) { return "\(call) gets signedOut or \(new)" }
    return "\(call) gets \(outcome.word)"
  }

  private mutating func serve(_ call: Call, at now: Date) {
    reads += 1
    guard let stored else { return end(call, "signedOut", at: now) }
    guard now >= stored.expiresAt else { return end(call, stored.accessToken, at: now) }
    if let index = refreshes.firstIndex(where: { $0.isOpen && $0.old.refreshToken == stored.refreshToken }) {
      refreshes[index].waiting.append(call)
    } else {
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
  /// The access token, or the error in words.
  fileprivate nonisolated var outcome: String {
    get async {
      do { return try await credentials().accessToken } catch { return error.inWords }
    }
  }
}
