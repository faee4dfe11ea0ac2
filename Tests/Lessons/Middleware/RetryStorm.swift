import Given
import TestSupport
import Testing

import typealias Given.Response

@testable import ExerciseMiddleware

/// Sends hundreds of requests through `retrying`, with values that nobody has chosen, and compares what becomes of each. The values
/// are drawn in each round, and are the same in each run.
func expectEachRequestIsRetriedRightly(sourceLocation: SourceLocation = #_sourceLocation) async {
  var random = SeededRandom(seed: 9)
  await each("round", in: 1...300) { _ in
    let (attempts, cap) = (random.pick(1, 2, 3, 4), Duration.seconds(random.pick(60, 2.5, 0.75)))
    let (delay, halves) = (Duration.seconds(random.pick(1, 0.5, 10)), random.pick(false, false, true))
    let jitter = { @Sendable (delay: Duration) in halves ? delay / 2 : delay }
    let (client, clock) = (AsyncCalls<URLRequest, Response>(to: "the client", endsWhenCanceled: false), ManualClock())
    let sut = retrying(upTo: attempts, after: delay, waitingAtMost: cap, jitter: jitter, clock: clock)
    let setting = "attempts: \(attempts), delay: \(delay), cap: \(cap)\(halves ? ", and `jitter` halves a delay" : "")"
    var (loads, time, sends, cancellations) = ([Load](), Duration.zero, 0, 0)

    /// Checks what has become of a request.
    func check(_ load: Load, _ isRight: Bool = true, _ rule: String = "") async {
      await client.receives(sends)
      await naming(["`retrying`": setting, "what happens": "\(load)"]) {
        #expect(isRight, Comment(rawValue: rule), sourceLocation: sourceLocation)
        let sent: [String] = client.arguments.filter { $0.url == load.request.url }.map(\.inWords)
        #expect(
          sent == Array(repeating: load.request.inWords, count: load.attempts),
          "Each attempt sends the request once, unchanged, and there is no other.", sourceLocation: sourceLocation)
        #expect(client.count == sends, "Nothing else is sent.", sourceLocation: sourceLocation)
      }
    }

    /// Ends an attempt, and waits for what the request does then.
    func endAttempt(of load: Load, with end: End) async {
      let others = clock.sleeps.values.count
      load.events.append("attempt \(load.attempts) ends with \(end.words)")
      load.isInFlight = false
      if let index = client.unfinished.last(where: { client.arguments[$0].url == load.request.url }) {
        client.complete(index, with: end.result)
      }
      guard end.isTemporary, load.isRepeatable, load.attempts < attempts, end.requested ?? .zero <= cap, !load.isCanceled else {
        load.isOver = true
        let rule =
          "This attempt was the last. The request ends like it\(load.isCanceled ? ", or with a `CancellationError`" : "")."
        guard let outcome = try? await load.call.outcome("\(rule) It has not ended.", sourceLocation: sourceLocation) else {
          return
        }
        let isCanceled = load.isCanceled && outcome.failure is CancellationError
        return await check(load, isCanceled || outcome.words == end.result.words, rule)
      }
      await eventually { clock.sleeps.values.count > others || client.count > sends || load.call.hasEnded }
      // A wait of no time may be left out.
      let waits = clock.sleeps.values.dropFirst(others)
      let wait = waits.first ?? .zero
      let (isRight, rule): (Bool, String)
      if let requested = end.requested {
        (isRight, rule) = ((requested...cap).contains(wait), "Wait for at least as long as the server requests, up to the cap.")
        // Whether such a wait counts toward the doubling is left open.
        load.delays.formUnion(load.delays.map { min($0 * 2, cap) })
      } else {
        let delays = load.delays
        (isRight, rule) = (delays.contains { jitter($0) == wait }, "Wait for `jitter(delay)`. Double the delay after each wait.")
        load.delays = Set(delays.map { min($0 * 2, cap) })
      }
      if wait > .zero { load.end = time + wait } else { repeatAttempt(of: load) }
      await check(load, isRight && !load.call.hasEnded && waits.count <= 1, "\(rule) Observed: a wait of \(wait).")
    }

    func repeatAttempt(of load: Load) {
      (load.attempts, load.end, load.isInFlight, sends) = (load.attempts + 1, nil, true, sends + 1)
    }

    /// Lets time pass, and waits for the requests that are sent again.
    func pass(_ seconds: Double) async {
      clock.advance(by: seconds)
      time += .seconds(seconds)
      let due = loads.filter { $0.end.map { $0 <= time } == true }
      for load in due { repeatAttempt(of: load) }
      for load in loads where load.end != nil || due.contains(where: { $0 === load }) {
        load.events.append("\(seconds) seconds pass")
        await check(load)
      }
    }

    func cancel(_ load: Load) async {
      load.events.append("it is canceled")
      load.isCanceled = true
      load.call.cancel()
      if load.isInFlight {
        cancellations += 1
        await eventually { client.canceled.count == cancellations }
        return await check(load, client.canceled.count == cancellations, "A cancellation reaches the client, in each attempt.")
      }
      (load.end, load.isOver) = (nil, true)
      let rule = "A wait that is canceled ends immediately, with a `CancellationError`."
      let outcome = try? await load.call.outcome("\(rule) It has not ended.", sourceLocation: sourceLocation)
      await check(load, outcome?.failure is CancellationError, rule)
    }

    for _ in 1...random.pick(from: 4...16) {
      let (inFlight, canBeCanceled) = (loads.filter(\.isInFlight), loads.filter { !$0.isOver && !$0.isCanceled })
      switch random.pick(from: 0..<10) {
      case 0...1 where loads.count(where: { !$0.isOver }) < 3:
        var request = random.pick(RandomRequest.plain, RandomRequest.random(using: &random)).request(
          for: "/articles?number=\(loads.count)")
        let method = random.pick("GET", "GET", "HEAD", "OPTIONS", "PUT", "PUT", "DELETE", "POST", "UNHEARD-OF")
        request.httpMethod = method
        let isRepeatable = !["POST", "UNHEARD-OF"].contains(method) && request.httpBodyStream == nil
        let call = Running { [request] in try await sut(request) { try await client.receive($0) } }
        let load = Load(request: request, isRepeatable: isRepeatable, call: call, delays: [min(delay, cap)])
        (loads, sends) = (loads + [load], sends + 1)
        await check(load)
      case 2...6 where !inFlight.isEmpty:
        let load = random.pick(from: inFlight)
        await endAttempt(of: load, with: .random("attempt \(load.attempts) of \(load.request.inWords)", using: &random))
      case 7 where !canBeCanceled.isEmpty: await cancel(random.pick(from: canBeCanceled))
      default: await pass(random.pick(60, 0.125, 0.5, 1, 2.5))
      }
    }
    await pass(60)
    let end = End(.success(response(200)), nil, "a 200")
    for load in loads where load.isInFlight { await endAttempt(of: load, with: end) }
  }
}

