import Given
import TestSupport
import Testing

@Suite("Your tests", .oneAtATime)
struct YourTests {
  static let all: [YourTest] = [
    addsAMissingHeader, keepsTheCallersHeader, ignoresCase, forwardsTheRest, deliversTheResult, keepsResultsApart,
  ]

  @Test func addsAMissingHeader() async throws {
    let client = ClientSpy()
    var request = URLRequest.articles
    request.setValue("de-DE", forHTTPHeaderField: "Accept-Language")

    addingHeaders(["X-App-Version": "7.1"], to: client).load(request) { _ in }

    let sent = try await client.request()
    #expect(sent.value(forHTTPHeaderField: "X-App-Version") == "7.1")
    #expect(sent.value(forHTTPHeaderField: "Accept-Language") == "de-DE")
  }

  @Test func keepsTheCallersHeader() async throws {
    for value in ["fr-CA", ""] {
      let client = ClientSpy()
      var request = URLRequest.articles
      request.setValue(value, forHTTPHeaderField: "Accept-Language")

      addingHeaders(["Accept-Language": "de-DE"], to: client).load(request) { _ in }

      let sent = try await client.request()
      #expect(sent.value(forHTTPHeaderField: "Accept-Language") == value)
    }
  }

  @Test func ignoresCase() async throws {
    let client = ClientSpy()
    var request = URLRequest.articles
    request.setValue("6.0", forHTTPHeaderField: "X-App-Version")

    addingHeaders(["x-app-version": "7.1"], to: client).load(request) { _ in }

    let sent = try await client.request()
    #expect(sent.value(forHTTPHeaderField: "X-App-Version") == "6.0")
  }

  @Test func forwardsTheRest() async throws {
    let client = ClientSpy()
    var request = URLRequest.articles
    request.httpMethod = "PUT"
    request.httpBody = Data("news".utf8)
    request.timeoutInterval = 7

    addingHeaders(["X-App-Version": "7.1"], to: client).load(request) { _ in }

    let sent = try await client.request()
    #expect(sent.url == request.url)
    #expect(sent.httpMethod == "PUT")
    #expect(sent.httpBody == Data("news".utf8))
    #expect(sent.timeoutInterval == 7)
  }

  @Test func deliversTheResult() async {
    let client = ClientSpy()
    let results = Inbox<HTTPResult>()

    // Nothing else retains the decorator.
    addingHeaders([:], to: client).load(.articles, completion: results.receive)
    await client.complete(with: .failure(URLError(.timedOut)))
    await results.receives(1)

    #expect(results.values.map { $0.failure as? URLError } == [URLError(.timedOut)])
  }

  @Test func keepsResultsApart() async {
    let client = ClientSpy()
    let sut = addingHeaders([:], to: client)
    let (first, second) = (Inbox<HTTPResult>(), Inbox<HTTPResult>())

    sut.load(.articles, completion: first.receive)
    sut.load(.articles, completion: second.receive)
    await client.complete(1, with: .failure(URLError(.timedOut)))
    await client.complete(0, with: .failure(URLError(.cancelled)))
    await first.receives(1)
    await second.receives(1)

    #expect(first.values.map { $0.failure as? URLError } == [URLError(.cancelled)])
    #expect(second.values.map { $0.failure as? URLError } == [URLError(.timedOut)])
  }
}

extension URLRequest {
  fileprivate static let articles = URLRequest(url: URL(string: "https://example.com/articles")!)
}

/// A client that sends nothing. It stores requests and completions, so that a test decides when and how each request ends.
///
/// It waits for a request where a test needs one, since a decorator may work on a queue of its own.
private final class ClientSpy: HTTPClient {
  private let requests = Inbox<URLRequest>()
  private let completions = Locked<[HTTPClient.Completion]>([])

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    completions.withLock { $0.append(completion) }
    requests.receive(request)
  }

  /// The only request.
  func request() async throws -> URLRequest {
    try await requests.only("The client has received no request.")
  }

  func complete(_ index: Int = 0, with result: HTTPResult) async {
    guard await requests.receives(index + 1) else { return }
    completions.withLock { $0[index] }(result)
  }
}
