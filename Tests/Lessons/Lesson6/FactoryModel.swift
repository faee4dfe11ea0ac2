import Given
import TestSupport

/// What the page promises, as plain values: the trace of each request.
struct FactoryModel {
  var now: Date
  var stored: Credentials?
  var isBlocked = false
  var backEnd = BackEnd()
  /// The finished traces.
  private(set) var traces: [String] = []
  private var entries: [String] = []
  /// The path of the request that each trace is about; `nil` if it is about several requests, or about none.
  private(set) var paths: [String?] = [nil]
  private var interruption: BackEnd.Interruption<Self>?
  /// The request that is loaded during the refresh for another one.
  private var waiting: BackEndRequest?
  private var refreshResult = RefreshResult.failure("")

  init(now: Date, stored: Credentials?) {
    self.now = now
    self.stored = stored
  }

  /// One line for the entries of one request, in order. The entries of two requests are in any order.
  static func trace(_ entries: [String], of path: String?) -> [String] {
    guard let path else { return entries }
    return entries.isEmpty ? [] : ["the trace of \(path) is \(entries.joined(separator: " → "))"]
  }

  mutating func load(
    _ request: BackEndRequest, then next: BackEndRequest? = nil, with client: ClientKind,
    interruptedBy interruption: BackEnd.Interruption<Self>? = nil
  ) {
    self.interruption = interruption
    paths.append(request.path)
    pass(request, through: client)
    if let waiting = waiting.take() { pass(waiting, through: client, sharing: refreshResult) }
    if let next { pass(next, through: client) }
    traces += Self.trace(entries, of: paths[paths.count - 1])
    entries = []
  }

  /// Loads a second request while the back end has yet to respond to the first. The order of what happens to the two is open.
  mutating func loadTogether(_ second: BackEndRequest, with client: ClientKind, during moment: BackEnd.Moment) {
    paths[paths.count - 1] = nil
    switch moment {
    case .refresh: waiting = second
    case .request: pass(second, through: client)
    }
  }

  private mutating func pass(_ request: BackEndRequest, through client: ClientKind, sharing refresh: RefreshResult? = nil) {
    if client.isBlocking {
      entries.append("block list: blocked?")
      if isBlocked { return entries.append("caller: permanentlyBlocked") }
    }
    var result =
      client.isGuest
      ? send(request, with: request.token, through: client) : authorize(request, through: client, sharing: refresh)
    if client.isBlocking, result == StubServer.Response.permanentBlock.result {
      entries.append("block list: block")
      isBlocked = true
      result = "permanentlyBlocked"
    }
    entries.append("caller: \(result)")
  }

  private mutating func authorize(_ request: BackEndRequest, through client: ClientKind, sharing refresh: RefreshResult?)
    -> String
  {
    guard let stored else { return "signedOut" }
    var credentials = RefreshResult.credentials(stored)
    if let refresh { credentials = refresh } else if now >= stored.expiresAt { credentials = self.refresh(stored) }
    guard case .credentials(let first) = credentials else { return credentials.error }

    let result = send(request, with: first.accessToken, through: client)
    guard backEnd.rejectsTokens else { return result }
    credentials = self.refresh(first)
    guard case .credentials(let second) = credentials else { return credentials.error }
    return send(request, with: second.accessToken, through: client)
  }

  private mutating func refresh(_ old: Credentials) -> RefreshResult {
    let start = now
    entries.append("server: a refresh with \(old.refreshToken) starts")
    interrupt(.refresh)
    switch backEnd.refresh {
    case .failure(let response):
      refreshResult = .failure(response.refreshResult)
    case .credentials(let lifetime, _):
      let (accessToken, refreshToken) = backEnd.renewed(old.refreshToken)
      let new = Credentials(accessToken: accessToken, refreshToken: refreshToken, expiresAt: start + lifetime)
      entries.append("store: \(accessToken)")
      stored = new
      refreshResult = .credentials(new)
    }
    return refreshResult
  }

  private mutating func send(_ request: BackEndRequest, with token: String?, through client: ClientKind) -> String {
    let start = now
    if client.isLogging { entries.append("stopwatch: time?") }
    entries.append("server: \(request.sent) is sent with \(token ?? "no token")")
    interrupt(.request)
    if client.isLogging {
      let log = "log: \(request.method) \(request.path) \(backEnd.response.logged), \(now.timeIntervalSince(start)) seconds"
      entries += ["stopwatch: time?", log]
    }
    return backEnd.response.result
  }

  private mutating func interrupt(_ moment: BackEnd.Moment) {
    if interruption?.moment == moment { interruption.take()?.modelWork(&self) }
  }

  /// Whether a request that a client loads now reaches a moment.
  func reaches(_ moment: BackEnd.Moment, with client: ClientKind) -> Bool {
    if client.isBlocking, isBlocked { return false }
    if client.isGuest { return moment == .request }
    guard let stored else { return false }
    let isExpired = now >= stored.expiresAt
    return moment == .request ? !isExpired || backEnd.refresh.isSuccess : isExpired
  }

  /// Whether the page says what it means if a client loads a second request at a moment that the first one reaches.
  func canLoadTogether(with client: ClientKind, during moment: BackEnd.Moment) -> Bool {
    client.isGuest
      || !backEnd.rejectsTokens && !(client.isBlocking && backEnd.announcesBlock)
        && (moment == .request || backEnd.refresh.isUseful)
  }
}

extension FactoryModel {
  private enum RefreshResult {
    case credentials(Credentials)
    case failure(String)

    var error: String {
      if case .failure(let error) = self { error } else { "" }
    }
  }
}
