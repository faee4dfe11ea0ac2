import Given
import TestSupport
import Testing

import class Given.Locked
import typealias Given.Response

@testable import ExerciseMiddleware

@Suite("Step 3: cache", .oneAtATime)
struct Step3Cache {
  @Test("you have written down your predictions about the orders")
  func predictsFirst() {
    let (grace, ada) = (Predictions.graceGetsAdasFeed, Predictions.adaGetsTheOldFeedOffline)
    let isComplete = ![grace.cachingOutside, grace.cachingInside, ada.cachingOutside, ada.cachingInside].contains(nil)
    #expect(isComplete, "Predict before you write the middleware: replace each `nil` in `Predictions`.")
  }

  @Test("a fresh response is returned again, and nothing is sent")
  func returnsAFreshResponse() async throws {
    let (clock, sent) = (ManualClock(), Inbox<URLRequest>())
    let sut = caching(for: 60, now: { clock.date })
    let client: Next = { request in
      sent.receive(request)
      return response(200, "response \(sent.values.count)")
    }

    let first = String(decoding: try await sut(.named("feed"), client).data, as: UTF8.self)
    clock.advance(by: 59.75)
    let second = String(decoding: try await sut(.named("feed"), client).data, as: UTF8.self)
    clock.advance(by: 0.25)
    let third = String(decoding: try await sut(.named("feed"), client).data, as: UTF8.self)

    #expect(first == "response 1", "Nothing is kept yet. Send the request, and return its response.")
    #expect(second == "response 1", "The response is younger than `lifetime`. Return it again.")
    #expect(third == "response 2", "The kept response is as old as `lifetime`. Send the request again.")
    #expect(sent.values.count == 2, "While a response is fresh, don't send anything.")
  }