/// A request, and what has become of it so far.
private final class Load: CustomStringConvertible {
  let request: URLRequest
  let isRepeatable: Bool
  let call: Running<Response>
  /// The delays that its next wait may have.
  var delays: Set<Duration>
  var attempts = 1
  var isInFlight = true
  /// The end of its wait, if it waits.
  var end: Duration?
  var isCanceled = false
  var isOver = false
  var events: [String] = []

  init(request: URLRequest, isRepeatable: Bool, call: Running<Response>, delays: Set<Duration>) {
    (self.request, self.isRepeatable, self.call, self.delays) = (request, isRepeatable, call, delays)
  }

  var description: String { (["\(request.told) is sent"] + events).joined(separator: "; ") }
}

/// The end of an attempt, and how long the server requests to wait.
private struct End {
  let result: Result<Response, any Error>
  let requested: Duration?
  let words: String
  var isTemporary: Bool { words.hasPrefix("a 503") || words.hasPrefix("a 429") || words == SampleError.timedOut.inWords }

  init(_ result: Result<Response, any Error>, _ requested: Duration?, _ words: String) {
    (self.result, self.requested, self.words) = (result, requested, words)
  }

  /// Makes up an end: often one that is worth a retry.
  static func random(_ body: String, using random: inout SeededRandom) -> Self {
    let fields: [(String?, Duration?)] = [
      (nil, nil), (nil, nil), (nil, nil), ("0", .zero), ("1", .seconds(1)), ("2", .seconds(2)), ("60", .seconds(60)),
      ("61", .seconds(61)), ("4294967296", .seconds(4_294_967_296)), ("soon", nil), ("1.5", nil), ("-5", nil),
      ("Wed, 21 Oct 2026 07:28:00 GMT", nil),
    ]
    let (field, requested) = random.pick(from: fields)
    let trouble = random.pick(SampleError.timedOut, .timedOut, .timedOut, .connectionLost, SampleError.random(using: &random))
    let status = random.pick(503, 429, 503, 429, 500, Int.status(using: &random))
    if random.pick(false, false, true) { return Self(.failure(trouble.error), nil, trouble.inWords) }
    let words = "a \(status)\(field.map { " (`Retry-After: \($0)`)" } ?? "")"
    return Self(.success(response(status, body, retryAfter: field)), requested, words)
  }
}

extension Result<Response, any Error> {
  fileprivate var words: String {
    switch self {
    case .success(let response): "\(response.head.statusCode) \(String(decoding: response.data, as: UTF8.self))"
    case .failure(let error): error.inWords
    }
  }
}
