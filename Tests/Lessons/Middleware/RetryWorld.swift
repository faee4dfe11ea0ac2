import Given
import TestSupport
import Testing

import typealias Given.Response
import class TestSupport.Inbox
import class TestSupport.ManualClock
import struct TestSupport.RandomEvent
import struct TestSupport.Running
import enum TestSupport.SampleError
import class TestSupport.Scenario
import func TestSupport.eventually

@testable import ExerciseMiddleware

/// The learner's retry middleware, a busy server, and a clock.
final class RetryWorld: Scenario {
  private let clock = ManualClock()
  private let client = AsyncCalls<URLRequest, Response>(to: "the client", endsWhenCanceled: false)
  private let results = Inbox<(path: String, outcome: String)>()
  private let sut: Middleware
  private var requests: [Running<Void>] = []
  private var names = StoryNames()
  private var model: RetryModel

  /// - Parameter jitter: What `jitter` does to each wait: 1 leaves it as it is, and 0.5 halves it.
  init(attempts: Int, delay: TimeInterval, cap: TimeInterval = 60, jitter: Double = 1) {
    model = RetryModel(attempts: attempts, delay: delay, cap: cap, jitter: jitter)
    sut = retrying(upTo: attempts, after: .seconds(delay), waitingAtMost: .seconds(cap), jitter: { $0 * jitter }, clock: clock)
    let allowed = attempts == 1 ? "1 attempt is" : "\(attempts) attempts are"
    let halving = jitter == 1 ? "" : " `jitter` halves each wait."
    super.init(setting: "At most \(allowed) allowed. The delay is \(delay) seconds, and the cap is \(cap) seconds.\(halving)")
  }

  func send(
    _ method: String = "GET", _ request: StoryRequest = .plain, isStreaming: Bool = false, leadsToAllOf effects: [String] = [],
    at place: SourceLocation = #_sourceLocation
  ) async {
    let path = names.path()
    var request = request.request(for: path)
    request.httpMethod = method
    if isStreaming { request.httpBodyStream = InputStream(data: Data("a long article".utf8)) }
    model.send(path, request)
    await event("\(time): The app sends \(request.inWords).", leadsToAllOf: effects, at: place) {
      requests.append(
        Running { [request, sut, client, results] in
          do {
            let response = try await sut(request) { try await client.receive($0) }
            let body = String(decoding: response.data, as: UTF8.self)
            results.receive((path, "the \(response.head.statusCode) of \(body)"))
          } catch {
            results.receive((path, error.inWords))
          }
        })
    }
  }

  func respond(
    to path: String, status: Int, retryAfter: String? = nil, leadsToAllOf effects: [String] = [],
    at place: SourceLocation = #_sourceLocation
  ) async {
    await end(path, with: .success(status), retryAfter: retryAfter, leadsToAllOf: effects, at: place)
  }

  func fail(
    _ path: String, with trouble: SampleError, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    await end(path, with: .failure(trouble), leadsToAllOf: effects, at: place)
  }

  func advance(by seconds: TimeInterval, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation) async {
    model.advance(by: seconds)
    clock.advance(by: seconds)
    await event("\(seconds) seconds pass. It is \(time).", leadsToAllOf: effects, at: place)
  }

  func cancel(_ path: String, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation) async {
    guard let index = model.requests.firstIndex(where: { $0.path == path && $0.canBeCanceled }) else {
      return impossible(at: place)
    }
    let moment = model.requests[index].isOpen ? "during an attempt, which hasn't ended yet" : "during a wait"
    model.cancel(index)
    await event("\(time): \(path) is canceled \(moment).", leadsToAllOf: effects, at: place) { requests[index].cancel() }
  }

  override func observed() async -> [String] {
    client.arguments.map { "\($0.inWords) is sent" }
      + waits.enumerated().map { model.inWords(model.wait($0.offset, takes: $0.element)) }
      + results.values.filter { !model.mayEndEarly($0.path) }.map { model.inWords($0.path, $0.outcome) }
      + client.cancelled.map { "the cancellation of \(client.arguments[$0].url?.path ?? "") reaches the client" }
  }

  override var predicted: [String]? { model.effects }

  override func nextEnding() -> (() async -> Void)? {
    if let path = model.requests.last(where: \.isOpen)?.path { return { [self] in await respond(to: path, status: 200) } }
    return model.requests.contains { $0.deadline != nil } ? { [self] in await advance(by: 60) } : nil
  }

