import Given
import TestSupport
import Testing

import class Given.Locked
import class TestSupport.BlockListSpy
import class TestSupport.Calls
import class TestSupport.HTTPClientSpy
import typealias TestSupport.HTTPResult
import class TestSupport.Inbox
import class TestSupport.ManualClock
import struct TestSupport.RandomEvent
import enum TestSupport.SampleError
import class TestSupport.Scenario

@testable import Exercise5

/// What the learner writes, or what a pull request has made of it: the client that a story is about.
enum Subject: String {
  case blocking, logging, blockOutside, loggerOutside

  var blocks: Bool { self != .logging }
  var logs: Bool { self != .blocking }

  /// Wraps a client.
  func callAsFunction(
    around client: any HTTPClient, _ list: any BlockList, _ log: any HTTPLog, _ now: @escaping () -> ContinuousClock.Instant
  ) -> any HTTPClient {
    if let request = PullRequest.underReview { return request.make(client, list, log, now) }
    return switch self {
    case .blocking: Exercise5.blocking(client, with: list)
    case .logging: Exercise5.logging(client, to: log, now: now)
    case .blockOutside: Stacks.blockOutside(client: client, blockList: list, log: log, now: now)
    case .loggerOutside: Stacks.loggerOutside(client: client, blockList: list, log: log, now: now)
    }
  }
}

/// The client that a story is about, everything that it uses, a model of it, and what can happen to it.
final class World: Scenario {
  private let clock = ManualClock()
  /// The block list. What a story changes in it is not recorded; what the learner's code does to it is.
  private let blockList: BlockListSpy
  private let calls: Calls<URLRequest, HTTPResult>
  private let log = Inbox<HTTPLogRecord>()
  private let effects = Inbox<String>()
  /// What the client's next call does before it returns: time passes, and the request may end.
  private let whenCalled = Locked<(seconds: TimeInterval, result: HTTPResult?)?>(nil)
  private var sut: (any HTTPClient)?
  private var model: StackModel
  private var names = StoryNames()

  /// - Parameters:
  ///   - subject: The client that the story is about.
  ///   - isBlocked: Whether the account is on the list at first.
  init(_ subject: Subject, isBlocked: Bool = false) {
    blockList = BlockListSpy(
      isBlocked: isBlocked, onBlock: { [effects] in if !$0 { effects.receive("the account is on the block list") } })
    let client = HTTPClientSpy { [effects, clock, whenCalled] request in
      let event = whenCalled.withLock { $0.take() }
      clock.advance(by: event?.seconds ?? 0)
      // From here on, the story may go on to its next event, unless it expects a result.
      effects.receive("the client receives \(request.inWords)")
      return event?.result
    }
    calls = client.calls
    model = StackModel(subject: subject, user: names.user(), isBlocked: isBlocked)
    let stack = subject.blocks && subject.logs ? "The stack is `\(subject)`. " : ""
    super.init(
      setting: "\(stack)\(model.user)\(isBlocked ? ", whose account is on the block list," : "") is signed in.")
    leaks.track(client, as: "the client")
    sut = subject(
      around: client, BlockListRelay(to: blockList), LogRelay(to: log), { [clock] in clock.readInstant() })
  }

  /// What the client and the callers have received, when the account has been blocked, and what the log shows.
  override func observed() async -> [String] { effects.values + log.values.map(\.inWords) }

  override var predicted: [String]? { model.effects }

  /// Each record needs the time twice.
  override func remark(on differences: [String]) -> String? {
    clock.remark(on: differences, about: "the log shows", requiring: 2 * log.values.count)
  }

  override var leakMessage: String {
    "All requests are complete, but something still retains the client or a completion. Check what your closures capture."
  }

  override func release() async { await releaseStack() }

  override func nextEnding() -> (() async -> Void)? {
    let count = calls.unfinished.count
    if count == 0 { return nil }
    let result: HTTPResult = count.isMultiple(of: 2) ? .status(200, "late") : .failure(URLError(.timedOut))
    return { await self.end(with: result) }
  }
}

