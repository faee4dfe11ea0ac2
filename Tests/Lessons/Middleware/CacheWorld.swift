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

@testable import ExerciseMiddleware

/// The learner's cache, a client, and a clock.
final class CacheWorld: Scenario {
  private let clock = ManualClock()
  private let client = AsyncCalls<(number: Int, request: URLRequest), Response>(to: "the client", endsWhenCanceled: false)
  private let results = Inbox<String>()
  private let sut: Middleware
  private var requests: [Running<Void>] = []
  private var model = CacheModel()

  init() {
    sut = caching(for: CacheModel.lifetime, now: { [clock] in clock.readDate() })
    super.init(setting: "A response is fresh for \(CacheModel.lifetime) seconds.")
  }

  func send(
    _ request: URLRequest = .feed(), leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    let number = model.send(request, at: clock.date)
    await event("\(time): Request \(number) is \(request.told).", leadsToAllOf: effects, at: place) {
      requests.append(
        Running { [sut, client, results] in
          do {
            let response = try await sut(request) { try await client.receive((number, $0)) }
            results.receive("request \(number) receives \(String(decoding: response.data, as: UTF8.self))")
          } catch {
            results.receive("request \(number) receives \(error.inWords)")
          }
        })
    }
  }

  func respond(
    to number: Int, status: Int = 200, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    await end(number, with: .success(status), leadsToAllOf: effects, at: place)
  }

  func fail(
    _ number: Int, with trouble: SampleError = .offline, leadsToAllOf effects: [String] = [],
    at place: SourceLocation = #_sourceLocation
  ) async {
    await end(number, with: .failure(trouble), leadsToAllOf: effects, at: place)
  }

  func cancel(_ number: Int, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation) async {
    guard model.inFlight.contains(number) else { return impossible(at: place) }
    model.cancel(number)
    await event("\(time): Request \(number) is canceled. The client is still at work.", leadsToAllOf: effects, at: place) {
      requests[number - 1].cancel()
    }
  }

  func advance(by seconds: TimeInterval, at place: SourceLocation = #_sourceLocation) async {
    clock.advance(by: seconds)
    await event("\(seconds) seconds pass. It is \(time).", at: place)
  }

  override func observed() async -> [String] {
    client.arguments.map { "the client receives \($0.request.inWords)" }
      + client.cancelled.map { "the cancellation of \(client.arguments[$0].request.inWords) reaches the client" }
      + results.values
  }

  override var predicted: [String]? { model.effects }

  override func remark(on differences: [String]) -> String? { clock.remark(on: differences, about: "receives") }

  override func nextEnding() -> (() async -> Void)? {
    guard let number = model.inFlight.last else { return nil }
    return { [self] in await model.isCanceled(number) ? fail(number) : respond(to: number) }
  }

  private func end(
    _ number: Int, with result: Result<Int, SampleError>, leadsToAllOf effects: [String], at place: SourceLocation
  ) async {
    guard let end = model.end(number, with: result, at: clock.date) else { return impossible(at: place) }
    await event("\(time): The client ends request \(number) with \(end).", leadsToAllOf: effects, at: place) {
      guard let index = client.arguments.firstIndex(where: { $0.number == number }) else { return }
      client.finish(index, with: result.map { response($0, end) }.mapError(\.error))
    }
  }

  private var time: String { clock.date.inWords }
}

extension CacheWorld {
  /// What may happen in a random story. What the page leaves open may not.
  static var randomEvents: [RandomEvent<CacheWorld>] {
    [
      RandomEvent(7) { world, random in
        let token = ["ada-1", "Ada-1"].randomElement(using: &random)!
        let others: [URLRequest] = [
          .feed("/feed?page=2"), .feed(fields: ["Authorization": "Bearer \(token)"]),
          .feed(fields: ["Accept-Language": "other"]), .feed(method: "POST"),
        ]
        // Most requests are equal, so that something is kept for them.
        let request = Int.random(in: 0..<12, using: &random) < 8 ? .feed() : others.randomElement(using: &random)!
        // Whether an equal request in flight is shared is left open, and so is what another method makes the cache forget.
        guard !world.model.isInFlight(request), !world.model.mayBeForgotten(request) else { return }
        await world.send(request)
      },
      RandomEvent(6) { world, random in
        let status = Int.random(in: 0..<6, using: &random) < 5 ? 200 : .status(using: &random)
        // Whether a response in a canceled task is kept is left open.
        guard let number = world.model.inFlight.newest(using: &random), !world.model.isCanceled(number) else { return }
        await world.respond(to: number, status: status)
      },
      RandomEvent(2) { world, random in
        let trouble = SampleError.random(using: &random)
        guard let number = world.model.inFlight.newest(using: &random) else { return }
        // The error of a cancellation that never was is left open, and so is whether there is a response to fall back on.
        let isClear = !trouble.error.isCancellation && !world.model.mayBeForgotten(number)
        guard isClear || world.model.isCanceled(number) else { return }
        await world.fail(number, with: trouble)
      },
      RandomEvent(1) { world, random in
        let running = world.model.inFlight.filter { !world.model.isCanceled($0) }
        guard let number = running.newest(using: &random) else { return }
        await world.cancel(number)
      },
      RandomEvent(4) { world, random in
        await world.advance(by: [60, 60, 30, 59.75, 0.25].randomElement(using: &random)!)
      },
    ]
  }
}

extension URLRequest {
  /// A request for a feed.
  static func feed(_ path: String = "/feed", method: String = "GET", fields: [String: String] = [:]) -> URLRequest {
    var request = URLRequest.story(path)
    request.httpMethod = method
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }
}
