import Given
import TestSupport
import Testing

@testable import Exercise3

@Suite("Step 3: decorate with headers", .oneAtATime)
struct Step3DecorateWithHeaders {
  @Test("every request receives the headers")
  func addsHeaders() async throws {
    let (sut, client) = makeSUT(headers: ["X-App-Version": "7.1", "Accept-Language": "de-DE"])

    sut.load(.plain) { _ in }
    sut.load(.elaborate) { _ in }
    await client.calls.receives(2)

    try #require(client.requests.count == 2, "Each call should forward one request. Call the decoratee once in `load`.")
    for request in client.requests {
      #expect(
        request.value(forHTTPHeaderField: "X-App-Version") == "7.1",
        "Every request should have the header X-App-Version. Add it, and forward the changed request.")
      #expect(
        request.value(forHTTPHeaderField: "Accept-Language") == "de-DE",
        "Every request should have the header Accept-Language. Add all headers, and forward the changed request.")
    }
  }

  @Test("a header that is already set is kept, whatever its case")
  func neverOverwrites() async throws {
    // On Linux, Foundation changes the case of names in a request: `X-Request-ID` becomes `X-Request-Id`.
    try await each(
      "ours and theirs",
      in: [
        ("Accept-Language", "Accept-Language"), ("Accept-Language", "accept-language"), ("accept-language", "Accept-Language"),
        ("X-Request-ID", "x-request-id"), ("x-request-id", "X-Request-ID"),
      ]
    ) { ours, theirs in
      let (sut, client) = makeSUT(headers: [ours: "of the decorator", "X-App-Version": "7.1"])
      var request = URLRequest.plain
      request.setValue("of the caller", forHTTPHeaderField: theirs)

      sut.load(request) { _ in }
      await client.calls.receives(1)

      let sent = try #require(client.requests.first, "The request should be forwarded. Call the decoratee in `load`.")
      #expect(
        sent.value(forHTTPHeaderField: theirs) == "of the caller",
        "The caller's header should be kept. Names are not case-sensitive: `\(ours)` and `\(theirs)` are the same header.")
      let names = (sent.allHTTPHeaderFields ?? [:]).keys.filter { $0.lowercased() == theirs.lowercased() }
      #expect(
        names.count == 1,
        "The request should have this header once. Names are not case-sensitive: `\(ours)` and `\(theirs)` are the same header.")
      #expect(
        sent.value(forHTTPHeaderField: "X-App-Version") == "7.1",
        "The header X-App-Version was missing and should be added. Decide for each header whether to add it.")
    }
  }

  @Test("a header with an empty value is kept")
  func keepsEmptyHeaders() async throws {
    let (sut, client) = makeSUT(headers: ["Accept-Language": "de-DE", "X-App-Version": "7.1"])
    var request = URLRequest.plain
    request.setValue("", forHTTPHeaderField: "Accept-Language")

    sut.load(request) { _ in }
    await client.calls.receives(1)

    let sent = try #require(client.requests.first, "The request should be forwarded. Call the decoratee in `load`.")
    #expect(
      sent.value(forHTTPHeaderField: "Accept-Language") == "",
      "The caller's empty header should be kept. An empty value is a value: compare with `nil`.")
    #expect(
      sent.value(forHTTPHeaderField: "X-App-Version") == "7.1",
      "The header X-App-Version was missing and should be added. Decide for each header whether to add it.")
  }

  @Test("nested decorators all add headers, and the outermost one's value wins")
  func nests() async throws {
    let client = HTTPClientSpy()
    let inner = HeadersHTTPClientDecorator(decoratee: client, headers: ["X-Inner": "1", "X-Both": "inner"])
    let sut = HeadersHTTPClientDecorator(decoratee: inner, headers: ["X-Outer": "2", "X-Both": "outer"])

    sut.load(.plain) { _ in }
    await client.calls.receives(1)

    let sent = try #require(client.requests.first, "The request should reach the client. Call the decoratee in `load`.")
    #expect(
      sent.value(forHTTPHeaderField: "X-Inner") == "1",
      "The inner decorator should also add its headers. Add your headers to the request that `load` receives.")
    #expect(
      sent.value(forHTTPHeaderField: "X-Outer") == "2",
      "The inner decorator should keep the outer one's headers. Change a copy of the request instead of building a new one.")
    #expect(
      sent.value(forHTTPHeaderField: "X-Both") == "outer",
      "The outer decorator's value should win: when the request reaches the inner one, it already has the header.")
  }

  @Test("the decorator can wrap, and be wrapped by, an unknown decorator")
  func composes() async throws {
    let client = HTTPClientSpy()
    let journal = Journal()
    let inside = JournalDecorator(
      decoratee: HeadersHTTPClientDecorator(decoratee: client, headers: ["X-App-Version": "7.1"]), journal: journal)
    let sut = HeadersHTTPClientDecorator(decoratee: inside, headers: ["Accept-Language": "de-DE"])
    let results = Inbox<HTTPResult>()

    sut.load(.plain, completion: results.receive)
    await client.calls.receives(1)
    client.calls.complete(with: .teapot)
    await results.receives(1)

    #expect(
      journal.entries == ["de-DE -", "result"],
      "The decorator between your two should receive a request with only the outer one's headers, and then the result.")
    let sent = try #require(client.requests.first, "The request should reach the client. Call the decoratee in `load`.")
    #expect(
      sent.value(forHTTPHeaderField: "X-App-Version") == "7.1",
      "The inner decorator should add its headers to the request. Forward the changed request.")
  }

  @Test("unchanged: adding headers changes no other part of the request")
  func forwardsTheRequest() async throws {
    let (sut, client) = makeSUT(headers: ["X-App-Version": "7.1"])
    let request = URLRequest.elaborate

    sut.load(request) { _ in }
    await client.calls.receives(1)

    let sent = try #require(client.requests.first, "The request should be forwarded. Call the decoratee in `load`.")
    expectUnchanged(sent, from: request)
    #expect(
      (sent.allHTTPHeaderFields?.count ?? 0) <= 3,
      "The request had two headers and the decorator has one, so at most three should be sent. Add only your own headers.")
  }

  @Test("unchanged: a decorator without headers changes nothing in the request")
  func forwardsUnchanged() async {
    let (sut, client) = makeSUT(headers: [:])

    sut.load(.elaborate) { _ in }
    await client.calls.receives(1)

    #expect(client.requests.count == 1, "If the decorator has no headers to add, it should still forward the request once.")
    for sent in client.requests {
      expectUnchanged(sent, from: .elaborate)
      #expect(
        sent.allHTTPHeaderFields?.count == 2,
        "The decorator has no headers, so it should add none. Forward the request unchanged.")
    }
  }

  @Test("unchanged: the caller receives the decoratee's response exactly once")
  func deliversTheResponse() async throws {
    let (sut, client) = makeSUT()
    let results = Inbox<HTTPResult>()

    sut.load(.plain, completion: results.receive)
    await client.calls.receives(1)
    #expect(results.values.isEmpty, "A result was delivered before the decoratee completed. Deliver only the decoratee's result.")
    client.calls.complete(with: .teapot)
    await results.receives(1)

    #expect(results.values.count == 1, "Each result from the decoratee should be delivered exactly once. Pass the completion on.")
    let result = try #require(results.values.first, "The decoratee's result should be delivered. Pass the completion on.")
    let (data, response) = try result.expectSuccess("The decoratee's response should be delivered. Pass the completion on.")
    #expect(data == Data("body".utf8), "The body should be the decoratee's. Deliver the data unchanged.")
    #expect(response === HTTPURLResponse.teapot, "The response should be the decoratee's object. Deliver it unchanged.")
  }

  @Test("unchanged: the caller receives the decoratee's error exactly once")
  func deliversTheError() async throws {
    try await each("error", in: Trouble.allCases) { trouble in
      let (sut, client) = makeSUT()
      let results = Inbox<HTTPResult>()

      sut.load(.plain, completion: results.receive)
      await client.calls.receives(1)
      client.calls.complete(with: .failure(trouble.error))
      await results.receives(1)

      #expect(
        results.values.count == 1, "Each error from the decoratee should be delivered exactly once. Pass the completion on.")
      let result = try #require(results.values.first, "The decoratee's error should be delivered. Pass the completion on.")
      let error = try #require(result.failure, "The decoratee's error should be delivered, but a response was delivered.")
      #expect(
        error.isSame(as: trouble.error), "The decoratee's error should be delivered unchanged. Delivered instead: \(error)")
    }
  }

  @Test("unchanged: overlapping requests receive their own results after the decorator is released")
  func keepsResultsApart() async {
    let client = HTTPClientSpy()
    let completed = Inbox<String>()
    var sut: HeadersHTTPClientDecorator? = HeadersHTTPClientDecorator(decoratee: client, headers: ["X-Name": "name"])
    for (index, name) in ["first", "second"].enumerated() {
      sut?.load(.plain) { _ in completed.receive(name) }
      await client.calls.receives(index + 1)
    }
    sut = nil

    client.calls.complete(1, with: .teapot)
    await completed.receives(1)
    client.calls.complete(0, with: .teapot)
    await completed.receives(2)

    #expect(
      completed.values == ["second", "first"],
      "Each request should receive its own result, even if the app has released the decorator. Pass the completion on.")
  }

  @Test("unchanged: a completion can send the next request")
  func sendsFromACompletion() async {
    let sut = HeadersHTTPClientDecorator(
      decoratee: ClosureClient { _, completion in completion(.teapot) }, headers: ["X-App-Version": "7.1"])
    let results = Inbox<HTTPResult>()

    await finished(on: .background) {
      sut.load(.plain) { _ in sut.load(.plain, completion: results.receive) }
    }

    let hasCompleted = await results.receives(1)
    #expect(hasCompleted, "The second request never completed. Hold no lock while you call the decoratee.")
  }

  @Test("unchanged: the decoratee is released together with the decorator")
  func releasesItsDecoratee() async {
    await expectReleased(
      "The decoratee is still retained after the last result. Look for a stored closure that captures `self` strongly."
    ) { leaks in
      let journal = leaks.track(Journal())
      let client = JournalDecorator(decoratee: ClosureClient { _, completion in completion(.teapot) }, journal: journal)
      HeadersHTTPClientDecorator(decoratee: client, headers: ["X-App-Version": "7.1"]).load(.plain) { _ in }
    }
  }

  private func makeSUT(headers: [String: String] = ["X-App-Version": "7.1"]) -> (HeadersHTTPClientDecorator, HTTPClientSpy) {
    let client = HTTPClientSpy()
    return (HeadersHTTPClientDecorator(decoratee: client, headers: headers), client)
  }
}

/// A decorator that is not yours. It records the language and the version of each request, and each result.
private struct JournalDecorator: HTTPClient {
  let decoratee: any HTTPClient
  let journal: Journal

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    let fields = ["Accept-Language", "X-App-Version"].map { request.value(forHTTPHeaderField: $0) ?? "-" }
    journal.entries.append(fields.joined(separator: " "))
    decoratee.load(request) { result in
      journal.entries.append("result")
      completion(result)
    }
  }
}

private final class Journal {
  var entries: [String] = []
}

extension URLRequest {
  fileprivate static let plain = URLRequest(url: URL(string: "https://example.com/articles")!)
}

extension HTTPURLResponse {
  fileprivate static let teapot = HTTPURLResponse(
    url: URL(string: "https://example.com/articles")!, statusCode: 418, httpVersion: nil, headerFields: ["X-Pot": "brown"])!
}

extension Result where Success == (Data, HTTPURLResponse), Failure == any Error {
  fileprivate static var teapot: Self { .success((Data("body".utf8), .teapot)) }
}
