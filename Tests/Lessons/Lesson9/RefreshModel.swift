import Given
import TestSupport

/// What the page promises of the provider, as plain values.
struct RefreshModel {
  struct Call: Hashable {
    let caller: Int
    var isSecond = false
  }

  private struct Refresh {
    let old: Credentials
    var waiting: [Call] = []
    var isOpen = true
  }

  var stored: Credentials? {
    didSet {
      mayBeCanceled += refreshes.filter { $0.isOpen && $0.old != stored }.map(\.old.refreshToken)
      if let token = stored?.accessToken, !tokens.contains(token) { tokens.append(token) }
    }
  }
  private(set) var effects: [String] = []
  /// What the calls have ended with.
  private(set) var results: [(call: Call, word: String)] = []
  /// The refresh tokens whose user has signed out during the refresh: a solution may then cancel it.
  private(set) var mayBeCanceled: [String] = []
  /// The number of calls. Each has to read the store.
  private(set) var reads = 0
  /// The access tokens that have been stored so far.
  private(set) var tokens: [String]
  private var refreshes: [Refresh] = []
  private var callersThatCallAgain: Set<Int> = []
  private var canceled: Set<Call> = []

  init(stored: Credentials?) {
    self.stored = stored
    tokens = [stored?.accessToken].compactMap(\.self)
  }

  /// The credentials that are being refreshed.
  var openRefreshes: [Credentials] { refreshes.filter(\.isOpen).map(\.old) }

  func openRefresh(with refreshToken: String) -> Credentials? { openRefreshes.first { $0.refreshToken == refreshToken } }

  /// Credentials that are being refreshed, although they are no longer stored.
  var overtaken: Credentials? { openRefreshes.first { $0 != stored } }

  /// The last credentials that were refreshed, or are being refreshed, and are not stored.
  var lastRefreshed: Credentials? { refreshes.last { $0.old != stored }?.old }

  /// The calls that wait for a refresh and have not been canceled.
  var waiting: [Call] {
    refreshes.filter(\.isOpen).flatMap(\.waiting).filter { !canceled.contains($0) }
  }

  /// Whether a caller waits that calls again after the result.
  var someoneWillCallAgain: Bool {
    refreshes.contains { $0.isOpen && $0.waiting.contains { callersThatCallAgain.contains($0.caller) && !$0.isSecond } }
  }

  /// Whether a call has been canceled during a refresh that is still in flight.
  func mayEndEarly(_ call: Call) -> Bool {
    canceled.contains(call) && refreshes.contains { $0.isOpen && $0.waiting.contains(call) }
  }

  mutating func call(_ caller: Int, again: Bool, at now: Date) {
    if again { callersThatCallAgain.insert(caller) }
    serve(Call(caller: caller), at: now)
  }

  /// A caller calls because the server has rejected a token.
  mutating func reject(_ token: String, caller: Int, at now: Date) {
    serve(Call(caller: caller), rejecting: token, at: now)
  }

  /// Whether the stored credentials are being refreshed, although they have not expired: the server has rejected their token.
  func isReplacing(at now: Date) -> Bool {
    stored.map { stored in now < stored.expiresAt && openRefresh(with: stored.refreshToken) != nil } ?? false
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

  func inWords(_ call: Call, _ word: String) -> String {
    let caller = "caller \(call.caller)\(call.isSecond ? "'s second call" : "")"
    return canceled.contains(call) ? "\(caller) ends" : "\(caller) receives \(word)"
  }

  private mutating func serve(_ call: Call, rejecting token: String? = nil, at now: Date) {
    reads += 1
    guard let stored else { return end(call, "signedOut", at: now) }
    guard now >= stored.expiresAt || stored.accessToken == token else { return end(call, stored.accessToken, at: now) }
    if let index = refreshes.firstIndex(where: { $0.isOpen && $0.old.refreshToken == stored.refreshToken }) {
      refreshes[index].waiting.append(call)
    } else {
      effects.append("a refresh with \(stored.refreshToken) starts")
      refreshes.append(Refresh(old: stored, waiting: [call]))
    }
  }

  private mutating func end(_ call: Call, _ word: String, at now: Date) {
    results.append((call, word))
    guard callersThatCallAgain.contains(call.caller), !call.isSecond, !canceled.contains(call) else { return }
    serve(Call(caller: call.caller, isSecond: true), at: now)
  }
}