  @Test("a response is fresh from its arrival, however often it is returned")
  func countsFromTheArrival() async throws {
    let (clock, client) = (ManualClock(), AsyncCalls<URLRequest, Response>(to: "the client"))
    let sut = caching(for: 60, now: { clock.date })

    let first = Running { try await sut(.named("feed")) { try await client.receive($0) } }
    await client.receives(1)
    clock.advance(by: 30)
    client.complete(with: .success(response(200, "first")))
    _ = try await first.outcome()
    clock.advance(by: 59.75)
    let second = try await sut(.named("feed")) { _ in response(200, "second") }
    clock.advance(by: 0.25)
    let third = try await sut(.named("feed")) { _ in response(200, "third") }

    let bodies = [second, third].map { String(decoding: $0.data, as: UTF8.self) }
    #expect(
      bodies == ["first", "third"],
      "A response is fresh until `lifetime` has passed since it arrived, not since its request was sent, or since it was last returned."
    )
  }

  @Test("a response belongs to requests with the same URL and header fields")
  func asksForEachRequest() async throws {
    // Two fields of one request, joined, are the only field of another.
    let joined = ["&", ";", "; ", ",", ", ", "|"].flatMap { separator in
      ["=", ":", ": "].map { URLRequest.feed(fields: ["Accept": "other\(separator)Tenant\($0)other"]) }
    }
    try await each(
      "request",
      in: [
        URLRequest.feed(), .feed(fields: ["Authorization": "Bearer ada-1"]),
        .feed(fields: ["Accept": "other", "Tenant": "other"]),
      ], "other request",
      in: [
        URLRequest.feed(fields: ["Authorization": "Bearer grace-1"]), .feed(fields: ["Authorization": "Bearer Ada-1"]),
        .feed(fields: ["Accept-Language": "other"]), .feed(fields: ["Tenant": "other"]), .feed("/feed?page=2"), .feed("/news"),
      ] + joined
    ) { one, other in
      let (sent, sut) = (Inbox<URLRequest>(), caching(for: 60, now: { ManualClock().date }))
      for request in [one, other, other, one] {
        let result = try await sut(request) {
          sent.receive($0)
          return response(200, request.told)
        }
        let body = String(decoding: result.data, as: UTF8.self)
        #expect(
          body == request.told,
          "Keep a response for the whole URL and all header fields. (On Linux, `==` of two requests ignores the fields.)")
      }
      #expect(sent.values.count == 2, "For each of two different requests, a response is kept. Return it again.")
    }
  }

  @Test("if sending fails, the old response is returned")
  func fallsBack() async throws {
    try await each("error", in: SampleError.reasonsToFallBack) { trouble in
      let clock = ManualClock()
      let sut = caching(for: 60, now: { clock.date })
      let failing = { Running { try await sut(.named("feed")) { _ in throw trouble.error } } }

      let error = try await failing().outcome().failure
      #expect(error?.isSame(as: trouble.error) == true, "If sending fails, and nothing is kept, throw the error.")
      _ = try await sut(.named("feed")) { _ in response(200, "the feed") }
      clock.advance(by: 3600)
      _ = try await sut(.named("news")) { _ in response(200, "the news") }
      for _ in 1...2 {
        let rule = "If sending fails, return the kept response, however old it is. It stays old, and it is kept."
        let old = try await failing().outcome().expectSuccess(rule)
        #expect(old.data == Data("the feed".utf8), Comment(rawValue: rule))
      }
      let new = try await sut(.named("feed")) { _ in response(200, "the new feed") }
      #expect(
        new.data == Data("the new feed".utf8), "An old response does not become fresh when it is returned. Send the request.")
    }
  }

  @Test("unchanged: without a session, no old response is returned")
  func returnsNothingToOthers() async throws {
    try await each("error", in: [HTTPClientError.signedOut, .sessionExpired]) { trouble in
      let clock = ManualClock()
      let sut = caching(for: 60, now: { clock.date })
      _ = try await sut(.named("feed")) { _ in response(200, "Ada's feed") }
      clock.advance(by: 60)

      let request = Running { try await sut(.named("feed")) { _ in throw trouble } }
      let error = try await request.outcome().failure

      #expect(
        error as? HTTPClientError == trouble,
        "After `signedOut` or `sessionExpired`, an old response may belong to a user who has left. Throw the error.")
    }
  }

  @Test("only a 200 to a GET is kept")
  func passesTheRestOn() async throws {
    try await each("method", in: ["POST", "PUT", "HEAD"]) { method in
      let (sent, sut) = (Inbox<URLRequest>(), caching(for: 60, now: { ManualClock().date }))
      for method in [method, method, "GET", method] {
        _ = try await sut(.feed(method: method)) {
          sent.receive($0)
          return response(200)
        }
      }
      #expect(
        sent.values.map(\.httpMethod) == [method, method, "GET", method],
        "\(method) is not GET. Send each request, even if a response to a GET is kept, and keep nothing.")
    }
    try await each("status", in: [100, 204, 304, 401, 404, 503, 599]) { status in
      let clock = ManualClock()
      let sut = caching(for: 60, now: { clock.date })
      _ = try await sut(.named("feed")) { _ in response(200, "the feed") }
      clock.advance(by: 60)

      let result = try await sut(.named("feed")) { _ in response(status) }
      let offline = Running { try await sut(.named("feed")) { _ in throw URLError(.notConnectedToInternet) } }

      let rule = "A \(status) is a response like any other: return it, and leave what you keep as it is."
      #expect(result.head.statusCode == status, Comment(rawValue: rule))
      let old = try await offline.outcome().expectSuccess(rule)
      #expect(old.data == Data("the feed".utf8), Comment(rawValue: rule))
    }
  }

  @Test("the responses to twenty different requests are kept for a day")
  func keepsEnough() async throws {
    let clock = ManualClock()
    let sut = caching(for: 60, now: { clock.date })
    let names = (1...20).map { "page-\($0)" }

    for name in names + Array(repeating: "page-20", count: 20) {
      _ = try await sut(.named(name)) { response(200, $0.url?.path ?? "") }
      clock.advance(by: 60)
    }
    clock.advance(by: 82_800)
    for name in names {
      let request = Running { try await sut(.named(name)) { _ in throw URLError(.notConnectedToInternet) } }
      let old = try await request.outcome().expectSuccess(
        "Yesterday, twenty pages arrived, one of them many times, and now the app is offline. A cache may have a limit, but not a lower one than twenty different requests, or than a day."
      )
      #expect(old.data == Data("/\(name)".utf8), "Twenty responses are kept. Each belongs to its URL.")
    }
    let sent = Inbox<URLRequest>()
    for number in 21...300 {
      clock.advance(by: 1)
      for _ in 1...2 {
        _ = try await sut(.named("page-\(number)")) {
          sent.receive($0)
          return response(200)
        }
      }
    }
    #expect(
      sent.values.count == 280,
      "When a cache has reached its limit, whatever that is, it drops an older response, and keeps the new one."
    )
  }

  @Test("unchanged: a canceled request that fails throws its own error")
  func doesNotFallBackWhenCanceled() async throws {
    try await each("error", in: SampleError.allCases) { trouble in
      let (clock, client) = (ManualClock(), AsyncCalls<URLRequest, Response>(to: "the client", endsWhenCanceled: false))
      let sut = caching(for: 60, now: { clock.date })
      _ = try await sut(.named("feed")) { _ in response(200) }
      clock.advance(by: 60)

      let request = Running { try await sut(.named("feed")) { try await client.receive($0) } }
      await client.receives(1)
      request.cancel()
      await eventually { client.canceled == [0] }
      #expect(client.canceled == [0], "Call `next` in the caller's task, so that a cancellation reaches the client.")
      client.complete(with: .failure(trouble.error))
      let error = try await request.outcome().failure

      #expect(
        error?.isSame(as: trouble.error) == true,
        "If a request fails in a canceled task (`Task.isCancelled`), throw its error, whichever it is. No one waits for an old response."
      )
    }
  }

  @Test("unchanged: a canceled request does not end an equal one")
  func keepsEqualRequestsApart() async throws {
    let (clock, client) = (ManualClock(), AsyncCalls<URLRequest, Response>(to: "the client"))
    let sut = caching(for: 60, now: { clock.date })
    let load = { Running { try await sut(.named("feed")) { try await client.receive($0) } } }

    let first = load()
    await client.receives(1)
    let second = load()
    await tasksSettled()
    first.cancel()
    await tasksSettled()
    client.completesEachCall(with: .success(response(200, "the feed")))
    let feed = try await second.outcome().expectSuccess(
      "Only the other request was canceled. This one should get its response.")

    #expect(feed.data == Data("the feed".utf8), "Each request should get the response to its URL.")
  }

  @Test("if one of two equal requests fails, the other's response is kept")
  func looksAgainAfterAFailure() async throws {
    try await each("the last one fails", in: [true, false]) { secondFails in
      let (clock, client) = (ManualClock(), AsyncCalls<URLRequest, Response>(to: "the client"))
      let sut = caching(for: 60, now: { clock.date })
      let load = { Running { String(decoding: try await sut(.named("feed"), client.receive).data, as: UTF8.self) } }

      let first = load()
      await client.receives(1)
      client.complete(0, with: .success(response(200, "old")))
      _ = try await first.outcome()
      clock.advance(by: 3600)
      let both = [load(), load()]
      await client.receives(2)
      await tasksSettled()
      client.complete(client.count - 1, with: .success(response(200, "new")))
      await tasksSettled()
      client.completesEachCall(with: secondFails ? .failure(URLError(.timedOut)) : .success(response(200, "newest")))

      var feeds: [String] = []
      for request in both {
        feeds += [
          try await request.outcome().expectSuccess(
            "Two equal requests overlapped, and a response was kept. If one fails, return it.")
        ]
      }
      let rule =
        "Two equal requests overlapped, an hour after the response that was kept. Look in the cache again when one ends or fails: the other may have brought a newer response."
      #expect(!feeds.contains("old") && (!secondFails || feeds == ["new", "new"]), Comment(rawValue: rule))
      let last = try await load().outcome().expectSuccess(rule)
      #expect(last == (feeds.contains("newest") ? "newest" : "new"), Comment(rawValue: rule))
    }
  }

  @Test("you correctly predicted whose feed Grace gets")
  func predictsTheFeed() async throws {
    try await expectRight(Predictions.graceGetsAdasFeed) {
      try await $0.load(as: "Ada")
      $0.clock.advance(by: 30)
      try await $0.load(as: "Grace")
    }
  }

  @Test("you correctly predicted what Ada gets offline")
  func predictsTheFeedOffline() async throws {
    try await expectRight(Predictions.adaGetsTheOldFeedOffline) {
      try await $0.load(as: "Ada")
      $0.clock.advance(by: 3600)
      $0.goOffline()
      try await $0.load(as: "Ada")
    }
  }

  private func expectRight(
    _ prediction: (cachingOutside: Bool?, cachingInside: Bool?), sourceLocation: SourceLocation = #_sourceLocation,
    _ events: (Orders) async throws -> Void
  ) async rethrows {
    for (place, predicted) in [(Orders.Place.outside, prediction.cachingOutside), (.inside, prediction.cachingInside)] {
      let orders = Orders(place)
      try await events(orders)
      // A Boolean hides the prediction's value from the failure.
      let isRight = predicted == orders.events.values.last?.hasSuffix("Ada's feed.")
      #expect(
        isRight, "You predicted something else. This is what happens with `caching` \(place.rawValue):\n\(orders.inWords)",
        sourceLocation: sourceLocation)
    }
  }

  @Test("the cache obeys all the rules in random sequences of events")
  func playsRandomRuns() async {
    await expectNoRunGoesWrong(count: 400, of: CacheRun.events) { _ in CacheRun() }
  }
}

