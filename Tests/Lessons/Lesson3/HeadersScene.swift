import Given
import TestSupport
import Testing

@testable import Exercise3

/// A decorator in a story.
enum Layer {
  /// The learner's, with the values of its headers, by name.
  case adds([String: String])
  /// One that the learner has not written.
  case countsRequests
}

extension [Layer] {
  /// What the story begins with, one sentence for each layer. The first layer is the innermost one.
  var inWords: [String] {
    enumerated().map { index, layer in
      let start = index == 0 ? "A decorator" : "A decorator around that one"
      guard case .adds(let headers) = layer else { return "\(start) counts the requests in flight." }
      let fields = headers.map { "\($0): \"\($1)\"" }.sorted().joined(separator: " and ")
      return "\(start) adds \(fields.isEmpty ? "nothing" : fields)."
    }
  }

  /// Wraps a client in all layers.
  func wrap(_ client: any HTTPClient, addToCount: @escaping (Int) -> Void = { _ in }) -> any HTTPClient {
    reduce(client) { client, layer in
      switch layer {
      case .adds(let headers): addingHeaders(headers, to: client)
      case .countsRequests: ActivityHTTPClientDecorator(decoratee: client, addToCount: addToCount)
      }
    }
  }
}

/// Plays a short story about decorators around a client: see ``ShortStory``.
///
/// When the events are over, the app releases the decorators, the requests that are still in flight end, and everything should
/// be released.
///
/// - Parameters:
///   - layers: The decorators. The first is the innermost one.
///   - rule: The rule that the story shows, as a sentence for the learner.
///   - sourceLocation: The source location of issues.
///   - events: What happens.
func story(
  _ layers: Layer..., rule: String, sourceLocation: SourceLocation = #_sourceLocation, _ events: (HeadersScene) async -> Void
) async {
  await expectReleased(
    "All requests are complete, but something still retains the client or a completion. Check what your decorator stores.",
    sourceLocation: sourceLocation
  ) { leaks in
    let scene = HeadersScene(layers, rule, leaks)
    await events(scene)
    await scene.end(sourceLocation)
  }
}

/// Decorators around a client, and a story about them.
final class HeadersScene {
  private let client: HTTPClientSpy
  private let effects = Inbox<String>()
  private let leaks: LeakTracker
  private let short: ShortStory
  private var sut: (any HTTPClient)?

  fileprivate init(_ layers: [Layer], _ rule: String, _ leaks: LeakTracker) {
    self.leaks = leaks
    client = leaks.track(
      HTTPClientSpy(responding: { [effects] request in
        effects.receive("the client receives \(request.inWords)")
        return nil
      }))
    short = ShortStory(rule, setting: layers.inWords.joined(separator: " ")) { [effects] in effects.values }
    sut = layers.wrap(client) { [effects] in
      effects.receive($0 > 0 ? "one more request is in flight" : "one request less is in flight")
    }
  }

  /// The app loads a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - effects: What it leads to.
  ///   - place: The source location of issues.
  func load(_ request: URLRequest, leadsTo effects: String..., at place: SourceLocation = #_sourceLocation) async {
    let path = request.url?.path ?? ""
    let completion = leaks.track(Completion { [effects = self.effects] in effects.receive($0.received(for: path)) })
    await short.play("The app loads \(request.inWords).", leadingTo: effects, sourceLocation: place) {
      sut?.load(request) { completion.body($0) }
    }
  }

  /// The client responds to the oldest request in flight.
  func respond(_ status: Int, leadsTo effects: String..., at place: SourceLocation = #_sourceLocation) async {
    await respond(status, effects: effects, place)
  }

  /// Ends the story.
  fileprivate func end(_ place: SourceLocation) async {
    short.tell("The app releases the decorator. Only requests in flight still need it.")
    sut = nil
    await mainQueueDrained()
    for index in client.calls.unfinished {
      let path = client.requests[index].url?.path ?? ""
      await respond(404, effects: [HTTPResult.response(404, to: path).received(for: path)], place)
    }
    if short.hasFailed { leaks.forget() }
  }

  private func respond(_ status: Int, effects: [String], _ place: SourceLocation) async {
    let index = client.calls.unfinished.first ?? client.requests.count
    let path = client.requests.indices.contains(index) ? client.requests[index].url?.path ?? "" : "The request"
    await short.play("\(path) gets \(status).", leadingTo: effects, sourceLocation: place) {
      client.calls.complete(index, with: .response(status, to: path), sourceLocation: place)
    }
  }
}

/// Lives as long as the completion that calls it.
private final class Completion {
  let body: HTTPClient.Completion

  init(_ body: @escaping HTTPClient.Completion) {
    self.body = body
  }
}

extension URLRequest {
  /// A `GET` request with header fields.
  static func articles(with fields: [String: String] = [:]) -> URLRequest {
    var request = URLRequest.named("articles")
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }
}

extension HTTPResult {
  /// A response whose body says what it responds to.
  static func response(_ status: Int, to path: String) -> HTTPResult {
    .status(status, "the body of \(path)")
  }

  /// The result, as the completion of a request receives it: `/articles receives 200 the body of /articles`.
  func received(for path: String) -> String { "\(path) receives \(inDetail)" }
}
