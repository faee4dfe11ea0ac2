// Tests with the classic spy, helpers, and names that the test support has, too.

import Given
import TestSupport
import Testing

@Suite("Step 4: test a decorator", .oneAtATime)
struct Step4YourTests {
  static let all: [YourTest] = [
    load_addsMissingHeaders, load_keepsHeadersOfTheRequest, load_keepsOtherProperties, load_deliversError,
    load_deliversAfterInstanceHasBeenDeallocated, loadTwice_deliversEachResponse,
  ]

  @Test func load_addsMissingHeaders() {
    let (sut, client) = makeSUT(["X-App-Version": "7.1"])
    sut.load(anyRequest(["Accept-Language": "de"])) { _ in }
    #expect(client.value(of: "X-App-Version") == "7.1")
    #expect(client.value(of: "Accept-Language") == "de")
  }

  @Test func load_keepsHeadersOfTheRequest() {
    for (name, value) in [("X-App-Version", "7.0"), ("x-app-version", "7.0"), ("X-App-Version", "")] {
      let (sut, client) = makeSUT([name: "7.1"])
      sut.load(anyRequest(["X-App-Version": value])) { _ in }
      #expect(client.value(of: "X-App-Version") == value)
    }
  }

  @Test func load_keepsOtherProperties() {
    let (sut, client) = makeSUT()
    var request = anyRequest()
    request.cachePolicy = .reloadIgnoringLocalCacheData
    sut.load(request) { _ in }
    #expect(client.messages.map(\.request.cachePolicy) == [.reloadIgnoringLocalCacheData])
  }

  @Test func load_deliversError() async {
    let (sut, client) = makeSUT()
    await expect(sut, toComplete: [Response(code: 42)]) { client.complete(with: NSError(domain: "any", code: 42)) }
  }

  @Test func load_deliversAfterInstanceHasBeenDeallocated() async {
    var (sut, client): (HTTPClient?, HTTPClientSpy) = makeSUT()
    let received = Inbox<HTTPResult>()
    sut?.load(anyRequest(), completion: received.receive)
    sut = nil
    client.complete(with: NSError(domain: "any", code: 42))
    await received.receives(1)
    #expect(received.values.count == 1)
  }

  @Test func loadTwice_deliversEachResponse() async {
    let (sut, client) = makeSUT()
    sut.load(anyRequest()) { _ in }
    await expect(sut, toComplete: [Response(code: 2)]) {
      client.complete(with: NSError(domain: "any", code: 1))
      client.complete(with: NSError(domain: "any", code: 2), at: 1)
    }
  }

  private func makeSUT(_ headers: [String: String] = [:]) -> (HTTPClient, HTTPClientSpy) {
    let client = HTTPClientSpy()
    return (addingHeaders(headers, to: client), client)
  }

  private func anyRequest(_ headers: [String: String] = [:]) -> URLRequest {
    var request = URLRequest(url: URL(string: "https://any-url.com")!)
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }

  private func expect(
    _ sut: HTTPClient, toComplete expected: [Response], when action: () -> Void, at location: SourceLocation = #_sourceLocation
  ) async {
    let received = Inbox<HTTPResult>()
    sut.load(anyRequest(), completion: received.receive)
    action()
    await received.receives(1)
    #expect(received.values.map(Response.init) == expected, sourceLocation: location)
  }
}

struct Response: Equatable {
  var code: Int

  init(code: Int) { self.code = code }

  init(_ result: HTTPResult) {
    switch result {
    case .success((_, let response)): code = response.statusCode
    case .failure(let error): code = (error as NSError).code
    }
  }
}

final class HTTPClientSpy: HTTPClient {
  private(set) var messages: [(request: URLRequest, completion: HTTPClient.Completion)] = []

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    messages.append((request, completion))
  }

  func value(of name: String) -> String? { messages.first?.request.value(forHTTPHeaderField: name) }

  func complete(with error: Error, at index: Int = 0) { messages[index].completion(.failure(error)) }
}
