import Given
import TestSupport

@testable import Exercise9

/// A story about requests, a cache, and a clock.
///
/// It avoids what the page leaves open: another method may make the cache forget what it keeps, so that is not requested anymore.
final class CacheStory: Story {
  /// What is requested, by whom, and with which other header field.
  struct Item: Hashable, Sendable {
    var method = "GET"
    var path = "/feed"
    var token: String?
    /// The name of a header field whose value is `other`.
    var field: String?

    var request: URLRequest {
      var request = URLRequest.story(path)
      request.httpMethod = method
      if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
      if let field { request.setValue("other", forHTTPHeaderField: field) }
      return request
    }
  }

  enum Event: Sendable {
    case send(Item = Item())
    case respond(Int = 0, status: Int = 200)
    case fail(Int = 0, with: Trouble = .offline)
    case cancel(Int = 0)
    case advance(TimeInterval)
  }

  static func event(using random: inout SeededRandom) -> Event {
    let position = [0, 0, 1, 2].randomElement(using: &random)!
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<7:
      // Most requests are equal, so that something is kept for them.
      switch Int.random(in: 0..<12, using: &random) {
      case 0: return .send(Item(path: "/feed?page=2"))
      case 1: return .send(Item(token: Bool.random(using: &random) ? "ada-1" : "Ada-1"))
      case 2: return .send(Item(field: "Accept-Language"))
      case 3: return .send(Item(method: "POST"))
      default: return .send()
      }
    case 7..<12: return .respond(position)
    case 12: return .respond(position, status: .status(using: &random))
    case 13..<15: return .fail(position, with: .random(using: &random))
    case 15: return .cancel(position)
    default: return .advance([0.25, 30, 59.75, 60, 60].randomElement(using: &random)!)
    }
  }

  static let lifetime: TimeInterval = 60

  let leaks = LeakTracker()
  private let clock = ManualClock()
  private let client = AsyncCalls<URLRequest, Response>(to: "the client", endsWhenCanceled: false)
  private let results = Inbox<String>()
  private let sut: Middleware
  private var requests: [Running<Void>] = []
  private var model = CacheModel()

  init() {
    sut = caching(for: Self.lifetime, now: { [clock] in clock.readDate() })
  }

  convenience init(using random: inout SeededRandom) {
    self.init()
  }

  var setting: [String] { ["A response is fresh for \(Self.lifetime) seconds."] }

  func play(_ event: Event) -> String? {
    switch event {
    case .send(let item): send(item)
    case .respond(let position, let status): end(at: position, with: .success(status))
    case .fail(let position, let trouble): end(at: position, with: .failure(trouble))
    case .cancel(let position): cancel(at: position)
    case .advance(let seconds): advance(by: seconds)
    }
  }

  var expected: [String] { model.effects }

  var observed: [String] {
    client.arguments.map { "the client receives \($0.inWords)" }
      + client.cancelled.map { "the cancellation of \(client.arguments[$0].inWords) reaches the client" } + results.values
  }

  func remark(on differences: [String]) -> String? { clock.remark(on: differences, about: "receives") }

  func release() -> String? { nil }

  func nextEnding() -> Event? {
    guard let index = client.unfinished.last else { return nil }
    return model.isCanceled(index) ? .fail() : .respond()
  }

  private func send(_ item: Item) -> String? {
    // Whether an equal request in flight is shared is left open.
    guard !model.isInFlight(item), !model.mayBeForgotten(item) else { return nil }
    let number = model.send(item, at: clock.date)
    requests.append(
      Running { [sut, client, results, request = item.request] in
        do {
          let response = try await sut(request) { try await client.receive($0) }
          results.receive("request \(number) receives \(String(decoding: response.data, as: UTF8.self))")
        } catch {
          results.receive("request \(number) receives \(error.inWords)")
        }
      })
    return "\(time): Request \(number) is \(item.request.told)."
  }

  private func end(at position: Int, with result: Result<Int, Trouble>) -> String? {
    guard let index = client.unfinished.newest(position), let number = model.number(ofSent: index) else { return nil }
    switch result {
    // Left open: whether a response in a canceled task is kept.
    case .success where model.isCanceled(index): return nil
    // Left open: the error of a cancellation that never was.
    case .failure(let trouble) where !model.isCanceled(index) && trouble.error.isCancellation: return nil
    // Left open: whether there is a response to fall back on.
    case .failure where !model.isCanceled(index) && model.mayBeForgotten(sent: index): return nil
    default: break
    }
    let end = model.end(index, with: result, at: clock.date)
    client.finish(index, with: result.map { response($0, end) }.mapError(\.error))
    return "\(time): The client ends request \(number) with \(end)."
  }

  private func cancel(at position: Int) -> String? {
    guard let index = client.unfinished.filter({ !model.isCanceled($0) }).newest(position),
      let number = model.number(ofSent: index)
    else { return nil }
    model.cancel(index)
    requests[number - 1].cancel()
    return "\(time): Request \(number) is canceled. The client is still at work."
  }

  private func advance(by seconds: TimeInterval) -> String? {
    clock.advance(by: seconds)
    return "\(seconds) seconds pass. It is \(time)."
  }

  private var time: String { clock.date.inWords }
}

