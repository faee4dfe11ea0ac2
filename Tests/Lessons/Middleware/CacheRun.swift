import Given
import TestSupport
import Testing

import typealias Given.Response

@testable import ExerciseMiddleware

/// The learner's cache, a client, and a clock, and what the page says about them. What it leaves open does not happen.
final class CacheRun: RandomRun {
  /// What may happen.
  static var events: [RandomEvent<CacheRun>] {
    [
      RandomEvent(7) { await $0.send(using: &$1) },
      RandomEvent(6) { await $0.respond(using: &$1) },
      RandomEvent(2) { await $0.fail(using: &$1) },
      RandomEvent(1) { await $0.cancel(using: &$1) },
      RandomEvent(4) { await $0.pass($1.pick(60, 60, 30, 59.75, 0.25)) },
    ]
  }

  /// A request that has reached the client, and has not ended.
  private struct Load {
    let number: Int
    let request: URLRequest
    var isCanceled = false
  }

  private static let lifetime: TimeInterval = 60

  private let clock = ManualClock()
  private let client = AsyncCalls<(number: Int, request: URLRequest), Response>(to: "the client", endsWhenCanceled: false)
  private let results = Inbox<String>()
  private let sut: Middleware
  private var requests: [Running<Void>] = []

  private var expected: [String] = []
  private var responses = 0
  private var loads: [Load] = []
  /// What is kept, by the words for the request: on Linux, requests are equal even if their header fields differ.
  private var kept: [String: (response: String, arrival: Date)] = [:]
  /// What another method may have made the cache forget, or not keep.
  private var inDoubt: Set<String> = []

  init() {
    sut = caching(for: Self.lifetime, now: { [clock] in clock.date })
    super.init(setting: "A response is fresh for \(Self.lifetime) seconds.")
  }

  override func observed() async -> [String] {
    client.arguments.map { "the client receives \($0.request.inWords)" }
      + client.canceled.map { "the cancellation of \(client.arguments[$0].request.inWords) reaches the client" }
      + results.values
  }

  override var predicted: [String] { expected }

  override func nextEnding() -> (() async -> Void)? {
    guard let load = loads.last else { return nil }
    return { [self] in await end(load, with: load.isCanceled ? .failure(.offline) : .success(200)) }
  }

  private func send(using random: inout SeededRandom) async {
    let token = random.pick("ada-1", "Ada-1")
    let others = [
      URLRequest.feed("/feed?page=2"), .feed(fields: ["Authorization": "Bearer \(token)"]),
      .feed(fields: ["Accept-Language": "other"]), .feed(method: "POST"),
    ]
    // Most requests are equal, so that something is kept for them.
    let request = random.pick(URLRequest.feed(), .feed(), random.pick(from: others))
    let (words, number) = (request.inWords, requests.count + 1)
    // Whether an equal request in flight is shared is left open, and so is what another method makes the cache forget.
    if loads.contains(where: { $0.request.inWords == words }) || mayBeForgotten(words) { return }
    if let kept = kept[words], clock.date < kept.arrival + Self.lifetime {
      expected.append("request \(number) receives \(kept.response)")
    } else {
      expected.append("the client receives \(words)")
      inDoubt.remove(words)
      loads.append(Load(number: number, request: request))
      if loads.contains(where: { $0.request.httpMethod != "GET" }) { doubtAll() }
    }
    await event("\(time): Request \(number) is \(request.told).") {
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

  private func respond(using random: inout SeededRandom) async {
    let status = random.pick(200, 200, 200, 200, Int.status(using: &random))
    // Whether a response in a canceled task is kept is left open.
    guard let load = anyLoad(using: &random), !load.isCanceled else { return }
    await end(load, with: .success(status))
  }

  private func fail(using random: inout SeededRandom) async {
    let trouble = random.pick(SampleError.offline, SampleError.random(using: &random))
    guard let load = anyLoad(using: &random) else { return }
    // What other errors lead to is left open, and so is whether there is a response to fall back on.
    let fallsBack = SampleError.reasonsToFallBack.contains(trouble) && !mayBeForgotten(load.request.inWords)
    guard load.isCanceled || fallsBack else { return }
    await end(load, with: .failure(trouble))
  }

  private func end(_ load: Load, with result: Result<Int, SampleError>) async {
    let (number, words, isGet) = (load.number, load.request.inWords, load.request.httpMethod == "GET")
    if !isGet { doubtAll() }
    loads.removeAll { $0.number == number }
    let ending: String
    switch result {
    case .success(let status):
      responses += 1
      ending = "response \(responses) (\(status))"
      if isGet, status == 200 { kept[words] = (ending, clock.date) }
      expected.append("request \(number) receives \(ending)")
    case .failure(let trouble):
      ending = trouble.inWords
      let fallback = load.isCanceled ? nil : kept[words]?.response
      expected.append("request \(number) receives \(fallback ?? ending)")
    }
    await event("\(time): The client ends request \(number) with \(ending).") {
      guard let index = client.arguments.firstIndex(where: { $0.number == number }) else { return }
      client.complete(index, with: result.map { response($0, ending) }.mapError(\.error))
    }
  }

  private func cancel(using random: inout SeededRandom) async {
    guard let number = anyLoad(using: &random)?.number, let index = loads.firstIndex(where: { $0.number == number }),
      !loads[index].isCanceled
    else { return }
    loads[index].isCanceled = true
    expected.append("the cancellation of \(loads[index].request.inWords) reaches the client")
    await event("\(time): Request \(number) is canceled. The client is still at work.") { requests[number - 1].cancel() }
  }

  private func pass(_ seconds: TimeInterval) async {
    clock.advance(by: seconds)
    await event("\(seconds) seconds pass. It is \(time).")
  }

  /// Any request in flight, most often the newest; `nil` if there is none.
  private func anyLoad(using random: inout SeededRandom) -> Load? {
    let back = random.pick(0, 0, 1, 2, 3)
    return loads.isEmpty ? nil : loads[loads.count - 1 - back % loads.count]
  }

  /// Whether something is kept that the cache may have forgotten.
  private func mayBeForgotten(_ words: String) -> Bool { kept[words] != nil && inDoubt.contains(words) }

  private func doubtAll() { inDoubt.formUnion(kept.keys + loads.map(\.request.inWords)) }

  private var time: String { clock.date.inWords }
}

extension URLRequest {
  /// A request for a feed.
  static func feed(_ path: String = "/feed", method: String = "GET", fields: [String: String] = [:]) -> URLRequest {
    var request = URLRequest.path(path)
    request.httpMethod = method
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }
}
