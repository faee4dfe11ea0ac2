import Given
import TestSupport
import Testing

@testable import Exercise9

/// The learner's credentials provider, its callers, its users, and a clock, and what the page says about them. What it leaves open does
/// not happen.
final class RefreshRun: RandomRun {
  /// What may happen.
  static var events: [RandomEvent<RefreshRun>] {
    [
      RandomEvent(6) { await $0.call(using: &$1) },
      RandomEvent(3) { await $0.refreshSucceeds(lifetime: $1.pick(900, 0, 0.2, 0.6), keepsToken: $1.pick(false, true)) },
      RandomEvent(4) { await $0.refreshFails(with: $1.pick(SampleError.refused, .random(using: &$1), .random(using: &$1))) },
      RandomEvent(2) { await $0.cancel(using: &$1) },
      RandomEvent(2) { await $0.pass($1.pick(900, 899.9, 60, 0.5, 0.1)) },
      RandomEvent(1) { run, _ in await run.signOut() },
      RandomEvent(1) { run, _ in await run.signIn() },
    ]
  }

  private struct Call: Hashable {
    let caller: Int
    var isSecond = false
  }

  private let clock = ManualClock()
  private let refresher = AsyncCredentialsRefresherSpy()
  private let store: CredentialsStoreSpy
  private let results = Inbox<(call: Call, word: String)>()
  private var sut: CredentialsProvider?
  private var callers: [Running<Void>] = []

  private var stored: Credentials?
  private var effects: [String] = []
  /// What the calls have to end with.
  private var outcomes: [(call: Call, word: String)] = []
  /// The number of calls. Each may read the store.
  private var reads = 0
  /// The credentials that are being refreshed.
  private var beingRefreshed: Credentials?
  private var joined: [Call] = []
  private var callersThatCallAgain: Set<Int> = []
  private var canceled: Set<Call> = []
  private var tokens = 1
  private var user = "ada"

  /// - Parameter lifetime: The time in seconds until the stored credentials expire.
  init(lifetime: TimeInterval) {
    let first = Credentials(accessToken: "ada-1", refreshToken: "ada-1-refresh", expiresAt: clock.date + lifetime)
    (stored, store) = (first, CredentialsStoreSpy(first))
    super.init(setting: "It is \(clock.date.inWords). Ada is signed in with \(first.inWords).")
    sut = CredentialsProvider(store: store, refresher: refresher, now: { [clock] in clock.date })
    leaks.track(sut as AnyObject)
  }

  override func observed() async -> [String] {
    let refreshes = refresher.calls.arguments
    return refreshes.map { "a refresh with \($0) starts" }
      + store.writes.values.map { $0.map { "\($0.accessToken) is stored" } ?? "the store is emptied" }
      + refresher.calls.canceled.map { "the refresh with \(refreshes[$0]) is canceled" }
      // A canceled caller may end before the refresh.
      + results.values.filter { !canceled.contains($0.call) || !joined.contains($0.call) }.map(inWords)
  }

  override var predicted: [String] { effects + outcomes.map(inWords) }

  override func release() async { sut = nil }

  override func nextEnding() -> (() async -> Void)? {
    beingRefreshed == nil ? nil : { [self] in await refreshSucceeds(lifetime: 900, keepsToken: false) }
  }

  /// One or more callers call `credentials()`, and perhaps once more after the result.
  private func call(using random: inout SeededRandom) async {
    let (count, again) = (random.pick(1, 2, 3), random.pick(false, false, true))
    // If the credentials of the next user have expired, their refresh may wait for that of the previous user.
    if let stored, clock.date >= stored.expiresAt, let beingRefreshed, beingRefreshed != stored { return }
    let numbers = (1...count).map { callers.count + $0 }
    if again { callersThatCallAgain.formUnion(numbers) }
    for number in numbers { serve(Call(caller: number)) }
    let who = count == 1 ? "Caller \(numbers[0]) calls" : "Callers \(numbers.map(String.init).joined(separator: " and ")) call"
    await event("\(time): \(who) `credentials()`\(again ? ", and once more after the result" : "").") {
      for number in numbers { start(number, again: again) }
      await settle()
    }
  }

  private func start(_ number: Int, again: Bool) {
    guard let sut else { return }
    let thread = CurrentThread()
    callers.append(
      Running(on: thread) { [results, store] in
        results.receive((Call(caller: number), await sut.result(with: store)))
        guard again, !Task.isCancelled else { return }
        results.receive((Call(caller: number, isSecond: true), await sut.result(with: store)))
      })
    thread.runsUntilSuspended()
  }