// What can happen.
extension World {
  /// The app loads a request.
  ///
  /// - Parameters:
  ///   - path: Its path and query.
  ///   - request: Its other properties.
  ///   - next: The path that its completion loads.
  ///   - clientTakes: The time in seconds that the client takes for the call.
  ///   - callerTakes: The time in seconds that its completion takes.
  ///   - result: What the request gets before the call to the client returns.
  func load(
    _ path: String, _ request: StoryRequest = .plain, then next: String? = nil, clientTakes: TimeInterval = 0,
    callerTakes: TimeInterval = 0, immediately result: HTTPResult? = nil, leadsToAllOf effects: [String] = [],
    at place: SourceLocation = #_sourceLocation
  ) async {
    guard sut != nil else { return impossible(at: place) }
    let (request, next) = (request.request(for: path), next.map(URLRequest.story))
    var sentence = "The app loads \(request.told)."
    if let next { sentence += " The completion of this load will load \(next.name)." }
    if callerTakes > 0 { sentence += " The completion of this load will take \(callerTakes) seconds." }
    if model.load(request, then: next, at: clock.now) {
      if clientTakes > 0 { sentence += " The client's `load` returns after \(clientTakes) seconds." }
      if let result {
        sentence += " The client completes it with \(result.inWordsWithBody) before its `load` returns."
        model.end(model.sent.count - 1, with: result, at: clock.now + .seconds(clientTakes))
      }
    } else if let result {
      sentence += " The client would complete it with \(result.inWordsWithBody)."
    }
    await event(sentence, leadsToAllOf: effects, at: place) {
      whenCalled.withLock { $0 = (clientTakes, result) }
      await load(request, then: next, callerTakes: callerTakes)
    }
  }

  private func load(_ request: URLRequest, then next: URLRequest?, callerTakes: TimeInterval) async {
    guard let sut else { return }
    let lifetime = leaks.lifetime(of: "a completion")
    // Without a next request, the completion must not retain the client that the story is about.
    let loadNext = next.map { [effects] next in
      { sut.load(next) { effects.receive("\(next.name) receives \($0.inWordsWithBody)") } }
    }
    await perform("the app's call to `load`") { [effects, clock] in
      sut.load(request) { result in
        withExtendedLifetime(lifetime) { loadNext?() }
        clock.advance(by: callerTakes)
        effects.receive("\(request.name) receives \(result.inWordsWithBody)")
      }
    }
  }

  /// A request in flight ends, and immediately afterward, some seconds pass.
  func end(
    _ position: Int = 0, with result: HTTPResult, isOnMainQueue: Bool = false, thenPass seconds: TimeInterval = 0,
    leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    guard let index = index(at: position) else { return impossible(at: place) }
    let name = model.sent[index].request.name
    let equal = calls.unfinished.filter { model.sent[$0].request.name == name }
    let which =
      equal.count > 1 ? "request \((equal.firstIndex(of: index) ?? 0) + 1) of \(equal.count) in flight to \(name)" : name
    var sentence =
      "The client completes \(which) with \(result.inWordsWithBody), on \(isOnMainQueue ? "the main queue" : "another queue")."
    if seconds > 0 { sentence += " Immediately afterward, \(seconds) seconds pass." }
    model.end(index, with: result, at: clock.now)
    await event(sentence, leadsToAllOf: effects, at: place) {
      whenCalled.withLock { $0 = nil }
      await perform("the client's completion", on: isOnMainQueue ? .main : .newBackgroundQueue) { [calls, clock] in
        calls.complete(index, with: result)
        clock.advance(by: seconds)
      }
    }
  }

  /// The index of the request in flight at a position.
  private func index(at position: Int) -> Int? {
    calls.unfinished.at(position).flatMap { model.sent.indices.contains($0) ? $0 : nil }
  }

  func advance(
    by seconds: TimeInterval, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    clock.advance(by: seconds)
    await event("\(seconds) seconds pass.", leadsToAllOf: effects, at: place)
  }

  /// Support adds the account to the block list, or removes it.
  func setBlocked(
    _ isBlocked: Bool, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    guard model.isBlocked != isBlocked else { return impossible(at: place) }
    (model.isBlocked, blockList.isBlocked) = (isBlocked, isBlocked)
    await event(
      "\(model.user)'s account is \(isBlocked ? "added to" : "removed from") the list.", leadsToAllOf: effects, at: place)
  }

  /// Another user signs in.
  func signIn(leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation) async {
    (model.user, model.isBlocked, blockList.isBlocked) = (names.user(), false, false)
    await event("\(model.user), whose account is not on the block list, signs in.", leadsToAllOf: effects, at: place)
  }

  func releaseStack(leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation) async {
    guard sut != nil else { return impossible(at: place) }
    sut = nil
    await event("The app releases the stack. Only requests in flight still need it.", leadsToAllOf: effects, at: place)
  }
}

// What happens in random stories.
extension World {
  convenience init(using random: inout SeededRandom) {
    let stack = Bool.random(using: &random) ? Subject.loggerOutside : .blockOutside
    let isBlocked = Int.random(in: 0..<4, using: &random) == 0
    // What is part of the setting can't be left out of the shortest story, and no pull request is about an account that is blocked
    // from the start.
    self.init(PullRequest.underReview?.subject ?? stack, isBlocked: PullRequest.underReview == nil && isBlocked)
  }