/// A middleware that adds credentials, and the learner's `caching` outside or inside it. It tells what happens.
private final class Orders: Sendable {
  enum Place: String { case outside, inside }

  let clock = ManualClock()
  let events = Inbox<String>()
  private let isOnline = Locked(true)
  private let sut: @Sendable (URLRequest, String) async throws -> Response

  init(_ place: Place) {
    let (clock, events, isOnline) = (clock, events, isOnline)
    let caching = caching(for: 60, now: { clock.date })
    let client: Next = { request in
      let user = request.sentToken.map { $0.prefix { $0 != "-" }.capitalized } ?? "no one"
      events.receive("The client receives a request with \(user == "no one" ? "no token" : "\(user)'s token").")
      return response(200, "\(user)'s feed")
    }
    /// The middleware that adds credentials. To obtain them, it has to be online.
    @Sendable func authorizing(_ user: String, _ next: @escaping Next) -> Next {
      { request in
        guard isOnline.withLock({ $0 }) else {
          events.receive("The token has to be refreshed first. That fails with URLError -1009.")
          throw URLError(.notConnectedToInternet)
        }
        var request = request
        request.setValue("Bearer \(user.lowercased())-1", forHTTPHeaderField: "Authorization")
        return try await next(request)
      }
    }
    sut = { request, user in
      switch place {
      case .outside: try await caching(request, authorizing(user, client))
      case .inside: try await authorizing(user) { try await caching($0, client) }(request)
      }
    }
  }

  var inWords: String { events.values.enumerated().map { "  \($0.offset + 1). \($0.element)" }.joined(separator: "\n") }

  func goOffline() {
    events.receive("Ada's token and her feed become too old, and she goes offline.")
    isOnline.withLock { $0 = false }
  }

  func load(as user: String) async throws {
    events.receive("\(user) is signed in, and requests /feed.")
    let outcome = Running { [sut] in try await sut(.named("feed"), user) }
    switch try await outcome.outcome() {
    case .success(let response): events.receive("\(user) receives \(String(decoding: response.data, as: UTF8.self)).")
    case .failure(let error): events.receive("\(user) receives \(error.inWords).")
    }
  }
}