  private func refreshSucceeds(lifetime: TimeInterval, keepsToken: Bool) async {
    guard let old = beingRefreshed else { return }
    var new = nextCredentials(of: String(old.accessToken.prefix { $0 != "-" }), lifetime: lifetime)
    if keepsToken { new.refreshToken = old.refreshToken }
    let isStillTheirs = stored == old
    if isStillTheirs {
      stored = new
      effects.append("\(new.accessToken) is stored")
    }
    await end(
      old, with: .success(new), "The refresh with \(old.refreshToken) succeeds with \(new.inWords).",
      word: isStillTheirs ? new.accessToken : "signedOut")
  }

  private func nextCredentials(of user: String, lifetime: TimeInterval) -> Credentials {
    tokens += 1
    return Credentials(
      accessToken: "\(user)-\(tokens)", refreshToken: "\(user)-\(tokens)-refresh", expiresAt: clock.date + lifetime)
  }

  private func signOut() async {
    guard stored != nil else { return }
    stored = nil
    await event("\(time): The user signs out.") { store.stored = nil }
  }

  /// The next user signs in with credentials that are valid for a while.
  private func signIn() async {
    user = user == "ada" ? "grace" : "ada"
    let new = nextCredentials(of: user, lifetime: 900)
    stored = new
    await event("\(time): \(user.capitalized) signs in with \(new.inWords).") { store.stored = new }
  }

  private func refreshFails(with trouble: SampleError) async {
    guard let old = beingRefreshed else { return }
    let word = trouble.isRefusal ? "sessionExpired" : trouble.inWords
    await end(
      old, with: .failure(trouble.error), "The refresh with \(old.refreshToken) fails with \(trouble.inWords).",
      word: stored == old ? word : "signedOut")
  }

  /// Ends a refresh, and waits until every caller has come as far as it can.
  private func end(_ old: Credentials, with result: Result<Credentials, any Error>, _ sentence: String, word: String) async {
    let calls = joined
    (beingRefreshed, joined) = (nil, [])
    for call in calls { end(call, word) }
    await event("\(time): \(sentence)") {
      let calls = refresher.calls
      let open = calls.unfinished.last { calls.arguments[$0] == old.refreshToken }
      if let open { calls.complete(open, with: result) }
      await settle()
    }
  }

  private func cancel(using random: inout SeededRandom) async {
    let waiting = joined.filter { !canceled.contains($0) }
    let position = random.pick(0, 1, 2)
    guard !waiting.isEmpty else { return }
    let call = waiting[position % waiting.count]
    canceled.insert(call)
    await event("\(time): Caller \(call.caller) is canceled.") {
      callers[call.caller - 1].cancel()
      await settle()
    }
  }

  private func pass(_ seconds: TimeInterval) async {
    clock.advance(by: seconds)
    await event("\(seconds) seconds pass. It is \(time).")
  }

  /// What a call leads to.
  private func serve(_ call: Call) {
    reads += 1
    guard let stored else { return end(call, "signedOut") }
    if clock.date < stored.expiresAt { return end(call, stored.accessToken) }
    if beingRefreshed == nil { effects.append("a refresh with \(stored.refreshToken) starts") }
    beingRefreshed = stored
    joined.append(call)
  }

  private func end(_ call: Call, _ word: String) {
    outcomes.append((call, word))
    guard callersThatCallAgain.contains(call.caller), !call.isSecond, !canceled.contains(call) else { return }
    serve(Call(caller: call.caller, isSecond: true))
  }

  private func inWords(_ call: Call, _ word: String) -> String {
    let caller = "caller \(call.caller)\(call.isSecond ? "'s second call" : "")"
    return canceled.contains(call) ? "\(caller) ends" : "\(caller) receives \(word)"
  }

  /// Waits until every caller has come as far as it can. Callers may call again after the results that the run waits for.
  private func settle() async {
    await eventually { await observed().sorted() == predicted.sorted() }
    await tasksSettled { store.reads.values.count >= reads }
  }

  private var time: String { clock.date.inWords }
}

extension CredentialsProvider {
  /// The access token, or the error in words. Credentials should be in the store before they are returned.
  fileprivate nonisolated func result(with store: CredentialsStoreSpy) async -> String {
    do {
      let credentials = try await credentials()
      return credentials.accessToken + (credentials == store.stored ? "" : ", which is not in the store")
    } catch {
      return error.inWords
    }
  }
}
