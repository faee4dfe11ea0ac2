import Given
import TestSupport
import Testing

import class TestSupport.ClosureClient
import typealias TestSupport.HTTPResult

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
      request.url = url  // `URLRequest(url:)` may forget that a URL is relative.
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
    await each("error", in: SampleError.allCases) { sample in
      let log = Inbox<HTTPLogRecord>()

      logging(ClosureClient { $1(.failure(sample.error)) }, to: log, now: { ContinuousClock.now }).load(.named("articles")) { _ in
      }

      await log.receives(1)
      #expect(log.values.count == 1, "When an error arrives, add one record, whatever the error.")
      #expect(
        log.values.first?.outcome == .init(of: .failure(sample.error)),
        "For any error, record its domain and its code, as an `NSError`.")
      #expect(log.values.first?.path == "/articles", "An error has no response. The path is that of the request's URL.")
    }
  }

  @Test("two equal results leave two equal records")
  func recordsEqualResults() async {
    let (log, clock) = (Inbox<HTTPLogRecord>(), ManualClock())
    let sut = logging(ClosureClient { $1(.status(200)) }, to: log, now: { clock.now })

    for _ in 1...2 { sut.load(.named("articles")) { _ in } }

    await log.receives(2)
    #expect(log.values.count == 2, "Add one record for each result, even if it equals the one before it.")
  }

  @Test("the logged duration runs from the call until the result arrives")
  func measures() async {
    await each("seconds", in: [0, 0.0004, 0.25, 7200, 1e10]) { (seconds: TimeInterval) in
      let (client, log, clock) = (HTTPClientSpy(), Inbox<HTTPLogRecord>(), ManualClock())
      let sut = logging(client, to: log, now: { clock.now })
      clock.advance(by: 100)

      sut.load(.named("articles")) { _ in }
      await client.calls.receives(1)
      clock.advance(by: seconds)
      client.calls.complete(with: .status(200))

      await log.receives(1)
      #expect(
        log.values.first?.duration == .seconds(seconds),
        "Read `now` twice: before you forward the request, and when its result arrives. Do not round the duration.")
    }
  }

  @Test("the logged duration excludes the time that the caller's completion takes")
  func stopsAtTheResult() async {
    let (client, log, clock) = (HTTPClientSpy(), Inbox<HTTPLogRecord>(), ManualClock())
    let sut = logging(client, to: log, now: { clock.now })

    sut.load(.named("articles")) { _ in clock.advance(by: 30) }
    await client.calls.receives(1)
    clock.advance(by: 1)
    client.calls.complete(with: .status(200))

    await log.receives(1)
    #expect(
      log.values.first?.duration == .seconds(1),
      "The completion took 30 seconds. The duration ends when the result arrives: read `now` before you call the completion.")
  }

  @Test("the durations of overlapping requests are measured separately")
  func measuresOverlappingRequests() async {
    await each("the first to end", in: [0, 1]) { first in
      let (client, log, clock) = (HTTPClientSpy(), Inbox<HTTPLogRecord>(), ManualClock())
      let sut = logging(client, to: log, now: { clock.now })

      for seconds in [1.0, 2] {
        sut.load(.named("articles")) { _ in }
        await client.calls.receives(Int(seconds))
        clock.advance(by: seconds)
      }
      client.calls.complete(first, with: .status(200))
      await log.receives(1)
      clock.advance(by: 4)
      client.calls.complete(1 - first, with: .status(200))
      await log.receives(2)

      let durations: [Duration] = first == 0 ? [.seconds(3), .seconds(6)] : [.seconds(2), .seconds(7)]
      #expect(
        log.values.map(\.duration) == durations,
        "Each request has its own start time, even while another one for the same path is in flight.")
    }
  }

  @Test("a log that takes its time delays no measurement")
  func measuresBesideASlowLog() async {
    let (client, clock, reads, log) = (HTTPClientSpy(), ManualClock(), Inbox<Void>(), SlowLog())
    let sut = logging(
      client, to: log,
      now: {
        defer { reads.receive(()) }
        return clock.now
      })

    for name in ["first", "second"] { sut.load(.named(name)) { _ in } }
    await client.calls.receives(2)
    DispatchQueue.newBackgroundQueue.async { client.calls.complete(0, with: .status(200)) }
    await log.hasBegun.receives(1)
    let before = reads.values.count
    DispatchQueue.newBackgroundQueue.async { client.calls.complete(1, with: .status(200)) }
    await reads.receives(before + 1)
    clock.advance(by: 9)
    log.mayGoOn.signal()

    await log.records.receives(2)
    #expect(
      log.records.values.map(\.duration) == [.zero, .zero],
      "The log takes 9 seconds for the first record. Read `now` before anything else that your completion does, and hold no lock then."
    )
  }

  @Test("a result is logged even if the app has released the decorator")
  func logsAfterTheRelease() async throws {
    let (client, log, results) = (HTTPClientSpy(), Inbox<HTTPLogRecord>(), Inbox<HTTPResult>())

    // Nothing but the request in flight retains the decorator, and the log that it has.
    logging(client, to: LogRelay(to: log), now: { ContinuousClock.now }).load(.named("articles"), completion: results.receive)
    await client.calls.receives(1)
    client.calls.complete(with: .status(200))

    let remark = "The app has released the decorator, with a request in flight. Don't capture `self`, or the log, weakly."
    _ = try await results.only("The result was lost. \(remark)")
    await log.receives(1)
    #expect(log.values.count == 1, "The result has no record. \(remark)")
  }

  @Test("unchanged: when a request has ended, nothing of it is kept")
  func keepsNothing() async {
    await expectNothingKept(by: .logging)
  }

  @Test("many threads may load at once")
  func servesManyThreads() async {
    let (log, results) = (Inbox<HTTPLogRecord>(), Inbox<Bool>())
    nonisolated(unsafe) let sut = logging(
      ClosureClient { $1(.status(200, $0.url?.path ?? "")) }, to: log, now: { ContinuousClock.now })

    DispatchQueue.concurrentPerform(iterations: 1000) { number in
      sut.load(.named("\(number)")) { results.receive($0.text == "200 /\(number)") }
    }
    await results.receives(1000)
    await log.receives(1000)

    #expect(
      results.values == Array(repeating: true, count: 1000),
      "Many threads called `load` at once. Each request needs its own result, once. What do the calls share?")
    #expect(
      log.values.map(\.path).sorted() == (0..<1000).map { "/\($0)" }.sorted(),
      "Many threads called `load` at once. Each result needs one record. What do the calls share?")
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
        logging(ClosureClient { $1(result) }, to: log, now: { ContinuousClock.now }).load(request) { _ in }
      }
      await log.receives(3)

      #expect(log.values.count == 3, "Three results should leave three records. Add a record for every result.")
      let logged = String(reflecting: log.values)
      let leaked = ["query", "part", "user", "word", "body", "token", "response"].map { $0 + "-secret" }.filter(logged.contains)
      #expect(
        leaked.isEmpty, "A log record contains a secret. Log only the path of the URL, and only the domain and code of an error.")
    }
  }

  @Test("unchanged: every request is forwarded")
  func forwardsTheRequest() async throws {
    try await expectUnchangedRequest(from: .logging)
  }

  @Test("every result is delivered, and leaves one record")
  func deliversTheResult() async {
    for result in [200, 304, 404].map({ HTTPResult.status($0, "body") }) + SampleError.allCases.map({ .failure($0.error) }) {
      await expectUnchangedResult(result, from: .logging, "A logger changes nothing. Deliver the client's result.")
    }
  }

  @Test("each of hundreds of requests leaves the right record, whatever it gets")
  func weathersAStorm() async {
    await expectEachRequestIsRight(through: .logging)
  }
}

/// A log that takes its time for the first record.
private final class SlowLog: HTTPLog {
  let (records, hasBegun, mayGoOn) = (Inbox<HTTPLogRecord>(), Inbox<Void>(), DispatchSemaphore(value: 0))

  func add(_ record: HTTPLogRecord) {
    if hasBegun.values.isEmpty {
      hasBegun.receive(())
      mayGoOn.wait(atMost: 10)
    }
    records.receive(record)
  }
}

/// An error whose description quotes a secret.
private struct TalkativeError: LocalizedError {
  var errorDescription: String? { "The token token-secret was refused." }
}
