import Given
import TestSupport

/// What the page promises of the provider, as plain values.
struct RefreshModel {
  struct Call: Hashable {
    let caller: Int
    var isSecond = false
  }

  private(set) var stored: Credentials?
  private(set) var effects: [String] = []
  /// What the calls have ended with.
  private(set) var results: [(call: Call, word: String)] = []
  /// The number of calls. Each has to read the store.
  private(set) var reads = 0
  /// The credentials that are being refreshed.
  private(set) var beingRefreshed: Credentials?
  private var joined: [Call] = []
  private var callersThatCallAgain: Set<Int> = []
  private var canceled: Set<Call> = []

  init(stored: Credentials?) {
    self.stored = stored
  }

  /// The calls that wait for the refresh and have not been canceled.
  var waiting: [Call] { joined.filter { !canceled.contains($0) } }

  /// Whether a call has been canceled during a refresh that is still in flight.
  func mayEndEarly(_ call: Call) -> Bool { canceled.contains(call) && joined.contains(call) }

  mutating func call(_ caller: Int, again: Bool, at now: Date) {
    if again { callersThatCallAgain.insert(caller) }
    serve(Call(caller: caller), at: now)
  }

  mutating func cancel(_ call: Call) {
    canceled.insert(call)
  }

  mutating func endRefresh(with result: Result<Credentials, any Error>, at now: Date) {
    let calls = joined
    (beingRefreshed, joined) = (nil, [])
    if case .success(let new) = result {
      stored = new
      effects.append("\(new.accessToken) is stored")
    }
    for call in calls {
      switch result {
      case .success(let new): end(call, new.accessToken, at: now)
      case .failure(is TokenEndpoint.Refused): end(call, "sessionExpired", at: now)
      case .failure(let error): end(call, error.inWords, at: now)
      }
    }
  }

  func inWords(_ call: Call, _ word: String) -> String {
    let caller = "caller \(call.caller)\(call.isSecond ? "'s second call" : "")"
    return canceled.contains(call) ? "\(caller) ends" : "\(caller) receives \(word)"
  }

  private mutating func serve(_ call: Call, at now: Date) {
    reads += 1
    guard let stored else { return end(call, "signedOut", at: now) }
    guard now >= stored.expiresAt else { return end(call, stored.accessToken, at: now) }
    if beingRefreshed == nil { effects.append("a refresh with \(stored.refreshToken) starts") }
    beingRefreshed = stored
    joined.append(call)
  }

  private mutating func end(_ call: Call, _ word: String, at now: Date) {
    results.append((call, word))
    guard callersThatCallAgain.contains(call.caller), !call.isSecond, !canceled.contains(call) else { return }
    serve(Call(caller: call.caller, isSecond: true), at: now)
  }
}
