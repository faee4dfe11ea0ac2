import Given
import TestSupport
import Testing

/// A decorator in a story.
enum Layer {
  /// The learner's, with the values of its headers, by name.
  case adds([String: String])
  /// One that the learner has not written.
  case countsRequests

  fileprivate var inWords: String {
    guard case .adds(let headers) = self else { return "counts the requests in flight" }
    let fields = headers.map { "\($0): \"\($1)\"" }.sorted().joined(separator: " and ")
    return "adds \(fields.isEmpty ? "nothing" : fields)"
  }
}

/// Decorators around a client, and requests with all kinds of properties.
final class HeadersWorld: Scenario {
  /// How a request ends: with a response that has a certain status, or with a trouble.
  typealias Ending = Result<Int, SampleError>

  private let calls: Calls<URLRequest, HTTPResult>
  private let effects = Inbox<String>()
  /// How the next request ends, if it ends before the client's `load` returns.
  private let immediateEnding = Locked<Ending?>(nil)
  private var sut: (any HTTPClient)?
  private var model: HeadersModel
  private var names = StoryNames()
  /// The request that the app has loaded last.
  private var last: (path: String, request: StoryRequest)?

  /// - Parameter layers: The decorators. The first is the innermost one.
  init(_ layers: [Layer]) {
    calls = Calls(to: "the client") { [effects, immediateEnding] request in
      effects.receive("the client receives \(request.inWords)")
      return immediateEnding.withLock { $0.take() }?.result(for: request.path)
    }
    model = HeadersModel(layers: layers.reversed())
    let sentences = layers.enumerated().map {
      "\($0 == 0 ? "A decorator" : "Another decorator, around the last one,") \($1.inWords)."
    }
    super.init(setting: sentences.joined(separator: " "))
    sut = layers.reduce(leaks.track(ClosureClient(calls.receive), as: "the client") as any HTTPClient) {
      [effects] client, layer in
      switch layer {
      case .adds(let headers):
        addingHeaders(headers, to: client)
      case .countsRequests:
        ActivityHTTPClientDecorator(decoratee: client) {
          effects.receive($0 > 0 ? "one more request is in flight" : "one request less is in flight")
        }
      }
    }
  }

  convenience init(_ layers: Layer...) {
    self.init(layers)
  }

  /// Makes up one or two decorators.
  convenience init(using random: inout SeededRandom) {
    self.init(
      ["inner", "outer"].prefix(Int.random(in: 1...2, using: &random)).map { place in
        let names = Self.fields.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
        let headers = names.map { name in
          (name.spelledAtRandom(using: &random), [place, place, ""].randomElement(using: &random)!)
        }
        return .adds(Dictionary(uniqueKeysWithValues: headers))
      })
  }

  /// The app loads a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - path: Its path; `nil` for one that no other request has.
  ///   - ending: How it ends before the client's `load` returns; `nil` if it ends later.
  ///   - again: Whether the completion loads another request.
  func load(
    _ request: StoryRequest = .plain, path: String? = nil, immediately ending: Ending? = nil, again: Bool = false,
    leadsToAllOf listed: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    guard sut != nil else { return impossible(at: place) }
    let next = again ? names.path() : nil
    let path = path ?? names.path()
    last = (path, request)
    let original = request.request(for: path)
    model.load(original, fields: request.fields, then: next)
    if let ending { model.end(model.lastIndex, with: ending.result(for: path)) }

    let loadsNext = next.map { ", and \($0) as soon as that request ends" } ?? ""
    let ends = ending.map { " The client completes with \($0.result(for: path).inWords) before its `load` returns." } ?? ""
    await event("The app loads \(original.told)\(loadsNext).\(ends)", leadsToAllOf: listed, at: place) {
      immediateEnding.withLock { $0 = ending }
      // Without a next request, the completion must not retain the decorator.
      let loadNext = next.map { [effects, sut] next in
        { sut?.load(.story(next)) { effects.receive($0.received(for: next)) } }
      }
      await perform("the app's call to `load`") { [effects, sut] in
        sut?.load(original) { result in
          effects.receive(result.received(for: path))
          loadNext?()
        }
      }
    }
  }

