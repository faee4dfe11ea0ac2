import Given
import TestSupport
import Testing

@testable import Exercise3

@Suite("Step 3: decorate with headers", .patientOnce)
struct Step3DecorateWithHeaders {
  @Test("the headers are on every request")
  func addsHeaders() async throws {
    let (sut, client) = makeSUT(headers: ["X-App-Version": "7.1", "Accept-Language": "de-DE"])

    sut.load(.plain) { _ in }
    sut.load(.elaborate) { _ in }
    await client.calls.receives(2)

    try #require(client.requests.count == 2, "Each request has to be forwarded to the decoratee, once.")
    for request in client.requests {
      #expect(
        request.value(forHTTPHeaderField: "X-App-Version") == "7.1",
        "This header is missing: every request carries all of them, not only the first.")
      #expect(
        request.value(forHTTPHeaderField: "Accept-Language") == "de-DE",
        "This header is missing: every request carries all of them, not only the first.")
    }
  }

  // Foundation on Linux rewrites the names in a request, `X-Request-ID` to `X-Request-Id`. Therefore some that come rewritten already.
  @Test(
    "a header that the request already has stays as it is, however its name is spelled",
    arguments: [
      ("Accept-Language", "Accept-Language"), ("Accept-Language", "accept-language"), ("accept-language", "Accept-Language"),
      ("X-Request-ID", "x-request-id"), ("x-request-id", "X-Request-ID"),
    ])
  func neverOverwrites(ours: String, theirs: String) async throws {
    let (sut, client) = makeSUT(headers: [ours: "of the decorator", "X-App-Version": "7.1"])
    var request = URLRequest.plain
    request.setValue("of the caller", forHTTPHeaderField: theirs)

    sut.load(request) { _ in }
    await client.calls.receives(1)

    let sent = try #require(client.requests.first, "The request has to be forwarded to the decoratee.")
    #expect(
      sent.value(forHTTPHeaderField: theirs) == "of the caller",
      "The caller knows better: leave a header alone that is there already. `\(ours)` and `\(theirs)` are the same header.")
    let names = (sent.allHTTPHeaderFields ?? [:]).keys.filter { $0.lowercased() == theirs.lowercased() }
    #expect(names.count == 1, "The header is there twice: `\(ours)` and `\(theirs)` are the same header.")
    #expect(sent.value(forHTTPHeaderField: "X-App-Version") == "7.1", "The header that was missing still has to be added.")
  }

  @Test("decorators nest: each adds its own, and the outer one is first to decide")
  func nests() async throws {
    let client = HTTPClientSpy()
    let inner = HeadersHTTPClientDecorator(decoratee: client, headers: ["X-Inner": "1", "X-Both": "inner"])
    let sut = HeadersHTTPClientDecorator(decoratee: inner, headers: ["X-Outer": "2", "X-Both": "outer"])

    sut.load(.plain) { _ in }
    await client.calls.receives(1)

    let sent = try #require(client.requests.first, "The request has to pass through both decorators.")
    #expect(sent.value(forHTTPHeaderField: "X-Inner") == "1", "The inner decorator has to add its headers as well.")
    #expect(sent.value(forHTTPHeaderField: "X-Outer") == "2", "The outer decorator's headers have to survive the inner one.")
    #expect(
      sent.value(forHTTPHeaderField: "X-Both") == "outer",
      "The outer decorator came first: for the inner one the header is there already.")
  }

  @Test("it works around a decorator that it has never seen, and inside of it")
  func composes() async throws {
    let client = HTTPClientSpy()
    let journal = Journal()
    let inside = JournalDecorator(
      decoratee: HeadersHTTPClientDecorator(decoratee: client, headers: ["X-App-Version": "7.1"]), journal: journal)
    let sut = HeadersHTTPClientDecorator(decoratee: inside, headers: ["Accept-Language": "de-DE"])

    sut.load(.plain) { _ in }
    await client.calls.receives(1)
    client.calls.complete(with: .teapot)

    #expect(
      journal.entries == ["de-DE -", "answer"],
      "The decorator in the middle sees the outer headers on the request, not yet the inner ones, and then the answer.")
    let sent = try #require(client.requests.first, "The request has to arrive at the client in the end.")
    #expect(sent.value(forHTTPHeaderField: "X-App-Version") == "7.1", "The innermost decorator has to add its headers as well.")
  }

  @Test("unchanged: everything else about the request")
  func forwardsTheRequest() async throws {
    let (sut, client) = makeSUT(headers: ["X-App-Version": "7.1"])
    let request = URLRequest.elaborate

    sut.load(request) { _ in }
    await client.calls.receives(1)

    let sent = try #require(client.requests.first, "The request has to be forwarded to the decoratee.")
    expectUnchanged(sent, from: request)
    #expect((sent.allHTTPHeaderFields?.count ?? 0) <= 3, "The request had 2 headers, the decorator has 1: nothing else is added.")
  }

  @Test("a header without a value is a header")
  func keepsEmptyHeaders() async throws {
    let (sut, client) = makeSUT(headers: ["Accept-Language": "de-DE", "X-App-Version": "7.1"])
    var request = URLRequest.plain
    request.setValue("", forHTTPHeaderField: "Accept-Language")

    sut.load(request) { _ in }
    await client.calls.receives(1)

    let sent = try #require(client.requests.first, "The request has to be forwarded to the decoratee.")
    #expect(
      sent.value(forHTTPHeaderField: "Accept-Language") == "",
      "The caller has set this header, if only to nothing: leave it alone.")
    #expect(sent.value(forHTTPHeaderField: "X-App-Version") == "7.1", "The header that was missing still has to be added.")
  }

  @Test("unchanged: the request as a whole, when there is nothing to add")
  func forwardsAsIs() async {
    let (sut, client) = makeSUT(headers: [:])

    sut.load(.elaborate) { _ in }
    await client.calls.receives(1)

    #expect(client.requests.count == 1, "Without headers to add, the request is forwarded all the same, once.")
    for sent in client.requests {
      expectUnchanged(sent, from: .elaborate)
      #expect(sent.allHTTPHeaderFields?.count == 2, "There are no headers to add, and one was added.")
    }
  }

  @Test("unchanged: the answer")
  func deliversTheAnswer() async throws {
    let (sut, client) = makeSUT()
    let answers = Inbox<HTTPResult>()

    sut.load(.plain, completion: answers.receive)
    await client.calls.receives(1)
    #expect(answers.values.isEmpty, "There is nothing to deliver before the decoratee has answered.")
    client.calls.complete(with: .teapot)
    await answers.receives(1)

    #expect(answers.values.count == 1, "The decoratee answered once: deliver its answer, once.")
    let answer = try #require(answers.values.first, "The decoratee's answer was not delivered.")
    let (data, response) = try answer.expectSuccess("The decoratee delivered an answer.")
    #expect(data == Data("answer".utf8), "The body has to come back as the decoratee delivered it.")
    #expect(response === HTTPURLResponse.teapot, "Deliver the decoratee's own response, not one made up.")
  }

  @Test("unchanged: the error, whoever made it")
  func deliversTheError() async throws {
    let (sut, client) = makeSUT()
    let answers = Inbox<HTTPResult>()

    for _ in 1...2 { sut.load(.plain, completion: answers.receive) }
    await client.calls.receives(2)
    client.calls.complete(0, with: .failure(HTTPClientError.sessionExpired))
    await answers.receives(1)
    client.calls.complete(1, with: .failure(URLError(.timedOut)))
    await answers.receives(2)

    try #require(answers.values.count == 2, "The decoratee failed twice: deliver each error, once.")
    answers.values[0].expectFailure(
      HTTPClientError.sessionExpired, "The error has to come back as the decoratee delivered it.")
    answers.values[1].expectFailure(URLError(.timedOut), "The error has to come back as the decoratee delivered it.")
  }

  @Test("unchanged: requests under way at the same time each get their own answer, even if nobody keeps the decorator")
  func keepsAnswersApart() async {
    let client = HTTPClientSpy()
    let answered = Inbox<String>()
    var sut: HeadersHTTPClientDecorator? = HeadersHTTPClientDecorator(decoratee: client, headers: ["X-Name": "name"])
    for (index, name) in ["first", "second"].enumerated() {
      sut?.load(.plain) { _ in answered.receive(name) }
      await client.calls.receives(index + 1)
    }
    sut = nil

    client.calls.complete(1, with: .teapot)
    await answered.receives(1)
    client.calls.complete(0, with: .teapot)
    await answered.receives(2)

    #expect(answered.values == ["second", "first"], "Each answer belongs to its own request, and none may get lost.")
  }

  private func makeSUT(headers: [String: String] = ["X-App-Version": "7.1"]) -> (HeadersHTTPClientDecorator, HTTPClientSpy) {
    let client = HTTPClientSpy()
    return (HeadersHTTPClientDecorator(decoratee: client, headers: headers), client)
  }
}

/// A decorator that you have never seen. It writes down the language and the version of each request, and each answer.
private struct JournalDecorator: HTTPClient {
  let decoratee: any HTTPClient
  let journal: Journal

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    let fields = ["Accept-Language", "X-App-Version"].map { request.value(forHTTPHeaderField: $0) ?? "-" }
    journal.entries.append(fields.joined(separator: " "))
    decoratee.load(request) { result in
      journal.entries.append("answer")
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
  fileprivate static var teapot: Self { .success((Data("answer".utf8), .teapot)) }
}
