import Given
import TestSupport
import Testing

/// A story about requests with all kinds of properties, and decorators that add headers to them.
final class HeadersStory: Story {
  enum Event: Sendable {
    case load(StoryRequest = .plain, isRepeated: Bool = false, immediately: HeadersWorld.Ending? = nil, again: Bool = false)
    case end(Int = 0, with: HeadersWorld.Ending, isOnMainQueue: Bool = false)
    case release
  }

  private static let names = ["X-App-Version", "Accept-Language", "X-Request-ID", "Authorization"]

  static func event(using random: inout SeededRandom) -> Event {
    let ending: HeadersWorld.Ending =
      Bool.random(using: &random)
      ? .success(.status(using: &random))
      : .failure(Trouble.random(using: &random))
    let choice = Int.random(in: 0..<30, using: &random)
    // Afterward, nothing can be loaded.
    if choice == 0 { return .release }
    if choice < 13 {
      return .end(Int.random(in: 0..<9, using: &random), with: ending, isOnMainQueue: Bool.random(using: &random))
    }
    let isPlain = Int.random(in: 0..<3, using: &random) == 0
    return .load(
      isPlain ? .plain : .random(using: &random, fields: names), isRepeated: Int.random(in: 0..<4, using: &random) == 0,
      immediately: Int.random(in: 0..<4, using: &random) == 0 ? ending : nil, again: Int.random(in: 0..<4, using: &random) == 0)
  }

  static func simpler(_ event: Event) -> [Event] {
    guard case .load(let request, let isRepeated, let ending, let again) = event else { return [] }
    return (isRepeated || again ? [.load(request, immediately: ending)] : [])
      + request.simpler.map { .load($0, isRepeated: isRepeated, immediately: ending, again: again) }
  }

  let leaks = LeakTracker()
  private let world: HeadersWorld
  private var model: HeadersModel
  private var names = StoryNames()
  /// The request that the app has loaded last. It may load an equal one, or one that lacks a property of it.
  private var last: (path: String, request: StoryRequest)?

  /// - Parameter layers: The decorators. The first is the innermost one.
  init(_ layers: [Layer]) {
    world = HeadersWorld(layers, leaks)
    model = HeadersModel(layers: layers.reversed())
  }

  convenience init(_ layers: Layer...) {
    self.init(layers)
  }

  convenience init(using random: inout SeededRandom) {
    self.init(
      ["inner", "outer"].prefix(Int.random(in: 1...2, using: &random)).map { place in
        let names = Self.names.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
        let headers = names.map { name in
          (name.spelledAtRandom(using: &random), [place, place, ""].randomElement(using: &random)!)
        }
        return .adds(Dictionary(uniqueKeysWithValues: headers))
      })
  }

  static let leakMessage: Comment =
    "All requests are complete, but something still retains the client. Look for a stored closure that captures `self`."

  var setting: [String] { world.setting }

  var expected: [String] { model.effects }

  var observed: [String] { world.observed }

  func play(_ event: Event) async -> String? {
    switch event {
    case .load(let request, let isRepeated, let ending, let again):
      guard !world.isReleased else { return nil }
      let next = again ? names.path() : nil
      let (path, request) = (isRepeated ? last : nil).map { ($0, $1.simpler.dropFirst().first ?? $1) } ?? (names.path(), request)
      let original = request.request(for: path)
      last = (path, request)
      model.load(original, fields: request.fields, then: next)
      if let ending { model.end(model.lastIndex, with: ending.result(for: original.path)) }
      return await world.load(original, immediately: ending, then: next)
    case .end(let position, let ending, let isOnMainQueue):
      let open = world.unfinished
      guard !open.isEmpty else { return nil }
      let index = open[position % open.count]
      model.end(index, with: ending.result(for: world.path(of: index)))
      return await world.end(index, with: ending, isOnMainQueue: isOnMainQueue)
    case .release:
      return release()
    }
  }

  func release() -> String? { world.isReleased ? nil : world.release() }

  func nextEnding() -> Event? {
    world.unfinished.isEmpty
      ? nil : .end(with: world.unfinished.count.isMultiple(of: 2) ? .success(200) : .failure(.timedOut))
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
