import Given
import TestSupport
import Testing

/// A story about the requests of users whose accounts are blocked and unblocked, and about what each stack logs.
final class StackStory: Story {
  enum Event: Sendable {
    /// The app loads a path. The call to the client, and the completion, may take time, and the completion may load another path.
    case load(
      String, StoryRequest = .plain, then: String? = nil, clientTakes: TimeInterval = 0, callerTakes: TimeInterval = 0,
      immediately: HTTPResult? = nil)
    case end(Int = 0, with: HTTPResult, isOnMainQueue: Bool = false, thenPass: TimeInterval = 0)
    case advance(by: TimeInterval)
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
        path(using: &random), Int.random(in: 0..<3, using: &random) == 0 ? .random(using: &random) : .plain,
        then: extra == 1 ? path(using: &random) : nil, clientTakes: extra == 2 ? seconds : 0,
        callerTakes: extra == 3 ? seconds : 0,
        immediately: Int.random(in: 0..<3, using: &random) == 0 ? result(using: &random) : nil)
    case 7..<13:
      return .end(
        Int.random(in: 0..<9, using: &random), with: result(using: &random), isOnMainQueue: Bool.random(using: &random),
        thenPass: Int.random(in: 0..<4, using: &random) == 0 ? seconds : 0)
    case 13..<16: return .advance(by: seconds)
    case 16: return .setBlocked(true)
    case 17: return .setBlocked(false)
    // Afterward, nothing can be loaded.
    case 18: return Int.random(in: 0..<3, using: &random) == 0 ? .release : .setBlocked(false)
    default: return .signIn
    }
  }

  static func simpler(_ event: Event) -> [Event] {
    if case .end(let position, let result, let isOnMainQueue, thenPass: 0.0001...) = event {
      return [.end(position, with: result, isOnMainQueue: isOnMainQueue)]
    }
    guard case .load(let path, let request, let next, let clientTakes, let callerTakes, let result) = event else { return [] }
    let isSimple = next == nil && clientTakes == 0 && callerTakes == 0
    return (isSimple ? [] : [.load(path, request, immediately: result)])
      + request.simpler.map {
        .load(path, $0, then: next, clientTakes: clientTakes, callerTakes: callerTakes, immediately: result)
      }
  }

  /// Makes up a path with a query. Two requests may be equal.
  private static func path(using random: inout SeededRandom) -> String {
    let path = ["/articles", "/articles/42/title", "/Users/ada"].randomElement(using: &random)!
    return "\(path)?number=\(Int.random(in: 1...2, using: &random))"
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

  static let leakMessage: Comment =
    "All requests are complete, but something still retains the client or a completion. Check what your closures capture."

  let leaks = LeakTracker()
  let setting: [String]
  private let world: World
  private var model: StackModel
  private var names = StoryNames()

  /// - Parameters:
  ///   - subject: The client that the story is about.
  ///   - isBlocked: Whether the account is on the list at first.
  init(_ subject: Subject, isBlocked: Bool = false) {
    world = World(subject, isBlocked: isBlocked, leaks)
    model = StackModel(subject: subject, user: names.user(), isBlocked: isBlocked)
    let stack = subject.blocks && subject.logs ? "The stack is `\(subject)`. " : ""
    setting = ["\(stack)\(model.user)\(isBlocked ? ", whose account is on the block list," : "") is signed in."]
  }

  convenience init(using random: inout SeededRandom) {
    let stack = Bool.random(using: &random) ? Subject.loggerOutside : .blockOutside
    let isBlocked = Int.random(in: 0..<4, using: &random) == 0
    // What is part of the setting can't be left out of the shortest story, and no pull request is about an account that is blocked
    // from the start.
    self.init(PullRequest.underReview?.subject ?? stack, isBlocked: PullRequest.underReview == nil && isBlocked)
  }

  func play(_ event: Event) async -> String? {
    switch event {
    case .load(let path, let request, let next, let clientTakes, let callerTakes, let result):
      guard world.isInUse else { return nil }
      return await load(request.request(for: path), next.map(URLRequest.story), clientTakes, callerTakes, result)
    case .end(let position, let result, let isOnMainQueue, let seconds):
      guard let index = world.calls.unfinished.at(position) else { return nil }
      return await end(index, result, isOnMainQueue: isOnMainQueue, thenPass: seconds)
    case .advance(let seconds):
      world.clock.advance(by: seconds)
      return "\(seconds) seconds pass."
    case .setBlocked(let isBlocked):
      guard model.isBlocked != isBlocked else { return nil }
      (model.isBlocked, world.blockList.isBlocked) = (isBlocked, isBlocked)
      return "\(model.user)'s account is \(isBlocked ? "added to" : "removed from") the list."
    case .signIn:
      (model.user, model.isBlocked, world.blockList.isBlocked) = (names.user(), false, false)
      return "\(model.user), whose account is not on the block list, signs in."
    case .release:
      return release()
    }
  }

  var expected: [String] { model.effects }

  var observed: [String] { world.observed }

  func remark(on differences: [String]) -> String? { world.remark(on: differences) }

  func release() -> String? {
    guard world.isInUse else { return nil }
    world.release()
    return "The app releases the stack. Only requests in flight still need it."
  }

  func nextEnding() -> Event? {
    let count = world.calls.unfinished.count
    return count == 0
      ? nil : .end(with: count.isMultiple(of: 2) ? .status(200, "late") : .failure(URLError(.timedOut)))
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
    if model.load(request, then: next, at: world.clock.now) {
      if clientTakes > 0 { sentence += " The client's `load` returns after \(clientTakes) seconds." }
      if let result {
        sentence += " The client completes it with \(result.inDetail) before its `load` returns."
        model.end(model.sent.count - 1, with: result, at: world.clock.now + .seconds(clientTakes))
      }
    } else if let result {
      sentence += " The client would complete it with \(result.inDetail)."
    }
    await world.load(request, then: next, callerTakes: callerTakes, clientTakes: clientTakes, immediately: result)
    return sentence
  }

  private func end(_ index: Int, _ result: HTTPResult, isOnMainQueue: Bool, thenPass seconds: TimeInterval) async -> String {
    let request = model.sent[index]
    // The time that a layer inside of the logger takes to deliver, and that until the next load, are open.
    let seconds = model.subject == .loggerOutside || request.next != nil ? 0 : seconds
    // The page does not say whose account a block concerns if it arrives after another user has signed in.
    let result = result.announcesBlock && request.sender != model.user ? .status(403) : result
    let name = request.request.name
    let equal = world.calls.unfinished.filter { model.sent[$0].request.name == name }
    let which =
      equal.count > 1 ? "request \((equal.firstIndex(of: index) ?? 0) + 1) of \(equal.count) in flight to \(name)" : name
    model.end(index, with: result, at: world.clock.now)
    await world.end(index, with: result, on: isOnMainQueue ? .main : .newBackgroundQueue, thenPass: seconds)
    let place = isOnMainQueue ? "the main queue" : "another queue"
    return "The client completes \(which) with \(result.inDetail), on \(place)."
      + (seconds > 0 ? " Immediately afterward, \(seconds) seconds pass." : "")
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

  let subject: Subject
  var user: String
  var isBlocked: Bool
  private(set) var sent: [Request] = []
  /// Everything that may be observed.
  private(set) var effects: [String] = []

  init(subject: Subject, user: String, isBlocked: Bool) {
    (self.subject, self.user, self.isBlocked) = (subject, user, isBlocked)
  }

  /// - Returns: Whether the request is sent.
  @discardableResult
  mutating func load(_ request: URLRequest, then next: URLRequest? = nil, at now: ContinuousClock.Instant) -> Bool {
    let load = Request(request: request, sender: user, start: now, next: next)
    if subject.blocks, isBlocked {
      let result = HTTPResult.failure(HTTPClientError.permanentlyBlocked)
      if subject == .loggerOutside { log(load, result, at: now) }
      deliver(result, to: load, at: now)
      return false
    }
    sent.append(load)
    effects.append("the client receives \(request.inWords)")
    return true
  }

  mutating func end(_ index: Int, with result: HTTPResult, at now: ContinuousClock.Instant) {
    let stops = subject.blocks && result.announcesBlock
    if stops, !isBlocked {
      isBlocked = true
      effects.append("the account is on the block list")
    }
    let delivered = stops ? .failure(HTTPClientError.permanentlyBlocked) : result
    if subject.logs { log(sent[index], subject == .loggerOutside ? delivered : result, at: now) }
    deliver(delivered, to: sent[index], at: now)
  }

  private mutating func log(_ load: Request, _ result: HTTPResult, at now: ContinuousClock.Instant) {
    let outcome: HTTPLogRecord.Outcome =
      switch result {
      case .success((_, let response)): .status(response.statusCode)
      case .failure(let error): .init(of: error)
      }
    let (method, path) = (load.request.httpMethod ?? "", load.request.url?.path ?? "")
    effects.append(HTTPLogRecord(method: method, path: path, outcome: outcome, duration: load.start.duration(to: now)).inWords)
  }

  private mutating func deliver(_ result: HTTPResult, to load: Request, at now: ContinuousClock.Instant) {
    effects.append("\(load.request.name) receives \(result.inDetail)")
    if let next = load.next { self.load(next, at: now) }
  }
}
