import Given
import TestSupport
import Testing

/// A story about the requests of users whose accounts are blocked and unblocked, and about what each stack logs.
final class StackStory: Story {
  enum Event: Sendable {
    /// The call to the client, and the completion, may take time.
    case load(StoryRequest, then: Bool, clientTakes: TimeInterval, callerTakes: TimeInterval, immediately: HTTPResult?)
    case end(Int, HTTPResult, isOnMainQueue: Bool)
    case advance(TimeInterval)
    case setBlocked(Bool)
    case signIn
    case release
  }

  static func event(using random: inout SeededRandom) -> Event {
    let seconds = [0.0004, 0.3000004, 0.7, 2, 7200].randomElement(using: &random)!
    switch Int.random(in: 0..<21, using: &random) {
    case 0..<7:
      let extra = Int.random(in: 0..<6, using: &random)
      return .load(
        Int.random(in: 0..<3, using: &random) == 0 ? .random(using: &random) : .plain, then: extra == 1,
        clientTakes: extra == 2 ? seconds : 0, callerTakes: extra == 3 ? seconds : 0,
        immediately: Int.random(in: 0..<3, using: &random) == 0 ? result(using: &random) : nil)
    case 7..<13:
      return .end(
        Int.random(in: 0..<9, using: &random), result(using: &random), isOnMainQueue: Bool.random(using: &random))
    case 13..<16: return .advance(seconds)
    case 16: return .setBlocked(true)
    case 17: return .setBlocked(false)
    case 18: return .release
    default: return .signIn
    }
  }

  static func simpler(_ event: Event) -> [Event] {
    guard case .load(let request, let next, let clientTakes, let callerTakes, let result) = event else { return [] }
    let isSimple = !next && clientTakes == 0 && callerTakes == 0
    return (isSimple ? [] : [.load(request, then: false, clientTakes: 0, callerTakes: 0, immediately: result)])
      + request.simpler.map {
        .load($0, then: next, clientTakes: clientTakes, callerTakes: callerTakes, immediately: result)
      }
  }

  private static func result(using random: inout SeededRandom) -> HTTPResult {
    let announcements = [#"{"error": "permanently_blocked"}"#, #"{"since":2026,"error":"permanently_blocked"}"#]
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<3: return .status(403, announcements.randomElement(using: &random)!)
    case 3:
      let status = Int.status(using: &random)
      return .status(status == 403 ? 401 : status, announcements[0])
    case 4: return .status(403, ["", "permanently_blocked?", #"{"error": "not_yours"}"#].randomElement(using: &random)!)
    // Another client, further inside, has stopped the request.
    case 5:
      return .failure([HTTPClientError.permanentlyBlocked, .signedOut, .sessionExpired].randomElement(using: &random)!)
    case 6: return .status(.status(using: &random), "text")
    default: return .failure(Trouble.random(using: &random).error)
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
    setting = ["The stack is `\(stack)`. \(model.user)\(isBlocked ? ", whose account is on the block list," : "") is signed in."]
  }

  func play(_ event: Event) async -> String? {
    switch event {
    case .load(let request, let loadsNext, let clientTakes, let callerTakes, let result):
      guard stage.isInUse else { return nil }
      let request = request.request(for: path())
      return await load(request, loadsNext ? .story(path()) : nil, clientTakes, callerTakes, result)
    case .end(let position, let result, let isOnMainQueue):
      let open = stage.calls.unfinished
      return open.isEmpty ? nil : await end(open[position % open.count], result, on: isOnMainQueue ? .main : .newBackgroundQueue)
    case .advance(let seconds):
      stage.clock.advance(by: seconds)
      return "\(seconds) seconds pass."
    case .setBlocked(let isBlocked):
      guard model.isBlocked != isBlocked else { return nil }
      (model.isBlocked, stage.blockList.isBlocked) = (isBlocked, isBlocked)
      return "\(model.user)'s account is \(isBlocked ? "added to" : "removed from") the list."
    case .signIn:
      (model.user, model.isBlocked, stage.blockList.isBlocked) = (names.user(), false, false)
      return "\(model.user), whose account is not on the block list, signs in."
    case .release:
      return release()
    }
  }

  var expected: [String] { model.effects }

  var observed: [String] { stage.observed + ["the account is \(stage.blockList.isBlocked ? "" : "not ")on the block list"] }

  func remark(on differences: [String]) -> String? { stage.remark(on: differences) }

  func release() -> String? {
    guard stage.isInUse else { return nil }
    stage.release()
    return "The app releases the stack. Only requests in flight still need it."
  }

  func nextEnding() -> Event? {
    let count = stage.calls.unfinished.count
    return count == 0
      ? nil : .end(0, count.isMultiple(of: 2) ? .status(200, "late") : .failure(URLError(.timedOut)), isOnMainQueue: false)
  }
}

// What happens, to the learner's stack and to the model.
extension StackStory {
  private func load(
    _ request: URLRequest, _ next: URLRequest?, _ clientTakes: TimeInterval, _ callerTakes: TimeInterval,
    _ result: HTTPResult?
  ) async -> String {
    var sentence = "The app loads \(request.told)."
    if let next { sentence += " The completion of this load will load \(next.name)." }
    if callerTakes > 0 { sentence += " The completion of this load will take \(callerTakes) seconds." }
    if model.load(request, then: next, at: stage.clock.now) {
      if clientTakes > 0 { sentence += " The client's `load` returns after \(clientTakes) seconds." }
      if let result {
        sentence += " The client completes it with \(result.inDetail) before its `load` returns."
        model.end(model.sent.count - 1, with: result, at: stage.clock.now + .seconds(clientTakes))
      }
    } else if let result {
      sentence += " The client would complete it with \(result.inDetail)."
    }
    await stage.load(request, then: next, callerTakes: callerTakes, clientTakes: clientTakes, immediately: result)
    return sentence
  }

  private func end(_ index: Int, _ result: HTTPResult, on queue: DispatchQueue) async -> String {
    let request = model.sent[index]
    // The page does not say whose account a block concerns if it arrives after another user has signed in.
    let result = result.announcesBlock && request.sender != model.user ? .status(403) : result
    let name = request.request.name
    let equal = stage.calls.unfinished.filter { model.sent[$0].request.name == name }
    let which =
      equal.count > 1 ? "request \((equal.firstIndex(of: index) ?? 0) + 1) of \(equal.count) in flight to \(name)" : name
    model.end(index, with: result, at: stage.clock.now)
    await stage.end(index, with: result, on: queue)
    let place = queue === DispatchQueue.main ? "the main queue" : "another queue"
    return "The client completes \(which) with \(result.inDetail), on \(place)."
  }

  /// Makes up a path with a query. Two requests in a row may be equal.
  private func path() -> String {
    numberOfRequests += 1
    let number = (numberOfRequests + 1) / 2
    return "\(["/articles", "/articles/42/title", "/Users/ada"][number % 3])?number=\(number)"
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
  struct Request {
    let request: URLRequest
    let sender: String
    let start: ContinuousClock.Instant
    /// The request that the app loads after the result.
    let next: URLRequest?
  }

  let logsOutside: Bool
  var user: String
  var isBlocked: Bool
  private(set) var sent: [Request] = []
  private var past: [String] = []

  init(logsOutside: Bool, user: String, isBlocked: Bool) {
    (self.logsOutside, self.user, self.isBlocked) = (logsOutside, user, isBlocked)
  }

  /// Everything that may be observed.
  var effects: [String] { past + ["the account is \(isBlocked ? "" : "not ")on the block list"] }

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