/// What the page promises, as plain values.
struct CacheModel {
  private(set) var effects: [String] = []
  private var requests = 0
  private var sent: [(number: Int, item: CacheStory.Item, isCanceled: Bool, isOver: Bool)] = []
  private var kept: [CacheStory.Item: (response: String, arrival: Date)] = [:]
  private var responses = 0
  /// What another method may have made the cache forget, or not keep.
  private var inDoubt: Set<CacheStory.Item> = []

  /// Whether something is kept that the cache may have forgotten.
  func mayBeForgotten(_ item: CacheStory.Item) -> Bool { kept[item] != nil && inDoubt.contains(item) }

  func mayBeForgotten(sent index: Int) -> Bool { sent.indices.contains(index) && mayBeForgotten(sent[index].item) }

  func isInFlight(_ item: CacheStory.Item) -> Bool { sent.contains { $0.item == item && !$0.isOver } }

  func number(ofSent index: Int) -> Int? { sent.indices.contains(index) ? sent[index].number : nil }

  func isCanceled(_ index: Int) -> Bool { sent.indices.contains(index) && sent[index].isCanceled }

  /// - Returns: The number of the request.
  mutating func send(_ item: CacheStory.Item, at now: Date) -> Int {
    requests += 1
    if let kept = kept[item], now < kept.arrival + CacheStory.lifetime {
      effects.append("request \(requests) receives \(kept.response)")
    } else {
      effects.append("the client receives \(item.request.inWords)")
      inDoubt.remove(item)
      sent.append((requests, item, false, false))
      if sent.contains(where: { $0.item.method != "GET" && !$0.isOver }) { doubtAll() }
    }
    return requests
  }

  mutating func cancel(_ index: Int) {
    sent[index].isCanceled = true
    effects.append("the cancellation of \(sent[index].item.request.inWords) reaches the client")
  }

  /// - Returns: How the client ends the request, in words.
  mutating func end(_ index: Int, with result: Result<Int, Trouble>, at now: Date) -> String {
    let (number, item, isCanceled, _) = sent[index]
    if item.method != "GET" { doubtAll() }
    sent[index].isOver = true
    var (end, outcome) = ("", "")
    switch result {
    case .success(let status):
      responses += 1
      end = "response \(responses) (\(status))"
      outcome = end
      if item.method == "GET", status == 200 { kept[item] = (end, now) }
    case .failure(let trouble):
      end = trouble.inWords
      outcome = isCanceled ? end : kept[item]?.response ?? end
    }
    effects.append("request \(number) receives \(outcome)")
    return end
  }

  private mutating func doubtAll() { inDoubt.formUnion(kept.keys + sent.filter { !$0.isOver }.map(\.item)) }
}
