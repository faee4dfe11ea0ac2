import Given
import TestSupport

/// What the pages say, as plain values: what each request leads to.
public struct ManagerModel {
  /// What a request passes through, from the outside in. A manager is all of it in one class, without the log.
  public struct Layers: Sendable {
    var blocks = true
    var authorizes = true
    /// Whether requests share a refresh, and a 401 leads to one.
    var refreshesLikeTheDecorator = false
    var logs = false

    /// What is inside Lesson 1's manager.
    public static let manager = Self()

    /// The layers of a client that a factory makes: those that are chosen, with Lesson 4's decorator in the manager's place.
    public static func chosen(blocks: Bool, authorizes: Bool, logs: Bool) -> Self {
      Self(blocks: blocks, authorizes: authorizes, refreshesLikeTheDecorator: authorizes, logs: logs)
    }
  }

  /// What one request leads to, in order, or if there are two, in any order.
  public struct Trace {
    /// The path of the request; `nil` for two requests, or none.
    public var path: String?
    public var entries: [String] = []
  }

  var now: Date
  var stored: Credentials?
  var isBlocked = false
  var backEnd = BackEnd()
  private(set) var traces = [Trace()]
  private var interruption: (moment: BackEnd.Moment, work: (inout Self) -> Void)?
  /// The request that is loaded during the refresh for another one.
  private var waiting: BackEndRequest?
  private var refreshed = Refreshed.failure("")

  private enum Refreshed {
    case credentials(Credentials)
    case failure(String)
  }

  init(now: Date, stored: Credentials?) {
    (self.now, self.stored) = (now, stored)
  }

  /// What the store and the block list hold.
  var state: [String] {
    let credentials = stored.map { "\($0.accessToken), which expires at \($0.expiresAt.inWords), with \($0.refreshToken)" }
    return ["the store holds \(credentials ?? "nothing")"] + (isBlocked ? ["the account is on the block list"] : [])
  }

  /// Loads a request; then the one that its completion loads, if any.
  mutating func load(
    _ request: BackEndRequest, then next: BackEndRequest?, through layers: Layers,
    interruptedBy interruption: (moment: BackEnd.Moment, work: (inout Self) -> Void)?
  ) {
    self.interruption = interruption
    traces.append(Trace(path: request.path))
    pass(request, through: layers)
    // Whether it shares the refresh or repeats it, it gets the same new token.
    if let waiting = waiting.take() { pass(waiting, through: layers, sharing: refreshed) }
    if let next { pass(next, through: layers) }
  }

  /// Loads a second request while the back end has yet to respond to the first one.
  mutating func loadTogether(_ second: BackEndRequest, through layers: Layers, sharingRefresh: Bool) {
    traces[traces.count - 1].path = nil
    if sharingRefresh { waiting = second } else { pass(second, through: layers) }
  }

  private mutating func add(_ entry: String) { traces[traces.count - 1].entries.append(entry) }

  private mutating func pass(_ request: BackEndRequest, through layers: Layers, sharing refresh: Refreshed? = nil) {
    if layers.blocks {
      add("block list: blocked?")
      if isBlocked { return receive("permanentlyBlocked", request) }
    }
    var result =
      layers.authorizes
      ? authorize(request, through: layers, sharing: refresh) : send(request, with: request.token, through: layers)
    if layers.blocks, result == StubServer.Response.permanentBlock.result {
      add("block list: block")
      isBlocked = true
      result = "permanentlyBlocked"
    }
    receive(result, request)
  }

  private mutating func receive(_ result: String, _ request: BackEndRequest) {
    add("caller: \(request.method) \(request.path) receives \(result)")
  }

  private mutating func authorize(_ request: BackEndRequest, through layers: Layers, sharing refresh: Refreshed?) -> String {
    guard let stored else { return "signedOut" }
    var credentials = Refreshed.credentials(stored)
    if let refresh { credentials = refresh } else if now >= stored.expiresAt { credentials = self.refresh(stored) }

    switch credentials {
    case .failure(let error): return error
    case .credentials(let first):
      let result = send(request, with: first.accessToken, through: layers)
      guard layers.refreshesLikeTheDecorator, backEnd.rejectsTokens else { return result }
      switch self.refresh(first) {
      case .failure(let error): return error
      case .credentials(let second): return send(request, with: second.accessToken, through: layers)
      }
    }
  }

  private mutating func refresh(_ old: Credentials) -> Refreshed {
    let start = now
    add("server: a refresh with \(old.refreshToken) starts")
    interrupt(.refresh)
    switch backEnd.refresh {
    case .failure(let response):
      refreshed = .failure(response.refreshResult)
    case .credentials(let lifetime, _):
      let (accessToken, refreshToken) = backEnd.renewed(old.refreshToken)
      let new = Credentials(accessToken: accessToken, refreshToken: refreshToken, expiresAt: start + lifetime)
      add("store: \(accessToken)")
      stored = new
      refreshed = .credentials(new)
    }
    return refreshed
  }

  private mutating func send(_ request: BackEndRequest, with token: String?, through layers: Layers) -> String {
    let start = now
    if layers.logs { add("stopwatch: time?") }
    add("server: \(request.sent) is sent with \(token ?? "no token")")
    interrupt(.request)
    if layers.logs {
      add("stopwatch: time?")
      add("log: \(request.method) \(request.path) \(backEnd.response.logged), \(now.timeIntervalSince(start)) seconds")
    }
    return backEnd.response.result
  }

  private mutating func interrupt(_ moment: BackEnd.Moment) {
    if interruption?.moment == moment { interruption.take()?.work(&self) }
  }

  /// Whether a request that is loaded now reaches a moment: the refresh before it, or its own response.
  func reaches(_ moment: BackEnd.Moment, through layers: Layers) -> Bool {
    if layers.blocks, isBlocked { return false }
    if !layers.authorizes { return moment == .request }
    guard let stored else { return false }
    let isExpired = now >= stored.expiresAt
    return moment == .request ? !isExpired || backEnd.refresh.isSuccess : isExpired
  }
}
