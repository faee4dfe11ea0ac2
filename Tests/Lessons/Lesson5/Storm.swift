import Given
import TestSupport
import Testing

import typealias TestSupport.HTTPResult

@testable import Exercise5

/// A client that blocks, logs, or both: the learner's, or that of a pull request.
struct Subject: CustomStringConvertible {
  typealias Make = (any HTTPClient, any BlockList, any HTTPLog, @escaping () -> ContinuousClock.Instant) -> any HTTPClient

  static let blocking = Self("blocking", blocks: true) { client, list, _, _ in Exercise5.blocking(client, with: list) }
  static let logging = Self("logging", logs: true) { client, _, log, now in Exercise5.logging(client, to: log, now: now) }
  static let blockOutside = Self("blockOutside", blocks: true, logs: true) {
    Stacks.blockOutside(client: $0, blockList: $1, log: $2, now: $3)
  }
  static let loggerOutside = Self("loggerOutside", blocks: true, logs: true, logsWhatIsDelivered: true) {
    Stacks.loggerOutside(client: $0, blockList: $1, log: $2, now: $3)
  }

  let description: String
  let blocks, logs: Bool
  /// Whether the logger is around the blocking decorator.
  let logsWhatIsDelivered: Bool
  let make: Make

  init(_ name: String, blocks: Bool = false, logs: Bool = false, logsWhatIsDelivered: Bool = false, make: @escaping Make) {
    (description, self.blocks, self.logs) = (name, blocks, logs)
    (self.logsWhatIsDelivered, self.make) = (logsWhatIsDelivered, make)
  }
}

