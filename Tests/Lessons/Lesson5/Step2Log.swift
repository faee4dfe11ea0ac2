import Given
import TestSupport
import Testing

import class TestSupport.ClosureClient
import class TestSupport.HTTPClientSpy
import typealias TestSupport.HTTPResult
import class TestSupport.Inbox
import class TestSupport.ManualClock
import enum TestSupport.SampleError

@testable import Exercise5

@Suite("Step 2: log", .oneAtATime)
struct Step2Log {
  @Test("a record has the request's method and path, and the response's status")
  func recordsTheResponse() async {
    let absolute = URL(string: "https://example.com/articles/42/title?page=2")!
    let relative = URL(string: "42/title", relativeTo: URL(string: "https://example.com/articles/"))!
    let bare = URL(string: "https://example.com")!
    let deep = URL(string: "https://example.com/" + String(repeating: "a/", count: 1000) + "z")!
    for (status, url, path) in [
      (200, absolute, "/articles/42/title"), (304, absolute, "/articles/42/title"), (403, absolute, "/articles/42/title"),
      (500, relative, "/articles/42/title"), (100, bare, ""), (599, deep, deep.path),
    ] {
      let (client, log) = (HTTPClientSpy(responding: { _ in .status(status) }), Inbox<HTTPLogRecord>())
      var request = URLRequest(url: absolute)
      request.url = url  // On Linux, `URLRequest(url:)` forgets that a URL is relative.
      request.httpMethod = "PATCH"

      logging(client, to: log, now: { ContinuousClock.now }).load(request) { _ in }

      await log.receives(1)
      let record = log.values.first
      #expect(log.values.count == 1, "When a response arrives, add one record, whatever the status.")
      #expect(
        record?.method == "PATCH" && record?.outcome == .status(status), "Record the request's method, and the response's status."
      )
      #expect(
        record?.path == path,
        "Record the path of the request's URL, not of the response's: the whole `path`, without the query.")
    }
  }

  @Test("each error is logged in one record, with its domain and code")
  func recordsTheError() async {
    await each("error", in: SampleError.allCases) { trouble in
      await story(World(.logging), "For any error, record the domain and the code of `error as NSError`.") {
        await $0.load("/articles", leadsToAllOf: ["the client receives GET /articles"])
        await $0.end(
          with: .failure(trouble.error),
          leadsToAllOf: [
            "/articles receives \(trouble.inWords)",
            "the log shows GET /articles, \(HTTPLogRecord.Outcome(of: trouble.error).inWords), 0.0 seconds",
          ])
      }
    }
  }

  @Test("the logged duration runs from the call until the result arrives")
  func measures() async {
    await each("seconds", in: [0, 0.0004, 0.25, 7200, 1e10]) { (seconds: TimeInterval) in
      await story(
        World(.logging),
        "Read `now` twice: before you forward the request, and when its result arrives. Do not round the duration."
      ) {
        await $0.advance(by: 100)
        await $0.load("/articles", leadsToAllOf: ["the client receives GET /articles"])
        await $0.advance(by: seconds)
        await $0.end(
          with: .status(200),
          leadsToAllOf: [
            "/articles receives 200",
            "the log shows GET /articles, 200, \(Duration.seconds(seconds))",
          ])
      }
    }
  }

  @Test("the logged duration excludes the time that the caller's completion takes")
  func stopsAtTheResult() async {
    await story(World(.logging), "The duration ends when the result arrives. Read `now` before you call the completion.") {
      await $0.load("/articles", callerTakes: 30, leadsToAllOf: ["the client receives GET /articles"])
      await $0.advance(by: 1)
      await $0.end(with: .status(200), leadsToAllOf: ["/articles receives 200", "the log shows GET /articles, 200, 1.0 seconds"])
    }
  }

  @Test("the durations of overlapping requests are measured separately")
  func measuresOverlappingRequests() async {
    await story(
      World(.logging), "Each request has its own start time, even while another one for the same path is in flight."
    ) {
      await $0.load("/articles", leadsToAllOf: ["the client receives GET /articles"])
      await $0.advance(by: 1)
      await $0.load("/articles", leadsToAllOf: ["the client receives GET /articles"])
      await $0.advance(by: 2)
      await $0.end(with: .status(201), leadsToAllOf: ["/articles receives 201", "the log shows GET /articles, 201, 3.0 seconds"])
      await $0.advance(by: 4)
      await $0.end(with: .status(202), leadsToAllOf: ["/articles receives 202", "the log shows GET /articles, 202, 6.0 seconds"])
    }
  }

  @Test("a result is logged even if the app has released the decorator")
  func logsAfterTheRelease() async {
    await story(
      World(.logging),
      "Log the result and deliver it, even if nothing but the request in flight retains the decorator. Don't capture `self`, or the log, weakly."
    ) {
      await $0.load("/articles", leadsToAllOf: ["the client receives GET /articles"])
      await $0.releaseStack()
      await $0.end(with: .status(200), leadsToAllOf: ["/articles receives 200", "the log shows GET /articles, 200, 0.0 seconds"])
    }
  }

  @Test("no secret reaches the log")
  func logsNoSecrets() async {
    await each(
      "path", in: ["/articles", ""], "rest",
      in: ["?key=query-secret", "#part-secret", "?key=query-secret#part-secret", "?#part-secret?key=query-secret"]
    ) { path, rest in
      let log = Inbox<HTTPLogRecord>()
      var request = URLRequest(url: URL(string: "https://user-secret:word-secret@example.com\(path)\(rest)")!)
      request.httpMethod = "POST"
      request.httpBody = Data("body-secret".utf8)
      request.setValue("Bearer token-secret", forHTTPHeaderField: "Authorization")
      let talkative = NSError(
        domain: "Network", code: 7,
        userInfo: [NSLocalizedDescriptionKey: "https://example.com/articles?key=query-secret", "token": "token-secret"])

      for result in [HTTPResult.status(200, "response-secret"), .failure(talkative), .failure(TalkativeError())] {
        logging(ClosureClient { $1(result) }, to: log, now: { ManualClock().now }).load(request) { _ in }
      }
      await log.receives(3)

      #expect(log.values.count == 3, "Three results should leave three records. Add a record for every result.")
      let logged = String(reflecting: log.values)
      let leaked = ["query", "part", "user", "word", "body", "token", "response"].map { $0 + "-secret" }.filter(logged.contains)
      #expect(
        leaked.isEmpty, "A log record contains a secret. Log only the path of the URL, and only the domain and code of an error.")
    }
  }

  @Test("every result is delivered, and leaves one record")
  func deliversTheResult() async {
    for result in [200, 304, 404].map({ HTTPResult.status($0, "body") }) + SampleError.allCases.map({ .failure($0.error) }) {
      await expectUnchanged(result, from: .logging, "A logger changes nothing. Deliver the client's result.")
    }
  }

  @Test("unchanged: every request is forwarded")
  func forwardsTheRequest() async throws {
    try await expectUnchangedRequest(from: .logging)
  }
}

/// An error whose description quotes a secret.
private struct TalkativeError: LocalizedError {
  var errorDescription: String? { "The token token-secret was refused." }
}