  /// A request ends.
  ///
  /// - Parameters:
  ///   - position: Its position among those in flight.
  ///   - ending: How it ends.
  ///   - isOnMainQueue: Whether the client calls the completion on the main queue.
  func end(
    _ position: Int = 0, with ending: Ending, isOnMainQueue: Bool = false, leadsToAllOf listed: [String] = [],
    at place: SourceLocation = #_sourceLocation
  ) async {
    guard let index = calls.unfinished.at(position) else { return impossible(at: place) }
    let path = calls.arguments[index].path
    let result = ending.result(for: path)
    model.end(index, with: result)
    let queue = isOnMainQueue ? "the main queue" : "another queue"
    await event("The client completes \(path) with \(result.inWords), on \(queue).", leadsToAllOf: listed, at: place) {
      await perform("the client's completion", on: isOnMainQueue ? .main : .newBackgroundQueue) { [calls] in
        calls.complete(index, with: result)
      }
    }
  }

  override func release() async {
    if sut == nil { return }
    await event("The app releases its decorators. Only requests in flight still need them.") { sut = nil }
  }

  override func observed() async -> [String] { effects.values }

  override var predicted: [String]? { model.effects }

  override func nextEnding() -> (() async -> Void)? {
    let count = calls.unfinished.count
    return count == 0 ? nil : { await self.end(with: count.isMultiple(of: 2) ? .success(200) : .failure(.timedOut)) }
  }

  override var leakMessage: String {
    "All requests are complete, but something still retains the client. Look for a stored closure that captures `self`."
  }
}

extension HeadersWorld {
  private static let fields = ["X-App-Version", "Accept-Language", "X-Request-ID", "Authorization"]

  /// What can happen in a random story.
  static var randomEvents: [RandomEvent<HeadersWorld>] {
    [
      RandomEvent(17) { world, random in
        let isPlain = Int.random(in: 0..<3, using: &random) == 0
        var request = isPlain ? StoryRequest.plain : .random(using: &random, fields: fields)
        var path: String?
        // The app may load a request again, or an equal one without one of its properties.
        if Int.random(in: 0..<4, using: &random) == 3, let last = world.last {
          (path, request) = (last.path, last.request.simpler.dropFirst().first ?? last.request)
        }
        let isImmediate = Int.random(in: 0..<4, using: &random) == 3
        await world.load(
          request, path: path, immediately: isImmediate ? .random(using: &random) : nil,
          again: Int.random(in: 0..<4, using: &random) == 3)
      },
      RandomEvent(12) { world, random in
        await world.end(
          .random(in: 0..<9, using: &random), with: .random(using: &random), isOnMainQueue: .random(using: &random))
      },
      // Afterward, nothing can be loaded.
      RandomEvent(1) { world, _ in await world.release() },
    ]
  }
}

/// What the page promises, as plain values.
private struct HeadersModel {
  /// The decorators, outermost first.
  private let layers: [Layer]
  /// The path of each request, and the path that the app loads after its result.
  private var sent: [(path: String, next: String?)] = []
  private(set) var effects: [String] = []

  init(layers: [Layer]) {
    self.layers = layers
  }

  /// The index of the request that was sent last.
  var lastIndex: Int { sent.count - 1 }

  mutating func load(_ request: URLRequest, fields: [(name: String, value: String)], then next: String? = nil) {
    var fields = fields
    for layer in layers {
      switch layer {
      case .adds(let headers):
        let missing = headers.filter { header in !fields.contains { $0.name.lowercased() == header.key.lowercased() } }
        fields += missing.map { ($0.key, $0.value) }
      case .countsRequests:
        effects.append("one more request is in flight")
      }
    }
    sent.append((request.path, next))
    let received = request.inWords(withFields: fields.map { ($0.name.lowercased(), $0.value) })
    effects.append("the client receives \(received)")
  }

  mutating func end(_ index: Int, with result: HTTPResult) {
    for case .countsRequests in layers { effects.append("one request less is in flight") }
    effects.append(result.received(for: sent[index].path))
    if let next = sent[index].next { load(.story(next), fields: []) }
  }
}

extension HeadersWorld.Ending {
  fileprivate static func random(using random: inout SeededRandom) -> Self {
    Bool.random(using: &random) ? .failure(SampleError.random(using: &random)) : .success(.status(using: &random))
  }

  /// The result. The body of a response says what it responds to.
  func result(for path: String) -> HTTPResult {
    switch self {
    case .success(let status): .status(status, "the body of \(path)")
    case .failure(let trouble): .failure(trouble.error)
    }
  }
}

extension HTTPResult {
  /// The result, as the completion of a request receives it: `/articles receives 200 "the body of /articles"`.
  func received(for path: String) -> String { "\(path) receives \(inWordsWithBody)" }
}

extension URLRequest {
  var path: String { url?.path ?? "" }
}