/// Sends hundreds of requests through a client, with values that nobody has chosen, and compares what becomes of each. The values
/// are drawn in each round, and are the same in each run.
///
/// For a storm of your own: compare each request by itself, and let `each` name its values. Before the test goes on, it
/// waits for what it depends on. A spy advances the clock before it notes a result, or the test overtakes it. Two threads that meet
/// need a short test of their own, because a data race in a storm mostly ends in a crash without a sentence.
func expectEachRequestIsRight(through subject: Subject, sourceLocation: SourceLocation = #_sourceLocation) async {
  /// A request, and what has to become of it.
  struct Load {
    let request: URLRequest
    let start: ContinuousClock.Instant
    let isStopped: Bool
    let result: HTTPResult
    let received = Inbox<(text: String, isBlocked: Bool)>()
  }
  var random = SeededRandom(seed: 5)
  await each("round", in: 1...300) { _ in
    let (list, log, clock) = (BlockListSpy(), Inbox<HTTPLogRecord>(), ManualClock())
    let next = Locked<(seconds: TimeInterval, early: HTTPResult?)>((0, nil))
    let retained: Comment = "All requests have ended, but the client is retained. Check what your closures capture."
    await expectReleased(retained, sourceLocation: sourceLocation) { leaks in
      let client = HTTPClientSpy { _ in
        let (seconds, early) = next.withLock { $0 }
        clock.advance(by: seconds)
        return early
      }
      leaks.track(client)
      // One decorator is often around another one of the same kind.
      let layers = subject.blocks != subject.logs ? Int.random(in: 1...2, using: &random) : 1
      var sut: (any HTTPClient)? = client
      for _ in 1...layers { sut = subject.make(sut!, BlockListRelay(to: list), LogRelay(to: log), { clock.now }) }
      var (sent, inFlight, expectedRecords): ([URLRequest], [Load], Int) = ([], [], 0)

      /// Checks a request that has ended.
      func check(_ load: Load, at end: ContinuousClock.Instant) async {
        let isAnnounced = !load.isStopped && load.result.announcesBlock
        let isBlocked = subject.blocks && (load.isStopped || isAnnounced)
        let delivered = isBlocked ? .failure(HTTPClientError.permanentlyBlocked) : load.result
        let hasRecord = subject.logs && (!load.isStopped || subject.logsWhatIsDelivered)
        if hasRecord { expectedRecords += layers }
        await naming(["request": load.request.told, "result": load.isStopped ? "none" : load.result.inWordsWithBody]) {
          await load.received.receives(1)
          let received = load.received.values
          #expect(
            received.map(\.text) == [delivered.inWordsWithBody],
            "Each request has one result: `permanentlyBlocked` for what is blocked, and for the rest, what the client has delivered.",
            sourceLocation: sourceLocation)
          #expect(
            !isBlocked || received.first?.isBlocked == true,
            "When `permanentlyBlocked` is delivered, the account has to be on the list.", sourceLocation: sourceLocation)
          await log.receives(expectedRecords)
          #expect(
            log.values.count == expectedRecords,
            "Each result that reaches the logger has one record, and nothing else has.", sourceLocation: sourceLocation)
          guard hasRecord, let record = log.values.last else { return }
          let logged = subject.logsWhatIsDelivered ? delivered : load.result
          #expect(
            record
              == HTTPLogRecord(of: load.request, logged, duration: load.start.duration(to: end)),
            "The record says how this request has ended, and how long it has taken.", sourceLocation: sourceLocation)
        }
      }

      for _ in 1...Int.random(in: 1...4, using: &random) {
        // Support adds the account to the list, and removes it.
        list.isBlocked = Int.random(in: 0..<5, using: &random) == 0
        clock.advance(by: seconds(using: &random))
        let path = "\(["/articles", "/articles/42/title", "/Users/ada"].randomElement(using: &random)!)?number=\(sent.count % 2)"
        let result = HTTPResult.random(using: &random)
        let load = Load(
          request: RandomRequest.random(using: &random, fields: ["Authorization", "Accept", "Content-Type"]).request(for: path),
          start: clock.now,
          isStopped: subject.blocks && list.isBlocked, result: result)
        let isEarly = Int.random(in: 0..<3, using: &random) == 0
        let (clientTakes, callerTakes) = (seconds(using: &random), seconds(using: &random))
        next.withLock { $0 = (clientTakes, isEarly ? result : nil) }
        sut?.load(load.request) { delivered in
          let isBlocked = list.isBlocked
          clock.advance(by: callerTakes)
          load.received.receive((delivered.inWordsWithBody, isBlocked))
        }

        if load.isStopped {
          await check(load, at: load.start)
        } else {
          sent.append(load.request)
          await client.calls.receives(sent.count)
          if isEarly { await check(load, at: load.start + .seconds(clientTakes)) } else { inFlight.append(load) }
        }
        #expect(
          client.requests.map(\.inWords) == sent.map(\.inWords),
          "Forward each request once, as it came, unless the account is on the list.", sourceLocation: sourceLocation)
      }
      // From here on, often nothing but the requests in flight retains the decorators.
      if Bool.random(using: &random) { sut = nil }
      let indexes = client.calls.unfinished
      for (index, load) in zip(indexes, inFlight).shuffled(using: &random) {
        clock.advance(by: seconds(using: &random))
        let end = clock.now
        await client.calls.complete(
          index, with: load.result, on: Bool.random(using: &random) ? .main : .newBackgroundQueue, sourceLocation: sourceLocation)
        // Whoever reads the stopwatch later than this is too late. A decorator inside of the logger may take its time.
        if layers == 1, !subject.logsWhatIsDelivered { clock.advance(by: seconds(using: &random)) }
        await check(load, at: end)
      }
    }
  }
}

private func seconds(using random: inout SeededRandom) -> TimeInterval {
  [0, 2, 0.7, 0.3000004, 0.0004, 7200].randomElement(using: &random)!
}

extension HTTPResult {
  var announcesBlock: Bool {
    guard case .success((let data, let response)) = self else { return false }
    return PermanentBlock.isAnnounced(by: data, response)
  }

  /// Makes up a result: often one that announces a block, or almost does.
  fileprivate static func random(using random: inout SeededRandom) -> Self {
    let announcements = [#"{"error": "permanently_blocked"}"#, #"{"since":2026,"error":"permanently_blocked"}"#]
    let status = Int.status(using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .status(status, "text")
    case 1..<4: return .status(403, announcements.randomElement(using: &random)!)
    case 4: return .status(status == 403 ? 401 : status, announcements[0])
    case 5: return .status(403, ["", "permanently_blocked?", #"{"error": "not_yours"}"#].randomElement(using: &random)!)
    // Another client, further inside, has stopped the request.
    case 6: return .failure([HTTPClientError.permanentlyBlocked, .signedOut, .sessionExpired].randomElement(using: &random)!)
    default: return .failure(SampleError.random(using: &random).error)
    }
  }
}

/// An `HTTPLog` that forwards to another one. Nothing but the code under test retains it.
final class LogRelay: HTTPLog {
  private let log: any HTTPLog

  init(to log: any HTTPLog) {
    self.log = log
  }

  func add(_ record: HTTPLogRecord) {
    log.add(record)
  }
}