  private func end(
    _ path: String, with end: Result<Int, SampleError>, retryAfter: String? = nil, leadsToAllOf effects: [String] = [],
    at place: SourceLocation = #_sourceLocation
  ) async {
    guard let attempt = model.openRequest(path)?.attempts else { return impossible(at: place) }
    let pause = model.end(path, with: end, retryAfter: retryAfter)
    let (words, result): (String, Result<Response, any Error>) =
      switch end {
      case .success(let status):
        (
          "a \(status)\(retryAfter.map { " (`Retry-After: \($0)`)" } ?? "")",
          .success(response(status, "attempt \(attempt)", retryAfter: retryAfter))
        )
      case .failure(let trouble): (trouble.inWords, .failure(trouble.error))
      }
    await event("\(time): Attempt \(attempt) of \(path) ends with \(words).", leadsToAllOf: effects, at: place) {
      if let index = client.unfinished.last(where: { client.arguments[$0].url?.path == path }) {
        client.finish(index, with: result)
      }
      guard let pause else { return }
      // The solution may wait longer than the server requests. The model then waits as long.
      if pause.lowerBound < pause.upperBound { await eventually { await observed().count > model.effects.count } }
      model.wait(path, for: pause, chosen: waits.dropFirst(model.waits.count).first)
    }
  }

  /// How long the solution has waited so far. A wait of no time may be left out.
  private var waits: [TimeInterval] { clock.sleeps.values.filter { $0 > .zero }.map { $0 / .seconds(1) } }

  private var time: String { clock.date.inWords }
}

extension RetryWorld {
  convenience init(using random: inout SeededRandom) {
    self.init(
      attempts: Int.random(in: 1...4, using: &random), delay: [0.5, 1, 10].randomElement(using: &random)!,
      cap: [0.75, 2.5, 60].randomElement(using: &random)!, jitter: [1, 1, 0.5].randomElement(using: &random)!)
  }

  /// What may happen in a random story. What the page leaves open may not.
  static var randomEvents: [RandomEvent<RetryWorld>] {
    [
      RandomEvent(3) { world, random in
        let methods = ["GET", "GET", "HEAD", "OPTIONS", "PUT", "PUT", "DELETE", "POST", "UNHEARD-OF"]
        let isPlain = Int.random(in: 0..<3, using: &random) < 2
        await world.send(methods.randomElement(using: &random)!, isPlain ? .plain : .random(using: &random))
      },
      RandomEvent(3) { world, random in
        let status = [503, 429].randomElement(using: &random)!
        await world.endAny(with: .success(status), using: &random)
      },
      RandomEvent(5) { world, random in
        let values = ["0", "0", "1", "2", "60", "61", "4294967296", "soon", "1.5", "-5", "Wed, 21 Oct 2026 07:28:00 GMT"]
        let (status, value) = ([503, 429, 500].randomElement(using: &random)!, values.randomElement(using: &random)!)
        await world.endAny(with: .success(status), retryAfter: value, using: &random)
      },
      RandomEvent(1) { world, random in
        let status = [200, 404, 500, 502, 504].randomElement(using: &random)!
        await world.endAny(with: .success(status), using: &random)
      },
      RandomEvent(1) { world, random in
        let trouble = Bool.random(using: &random) ? SampleError.random(using: &random) : .connectionLost
        await world.endAny(with: .failure(trouble), using: &random)
      },
      RandomEvent(3) { world, random in
        await world.endAny(with: .failure(.timedOut), using: &random)
      },
      RandomEvent(3) { world, random in
        await world.advance(by: [60, 0.125, 0.5, 1, 2.5].randomElement(using: &random)!)
      },
      RandomEvent(2) { world, random in
        guard let request = world.model.requests.filter(\.canBeCanceled).newest(using: &random) else { return }
        await world.cancel(request.path)
      },
    ]
  }

  /// Ends an attempt, unless the page leaves open what that leads to.
  private func endAny(with end: Result<Int, SampleError>, retryAfter: String? = nil, using random: inout SeededRandom) async {
    guard let path = model.requests.filter(\.isOpen).newest(using: &random)?.path,
      !model.leavesWaitOpen(path, after: end, retryAfter: retryAfter)
    else { return }
    await self.end(path, with: end, retryAfter: retryAfter)
  }
}
