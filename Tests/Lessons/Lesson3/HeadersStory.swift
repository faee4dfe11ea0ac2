import Given
import TestSupport
import Testing

@testable import Exercise3

/// A story about requests with all kinds of properties, and decorators that add headers to them.
final class HeadersStory: Story {
  enum Event: Sendable {
    case load(StoryRequest, immediately: Ending?, again: Bool)
    case end(Int, Ending, isOnMainQueue: Bool)
    case release
  }

  /// How a request ends: with a response that has a certain status, or with a trouble.
  typealias Ending = Result<Int, Trouble>

  private static let names = ["X-App-Version", "Accept-Language", "X-Request-ID", "Authorization"]

  static func event(using random: inout SeededRandom) -> Event {
    let ending: Ending =
      Bool.random(using: &random)
      ? .success([200, 204, 304, 401, 403, 500].randomElement(using: &random)!)
      : .failure(Trouble.random(using: &random))
    let choice = Int.random(in: 0..<10, using: &random)
    if choice == 0 { return .release }
    if choice < 5 {
      return .end(Int.random(in: 0..<9, using: &random), ending, isOnMainQueue: Bool.random(using: &random))
    }
    let isPlain = Int.random(in: 0..<3, using: &random) == 0
    return .load(
      isPlain ? .plain : .random(using: &random, fields: names),
      immediately: Int.random(in: 0..<4, using: &random) == 0 ? ending : nil, again: Int.random(in: 0..<4, using: &random) == 0)
  }

  let leaks = LeakTracker()
  let setting: [String]
  private let calls: Calls<URLRequest, HTTPResult>
  private let effects = Inbox<String>()
  private let notes = Inbox<String>()
  /// The result of the next request, if it has one before the client's `load` returns.
  private let immediateResult = Locked<HTTPResult?>(nil)
  private var sut: (any HTTPClient)?
  private var model: HeadersModel
  private var names = StoryNames()

  init(using random: inout SeededRandom) {
    var layers: [[String: String]] = []
    for place in ["inner", "outer"].prefix(Int.random(in: 1...2, using: &random)) {
      let names = Self.names.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
      layers.append(
        Dictionary(
          uniqueKeysWithValues: names.map { name in
            (name.spelledAtRandom(using: &random), [place, place, ""].randomElement(using: &random)!)
          }))
    }
    calls = Calls(to: "the client") { [effects, immediateResult] request in
      effects.receive("the client receives \(request.inWords)")
      return immediateResult.withLock { $0.take() }
    }
    let decorators = layers.map { Layer.adds($0) }
    setting = decorators.inWords
    sut = decorators.wrap(leaks.track(ClosureClient(calls.receive)))
    model = HeadersModel(layers: layers.reversed())
  }

  func play(_ event: Event) async -> String? {
    switch event {
    case .load(let request, let ending, let again): await load(request, ending, again)
    case .end(let position, let ending, let isOnMainQueue): await end(position, ending, isOnMainQueue)
    case .release: release()
    }
  }

  var expected: [String] { model.effects }

  var observed: [String] {
    effects.values + notes.values
  }

  func release() -> String? {
    guard sut != nil else { return nil }
    sut = nil
    return "The app releases the decorator. Only requests in flight still need it."
  }

  func nextEnding() -> Event? {
    calls.unfinished.isEmpty
      ? nil : .end(0, calls.unfinished.count.isMultiple(of: 2) ? .success(200) : .failure(.timedOut), isOnMainQueue: false)
  }
}

// What happens, to the learner's decorator and to the model.
extension HeadersStory {
  private func load(_ request: StoryRequest, _ ending: Ending?, _ again: Bool) async -> String? {
    guard let sut else { return nil }
    let (path, next) = (names.path(), again ? names.path() : nil)
    let original = request.request(for: path)
    model.load(original, fields: request.fields, then: next)
    if let ending { model.end(model.lastIndex, with: ending.result(for: path)) }
    immediateResult.withLock { $0 = ending?.result(for: path) }
    // Without a next request, the completion must not retain the decorator.
    let loadNext = next.map { [effects] next in
      { sut.load(.story(next)) { effects.receive($0.received(for: next)) } }
    }
    await run("`load`", on: .background) { [effects] in
      sut.load(original) { result in
        effects.receive(result.received(for: path))
        loadNext?()
      }
    }
    let afterward = next.map { ", and \($0) as soon as that request ends" } ?? ""
    return "The app loads \(original.inWords(withFields: request.fields))\(afterward)."
      + (ending.map { " The client completes with \($0.result(for: path).inWords) before its `load` returns." } ?? "")
  }

  private func end(_ position: Int, _ ending: Ending, _ isOnMainQueue: Bool) async -> String? {
    let open = calls.unfinished
    guard !open.isEmpty else { return nil }
    let index = open[position % open.count]
    let path = calls.arguments[index].url?.path ?? ""
    model.end(index, with: ending.result(for: path))
    await run("The client's completion", on: isOnMainQueue ? .main : .background) { [calls] in
      calls.complete(index, with: ending.result(for: path))
    }
    return "\(path) gets \(ending.result(for: path).inWords), on \(isOnMainQueue ? "the main" : "another") queue."
  }

  private func run(_ name: String, on queue: DispatchQueue, _ work: @escaping () -> Void) async {
    if !(await returns(on: queue, work)) { notes.receive("\(name) has not returned") }
  }
}

extension Result<Int, Trouble> {
  fileprivate func result(for path: String) -> HTTPResult {
    switch self {
    case .success(let status): .response(status, to: path)
    case .failure(let trouble): .failure(trouble.error)
    }
  }
}

/// What the page promises, as plain values.
private struct HeadersModel {
  private struct Request {
    let path: String
    /// The path that the app loads after the result.
    let next: String?
  }

  /// The headers of each decorator, outermost first.
  private let layers: [[String: String]]
  private var sent: [Request] = []
  private(set) var effects: [String] = []

  init(layers: [[String: String]]) {
    self.layers = layers
  }

  /// The index of the request that was sent last.
  var lastIndex: Int { sent.count - 1 }

  mutating func load(_ request: URLRequest, fields: [(name: String, value: String)], then next: String? = nil) {
    var fields = fields
    for headers in layers {
      let missing = headers.filter { header in !fields.contains { $0.name.lowercased() == header.key.lowercased() } }
      fields += missing.map { ($0.key, $0.value) }
    }
    sent.append(Request(path: request.url?.path ?? "", next: next))
    effects.append("the client receives \(request.inWords(withFields: fields))")
  }

  mutating func end(_ index: Int, with result: HTTPResult) {
    effects.append(result.received(for: sent[index].path))
    if let next = sent[index].next { load(.story(next), fields: []) }
  }
}
