import Given
import TestSupport
import Testing

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

/// The client that a story is about, everything that it uses, and everything that can be observed.
final class World {
  let clock = ManualClock()
  /// The block list. What a story changes in it is not recorded; what the learner's code does to it is.
  let blockList: BlockListSpy
  let calls: Calls<URLRequest, HTTPResult>
  private let log = Inbox<HTTPLogRecord>()
  private let effects = Inbox<String>()
  /// What the client's next call does before it returns: time passes, and the request may end.
  private let whenCalled = Locked<(seconds: TimeInterval, result: HTTPResult?)?>(nil)
  private let leaks: LeakTracker
  private var sut: (any HTTPClient)?

  init(_ subject: Subject, isBlocked: Bool = false, _ leaks: LeakTracker) {
    blockList = BlockListSpy(
      isBlocked: isBlocked, onBlock: { [effects] in if !$0 { effects.receive("the account is on the block list") } })
    let client = HTTPClientSpy { [effects, clock, whenCalled] request in
      let event = whenCalled.withLock { $0.take() }
      clock.advance(by: event?.seconds ?? 0)
      // From here on, the story may go on to its next event, unless it expects a result.
      effects.receive("the client receives \(request.inWords)")
      return event?.result
    }
    self.leaks = leaks
    leaks.track(client, as: "the client")
    calls = client.calls
    sut = subject(
      around: client, BlockListRelay(to: blockList), LogRelay(to: log), { [clock] in clock.readInstant() })
  }

  /// What the client and the callers have received, when the account has been blocked, and what the log shows.
  var observed: [String] { effects.values + log.values.map(\.inWords) }

  /// A remark on differences between what was expected and what was observed. Each record needs the time twice.
  func remark(on differences: [String]) -> String? {
    clock.remark(on: differences, about: "the log shows", requiring: 2 * log.values.count)
  }

  /// Whether the app still has the client that the story is about.
  var isInUse: Bool { sut != nil }

  func release() { sut = nil }

  /// The app loads a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - next: The request that its completion loads.
  ///   - callerTakes: The time in seconds that its completion takes.
  ///   - clientTakes: The time in seconds that the client takes for the call.
  ///   - result: What the request gets before the call to the client returns.
  func load(
    _ request: URLRequest, then next: URLRequest? = nil, callerTakes: TimeInterval = 0, clientTakes: TimeInterval = 0,
    immediately result: HTTPResult? = nil
  ) async {
    guard let sut else { return }
    whenCalled.withLock { $0 = (clientTakes, result) }
    let lifetime = leaks.track(Lifetime(), as: "a completion")
    // Without a next request, the completion must not retain the client that the story is about.
    let loadNext = next.map { [effects] next in
      { sut.load(next) { effects.receive("\(next.name) receives \($0.inDetail)") } }
    }
    await perform("the app's call to `load`") { [effects, clock] in
      sut.load(request) { result in
        withExtendedLifetime(lifetime) { loadNext?() }
        clock.advance(by: callerTakes)
        effects.receive("\(request.name) receives \(result.inDetail)")
      }
    }
  }

  /// A request in flight ends, and immediately afterward, some seconds pass.
  func end(_ index: Int, with result: HTTPResult, on queue: DispatchQueue, thenPass seconds: TimeInterval) async {
    whenCalled.withLock { $0 = nil }
    await perform("the client's completion", on: queue) { [calls, clock] in
      calls.complete(index, with: result)
      clock.advance(by: seconds)
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
