import Given
import TestSupport
import Testing

/// A story about the requests of users whose accounts are blocked and unblocked, and about what each stack logs.
final class StackStory: Story {
  /// How a request ends.
  enum Ending: Sendable {
    case response(Int, String)
    case failure(Trouble)
    /// Another client, further inside, has stopped the request.
    case stopped(HTTPClientError)
  }

  /// What else happens during a call of `load`, or in its completion.
  enum Extra: Sendable {
    case nothing
    case loadsAgain
    /// The call to the client takes time before it returns, or before the client completes the request.
    case slowClient(TimeInterval)
    case slowCaller(TimeInterval)
  }

  enum Event: Sendable {
    case load(StoryRequest, immediately: Ending?, Extra)
    case end(Int, Ending, isOnMainQueue: Bool)
    case advance(TimeInterval)
    case block
    case unblock
    case signIn
    case release
  }

  static func event(using random: inout SeededRandom) -> Event {
    let seconds = [0.0004, 0.3000004, 0.7, 2, 7200].randomElement(using: &random)!
    let announcement = [#"{"error": "permanently_blocked"}"#, #"{"since":2026,"error":"permanently_blocked"}"#]
    let ending: Ending =
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3: .response(403, announcement.randomElement(using: &random)!)
      case 3: .response([200, 401, 500].randomElement(using: &random)!, announcement[0])
      case 4: .response(403, ["", "permanently_blocked?", #"{"error": "not_yours"}"#].randomElement(using: &random)!)
      case 5: .stopped([.permanentlyBlocked, .signedOut, .sessionExpired].randomElement(using: &random)!)
      case 6: .response([200, 201, 204, 304, 401, 404, 503].randomElement(using: &random)!, "text")
      default: .failure(Trouble.random(using: &random))
      }
    let extra: Extra = [.nothing, .nothing, .nothing, .loadsAgain, .slowClient(seconds), .slowCaller(seconds)].randomElement(
      using: &random)!
    switch Int.random(in: 0..<21, using: &random) {
    case 0..<7:
      let request: StoryRequest = Int.random(in: 0..<3, using: &random) == 0 ? .random(using: &random) : .plain
      return .load(request, immediately: Int.random(in: 0..<3, using: &random) == 0 ? ending : nil, extra)
    case 7..<13: return .end(Int.random(in: 0..<9, using: &random), ending, isOnMainQueue: Bool.random(using: &random))
    case 13..<16: return .advance(seconds)
    case 16: return .block
    case 17: return .unblock
    case 18: return .release
    default: return .signIn
    }
  }

  let leaks = LeakTracker()
  let setting: [String]
  private let stage: Stage
  private var model: StackModel
  private var names = StoryNames()
  private var numberOfRequests = 0

  init(using random: inout SeededRandom) {
    let logsOutside = Bool.random(using: &random)
    let stack = logsOutside ? Subject.loggerOutside : .blockOutside
    let isBlocked = Int.random(in: 0..<4, using: &random) == 0
    stage = Stage(stack, isBlocked: isBlocked, leaks)
    model = StackModel(logsOutside: logsOutside, user: names.user(), isBlocked: isBlocked)
    setting = ["The stack is `\(stack)`. \(model.user) is signed in\(isBlocked ? ", whose account is on the list" : "")."]
  }

  func play(_ event: Event) async -> String? {
    switch event {
    case .load(let request, let ending, let extra): await load(request, ending, extra)
    case .end(let position, let ending, let isOnMainQueue): await end(position, ending, isOnMainQueue)
    case .advance(let seconds): advance(by: seconds)
    case .block: setBlocked(true)
    case .unblock: setBlocked(false)
    case .signIn: signIn()
    case .release: release()
    }
  }

  var expected: [String] { model.effects }

  var observed: [String] { stage.observed + ["the account is \(stage.blockList.isBlocked ? "" : "not ")on the list"] }

  func release() -> String? {
    guard stage.isInUse else { return nil }
    stage.release()
    return "The app releases the stack. Only requests in flight still need it."
  }

  func nextEnding() -> Event? {
    let count = stage.calls.unfinished.count
    return count == 0
      ? nil : .end(0, count.isMultiple(of: 2) ? .response(200, "late") : .failure(.timedOut), isOnMainQueue: false)
  }
}

// What happens, to the learner's stack and to the model.
extension StackStory {
  private func load(_ story: StoryRequest, _ ending: Ending?, _ extra: Extra) async -> String? {
    guard stage.isInUse else { return nil }
    let request = story.request(for: path())
    var next: URLRequest?
    var (clientTakes, callerTakes): (TimeInterval, TimeInterval) = (0, 0)
    switch extra {
    case .nothing: break
    case .loadsAgain: next = .story(path())
    case .slowClient(let seconds): clientTakes = seconds
    case .slowCaller(let seconds): callerTakes = seconds
    }

    let isSent = model.load(request, then: next, at: stage.clock.now)
    if isSent, let ending {
      model.end(model.lastIndex, with: ending.result, at: stage.clock.now + .seconds(clientTakes))
    }
    await stage.load(
      request, then: next, callerTakes: callerTakes, clientTakes: clientTakes, immediately: ending?.result)

    var sentence = "The app loads \(request.inWords)."
    if let next { sentence += " The completion loads \(next.name)." }
    if callerTakes > 0 { sentence += " The completion will take \(callerTakes) seconds." }
    if isSent, clientTakes > 0 { sentence += " The call to the client takes \(clientTakes) seconds." }
    if isSent, let ending {
      sentence += " Before the call to the client returns, \(request.name) gets \(ending.result.inDetail)."
    }
    return sentence
  }

  private func end(_ position: Int, _ ending: Ending, _ isOnMainQueue: Bool) async -> String? {
    let open = stage.calls.unfinished
    guard !open.isEmpty else { return nil }
    let index = open[position % open.count]
    var result = ending.result
    // The page does not say whose account a block concerns if it arrives after another user has signed in.
    if model.sender(of: index) != model.user, result.announcesBlock { result = .status(403) }
    model.end(index, with: result, at: stage.clock.now)
    let name = stage.calls.arguments[index].name
    await stage.end(index, with: result, on: isOnMainQueue ? .main : .background)
    return "\(name) gets \(result.inDetail), on \(isOnMainQueue ? "the main" : "another") queue."
  }

  private func advance(by seconds: TimeInterval) -> String? {
    stage.clock.advance(by: seconds)
    return "\(seconds) seconds pass."
  }

  private func setBlocked(_ isBlocked: Bool) -> String? {
    guard model.isBlocked != isBlocked else { return nil }
    (model.isBlocked, stage.blockList.isBlocked) = (isBlocked, isBlocked)
    return "\(model.user)'s account is \(isBlocked ? "added to" : "removed from") the list."
  }

  private func signIn() -> String? {
    (model.user, model.isBlocked) = (names.user(), false)
    stage.blockList.isBlocked = false
    return "\(model.user), who is not on the list, signs in."
  }

  /// Makes up a path with a query. Two requests in a row may be equal.
  private func path() -> String {
    numberOfRequests += 1
    let number = (numberOfRequests + 1) / 2
    return "\(["/articles", "/articles/42/title", "/Users/ada"][number % 3])?number=\(number)"
  }
}

extension StackStory.Ending {
  fileprivate var result: HTTPResult {
    switch self {
    case .response(let status, let body): .status(status, body)
    case .failure(let failure): .failure(failure.error)
    case .stopped(let error): .failure(error)
    }
  }
}

extension HTTPResult {
  fileprivate var announcesBlock: Bool {
    guard case .success((let data, let response)) = self else { return false }
    return PermanentBlock.isAnnounced(by: data, response)
  }
}

/// What the page promises, as plain values.
private struct StackModel {
  private struct Request {
    let request: URLRequest
    let sender: String
    let start: ContinuousClock.Instant
    /// The request that the app loads after the result.
    let next: URLRequest?
  }

  let logsOutside: Bool
  var user: String
  var isBlocked: Bool
  private var sent: [Request] = []
  private var past: [String] = []

  init(logsOutside: Bool, user: String, isBlocked: Bool) {
    (self.logsOutside, self.user, self.isBlocked) = (logsOutside, user, isBlocked)
  }

  /// Everything that may be observed.
  var effects: [String] { past + ["the account is \(isBlocked ? "" : "not ")on the list"] }

  /// The index of the request that was sent last.
  var lastIndex: Int { sent.count - 1 }

  func sender(of index: Int) -> String { sent[index].sender }

  /// - Returns: Whether the request is sent.
  @discardableResult
  mutating func load(_ request: URLRequest, then next: URLRequest? = nil, at now: ContinuousClock.Instant) -> Bool {
    let load = Request(request: request, sender: user, start: now, next: next)
    if isBlocked {
      let result = HTTPResult.failure(HTTPClientError.permanentlyBlocked)
      if logsOutside { log(load, result, at: now) }
      deliver(result, to: load, at: now)
    } else {
      sent.append(load)
      past.append("the client receives \(request.inWords)")
    }
    return !isBlocked
  }

  mutating func end(_ index: Int, with result: HTTPResult, at now: ContinuousClock.Instant) {
    if result.announcesBlock { isBlocked = true }
    let delivered = result.announcesBlock ? .failure(HTTPClientError.permanentlyBlocked) : result
    log(sent[index], logsOutside ? delivered : result, at: now)
    deliver(delivered, to: sent[index], at: now)
  }

  private mutating func log(_ load: Request, _ result: HTTPResult, at now: ContinuousClock.Instant) {
    let outcome: HTTPLogRecord.Outcome =
      switch result {
      case .success((_, let response)): .status(response.statusCode)
      case .failure(let error): .init(of: error)
      }
    let (method, path) = (load.request.httpMethod ?? "", load.request.url?.path ?? "")
    past.append(HTTPLogRecord(method: method, path: path, outcome: outcome, duration: load.start.duration(to: now)).inWords)
  }

  private mutating func deliver(_ result: HTTPResult, to load: Request, at now: ContinuousClock.Instant) {
    past.append("\(load.request.name) receives \(result.inDetail)")
    if let next = load.next { self.load(next, at: now) }
  }
}
