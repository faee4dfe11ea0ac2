import Given
import TestSupport
import Testing

@testable import Exercise9

@Suite("Step 3: the universal form", .oneAtATime)
struct Step3TheUniversalForm {
  @Test("the first middleware in a list is the outermost")
  func keepsTheOrder() async throws {
    let journal = Inbox<String>()
    let sut = composed(
      [noting("a", in: journal), noting("b", in: journal), noting("c", in: journal)],
      around: { _ in
        journal.receive("the client")
        return response(200)
      })

    _ = try await sut(.named("articles"))

    #expect(
      journal.values == ["a: request", "b: request", "c: request", "the client", "c: response", "b: response", "a: response"],
      "The first middleware sees the request first and the response last.")
  }

  @Test("unchanged: an empty middleware list leaves the client as it is")
  func yieldsTheClient() async {
    await story([], "Without middleware, each request reaches the client once, and its response is returned.") {
      await $0.send("/articles", leadsToAllOf: ["the client receives /articles"])
      await $0.respond(leadsToAllOf: ["/articles receives 200"])
    }
  }

  @Test("a middleware can change the request that the next one receives")
  func passesChangesOn() async {
    await story([.changes, .passes("a")], "A middleware may change the request. Pass the next one what `next` was called with.") {
      await $0.send("/articles", leadsToAllOf: ["the client receives /articles/changed through a"])
      await $0.respond(leadsToAllOf: ["/articles receives 200 through a"])
    }
  }

  @Test("if a middleware does not call `next`, the request goes no further")
  func obeysShortCircuits() async {
    await story(
      [.passes("a"), .skips, .passes("b")],
      "Call the rest of the list only from `next`. A middleware that doesn't call it skips the rest."
    ) {
      await $0.send("/articles", leadsToAllOf: ["/articles receives 304 through a"])
    }
  }

  @Test("a middleware can call `next` twice")
  func repeatsTheRest() async {
    await story([.repeats, .passes("a")], "Each call to `next` runs the entire rest of the list.") {
      await $0.send("/articles", leadsToAllOf: ["the client receives /articles through a"])
      await $0.respond(leadsToAllOf: ["the client receives /articles through a"])
      await $0.respond(leadsToAllOf: ["/articles receives 200 through a"])
    }
  }

  @Test("each of two overlapping requests passes through the whole list")
  func servesManyRequests() async {
    await story([.passes("a"), .passes("b")], "Every request passes through the whole list. Store nothing between requests.") {
      await $0.send("/articles", leadsToAllOf: ["the client receives /articles through a, b"])
      await $0.send("/comments", leadsToAllOf: ["the client receives /comments through a, b"])
      await $0.respond(leadsToAllOf: ["/articles receives 200 through b, a"])
      await $0.fail(.timedOut, leadsToAllOf: ["/comments receives URLError -1001"])
    }
  }

  @Test("a cancellation reaches the client")
  func passesCancellationsOn() async {
    await story([.passes("a")], "Run the middleware in the caller's task, and let the client decide what a cancellation means.") {
      await $0.send("/articles", leadsToAllOf: ["the client receives /articles through a"])
      await $0.cancel(leadsToAllOf: ["the cancellation reaches the client"])
      await $0.respond(leadsToAllOf: ["/articles receives 200 through a"])
    }
  }
}

/// Makes a middleware that notes when it sees a request, and when it sees the response.
private func noting(_ name: String, in journal: Inbox<String>) -> Middleware {
  { request, next in
    journal.receive("\(name): request")
    let response = try await next(request)
    journal.receive("\(name): response")
    return response
  }
}

/// What a middleware does with a request.
private enum Layer {
  case passes(String)
  case changes, skips, repeats

  var inWords: String {
    switch self {
    case .passes(let name): "`\(name)`"
    case .changes: "one that changes the request"
    case .skips: "one that does not call `next`"
    case .repeats: "one that calls `next` twice"
    }
  }

  var middleware: Middleware {
    { request, next in
      switch self {
      case .passes(let name):
        var request = request
        request.setValue(trail(request.value(forHTTPHeaderField: "Trail"), name), forHTTPHeaderField: "Trail")
        let (data, head) = try await next(request)
        return (Data(trail(String(decoding: data, as: UTF8.self), name).utf8), head)
      case .changes:
        var request = request
        request.url?.appendPathComponent("changed")
        return try await next(request)
      case .skips: return response(304)
      case .repeats:
        _ = try await next(request)
        return try await next(request)
      }
    }
  }

  private func trail(_ trail: String?, _ name: String) -> String {
    (trail ?? "").isEmpty ? " through \(name)" : "\(trail ?? ""), \(name)"
  }
}

/// Plays a short story about a list of middleware: see ``ShortStory``.
private func story(_ layers: [Layer], _ rule: String, _ events: (Chain) async -> Void) async {
  let chain = Chain(layers, rule)
  await events(chain)
  await chain.end()
}

/// Middleware around a client, and a short story about it.
private final class Chain {
  private let client = AsyncCalls<URLRequest, Response>(to: "the client", endsWhenCanceled: false)
  private let results = Inbox<String>()
  private let sut: Next
  private let short: ShortStory
  private var requests: [Running<Void>] = []

  init(_ layers: [Layer], _ rule: String) {
    sut = composed(layers.map(\.middleware), around: { [client] in try await client.receive($0) })
    let names = layers.map(\.inWords)
    let setting = layers.isEmpty ? "The list is empty." : "The list of middleware contains \(names.joined(separator: ", then "))."
    short = ShortStory(rule, setting: setting) { [client, results] in
      client.arguments.map { "the client receives \($0.url?.path ?? "")\($0.value(forHTTPHeaderField: "Trail") ?? "")" }
        + client.cancelled.map { _ in "the cancellation reaches the client" } + results.values
    }
  }

  func send(_ path: String, leadsToAllOf effects: [String], at place: SourceLocation = #_sourceLocation) async {
    await short.play("The app sends \(path).", leadingTo: effects, sourceLocation: place) {
      requests.append(
        Running { [sut, results] in
          do {
            let (data, head) = try await sut(.story(path))
            results.receive("\(path) receives \(head.statusCode)\(String(decoding: data, as: UTF8.self))")
          } catch {
            results.receive("\(path) receives \(error.inWords)")
          }
        })
    }
  }

  /// The client responds to the oldest request in flight.
  func respond(leadsToAllOf effects: [String], at place: SourceLocation = #_sourceLocation) async {
    await end("The client responds with 200.", .success(response(200)), effects, place)
  }

  /// The oldest request in flight fails.
  func fail(_ trouble: Trouble, leadsToAllOf effects: [String], at place: SourceLocation = #_sourceLocation) async {
    await end("The client fails with \(trouble.inWords).", .failure(trouble.error), effects, place)
  }

  private func end(_ sentence: String, _ result: Result<Response, any Error>, _ effects: [String], _ place: SourceLocation) async
  {
    await short.play(sentence, leadingTo: effects, sourceLocation: place) {
      client.complete(client.unfinished.first ?? client.count, with: result, sourceLocation: place)
    }
  }

  func cancel(leadsToAllOf effects: [String], at place: SourceLocation = #_sourceLocation) async {
    await short.play("The app cancels the request before the client responds.", leadingTo: effects, sourceLocation: place) {
      requests[0].cancel()
    }
  }

  func end(at place: SourceLocation = #_sourceLocation) async {
    await mainQueueDrained()
    await short.play("Nothing else happens.", leadingTo: [], sourceLocation: place) {}
  }
}
