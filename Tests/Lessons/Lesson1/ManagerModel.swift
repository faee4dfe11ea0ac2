import Given
import TestSupport

/// What the page promises, as plain values.
struct ManagerModel {
  var now: Date
  var stored: Credentials?
  var isBlocked = false
  var backEnd = BackEnd()
  /// Requests, refreshes, and results.
  private(set) var effects: [String] = []
  /// What a request leads to whose account is blocked during its refresh, and what it receives if it is stopped.
  private(set) var doubtful: [(sending: String?, result: String, stopped: String)] = []
  /// The request that is loaded during the refresh for another one.
  private var waiting: BackEndRequest?
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

  mutating func load(_ request: BackEndRequest, interruptedBy interruption: BackEnd.Interruption<Self>? = nil) {
    load(request, sharingRefresh: false, interruption)
    if let waiting = waiting.take() { load(waiting, sharingRefresh: true, nil) }
  }

  /// Loads a request during the refresh for another one. Whether it shares that refresh or repeats it, it is sent with the same new
  /// token.
  mutating func loadDuringRefresh(_ request: BackEndRequest) {
    waiting = request
  }

  private mutating func load(
    _ request: BackEndRequest, sharingRefresh: Bool, _ interruption: BackEnd.Interruption<Self>?
  ) {
    let (wasBlocked, moment) = (isBlocked, interruption?.moment)
    var sending: String?
    func received(_ result: String) -> String { "\(request.method) \(request.path) receives \(result)" }
    func deliver(_ result: String, in model: inout Self) {
      model.effects.append(received(result))
      guard moment == .refresh, model.isBlocked, !wasBlocked, !model.backEnd.announcesBlock else { return }
      model.doubtful.append((sending, received(result), received("permanentlyBlocked")))
    }

    guard !isBlocked else { return deliver("permanentlyBlocked", in: &self) }
    guard var credentials = stored else { return deliver("signedOut", in: &self) }

    if now >= credentials.expiresAt {
      let start = now
      if !sharingRefresh { effects.append(refreshInWords) }
      if moment == .refresh { interruption?.modelWork(&self) }
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
    if moment == .request { interruption?.modelWork(&self) }
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