  static var randomEvents: [RandomEvent<World>] {
    [
      RandomEvent(7) { world, random in
        let path = path(using: &random)
        let request: StoryRequest = Int.random(in: 0..<3, using: &random) == 2 ? .random(using: &random) : .plain
        let result = Int.random(in: 0..<3, using: &random) == 2 ? result(using: &random) : nil
        switch Int.random(in: 0..<6, using: &random) {
        case 0..<3: await world.load(path, request, immediately: result)
        case 3: await world.load(path, request, then: Self.path(using: &random), immediately: result)
        case 4: await world.load(path, request, clientTakes: seconds(using: &random), immediately: result)
        default: await world.load(path, request, callerTakes: seconds(using: &random), immediately: result)
        }
      },
      RandomEvent(6) { world, random in
        let position = Int.random(in: 0..<9, using: &random)
        guard let request = world.index(at: position).map({ world.model.sent[$0] }) else { return }
        var result = result(using: &random)
        // The page does not say whose account a block concerns if it arrives after another user has signed in.
        if result.announcesBlock, request.sender != world.model.user { result = .status(403) }
        var seconds = Int.random(in: 0..<4, using: &random) == 3 ? seconds(using: &random) : 0
        // The time that a layer inside of the logger takes to deliver, and that until the next load, are open.
        if world.model.subject == .loggerOutside || request.next != nil { seconds = 0 }
        await world.end(position, with: result, isOnMainQueue: .random(using: &random), thenPass: seconds)
      },
      RandomEvent(3) { world, random in await world.advance(by: seconds(using: &random)) },
      RandomEvent(1) { world, _ in await world.setBlocked(true) },
      RandomEvent(1) { world, _ in await world.setBlocked(false) },
      // After the release, nothing can be loaded, so it is rare.
      RandomEvent(1) { world, random in
        if Int.random(in: 0..<3, using: &random) == 2 { await world.releaseStack() } else { await world.setBlocked(false) }
      },
      RandomEvent(2) { world, _ in await world.signIn() },
    ]
  }

  /// Makes up a path with a query. Two requests may be equal.
  private static func path(using random: inout SeededRandom) -> String {
    let path = ["/articles", "/articles/42/title", "/Users/ada"].randomElement(using: &random)!
    return "\(path)?number=\(Int.random(in: 1...2, using: &random))"
  }

  private static func seconds(using random: inout SeededRandom) -> TimeInterval {
    [2, 0.7, 0.3000004, 0.0004, 7200].randomElement(using: &random)!
  }

  private static func result(using random: inout SeededRandom) -> HTTPResult {
    let announcements = [#"{"error": "permanently_blocked"}"#, #"{"since":2026,"error":"permanently_blocked"}"#]
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return .status(.status(using: &random), "text")
    case 1..<4: return .status(403, announcements.randomElement(using: &random)!)
    case 4:
      let status = Int.status(using: &random)
      return .status(status == 403 ? 401 : status, announcements[0])
    case 5: return .status(403, ["", "permanently_blocked?", #"{"error": "not_yours"}"#].randomElement(using: &random)!)
    // Another client, further inside, has stopped the request.
    case 6:
      return .failure([HTTPClientError.permanentlyBlocked, .signedOut, .sessionExpired].randomElement(using: &random)!)
    default: return .failure(SampleError.random(using: &random).error)
    }
  }
}

extension URLRequest {
  /// The path and the query.
  var name: String { (url?.path ?? "") + (url?.query.map { "?\($0)" } ?? "") }
}

extension HTTPLogRecord {
  /// The record: `the log shows GET /articles, 200, 1.0 seconds`.
  var inWords: String { "the log shows \(method) \(path), \(outcome.inWords), \(duration)" }
}

extension HTTPLogRecord.Outcome {
  /// The status, the error that stops a blocked account, or the domain and code of any other error.
  var inWords: String {
    switch self {
    case .status(let status): "\(status)"
    case .error(let domain, let code):
      self == .init(of: HTTPClientError.permanentlyBlocked) ? "permanentlyBlocked" : "\(domain) \(code)"
    }
  }

  init(of error: any Error) {
    self = .error(domain: (error as NSError).domain, code: (error as NSError).code)
  }
}

/// An `HTTPLog` that forwards to another one.
private final class LogRelay: HTTPLog {
  private let log: any HTTPLog

  init(to log: any HTTPLog) {
    self.log = log
  }

  func add(_ record: HTTPLogRecord) {
    log.add(record)
  }
}
