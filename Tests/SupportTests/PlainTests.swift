import Given
import Testing

// What the page about testing prints: a test, and a spy, that can be copied as they are.

/// Counts the requests that have ended.
final class CountingClient: HTTPClient {
  private let client: any HTTPClient
  private(set) var count = 0

  init(_ client: any HTTPClient) {
    self.client = client
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    client.load(request) { result in
      self.count += 1
      completion(result)
    }
  }
}

/// Records each request, and lets the test decide when and how it ends.
final class ClientSpy: HTTPClient {
  private(set) var requests: [URLRequest] = []
  private var completions: [HTTPClient.Completion] = []

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    requests.append(request)
    completions.append(completion)
  }

  /// Ends a request, as a server would, or a lost connection.
  func complete(_ index: Int = 0, with result: Result<(Data, HTTPURLResponse), any Error>) {
    completions[index](result)
  }
}

@Suite("A decorator that counts")
struct PlainTests {
  @Test("a request counts when it ends, and not before")
  func countsAtTheEnd() {
    let client = ClientSpy()
    let sut = CountingClient(client)
    let request = URLRequest(url: URL(string: "https://example.com/articles")!)
    var errors: [URLError.Code?] = []

    sut.load(request) { result in
      if case .failure(let error) = result { errors.append((error as? URLError)?.code) }
    }
    #expect(client.requests.map(\.url) == [request.url], "The request should be forwarded once.")
    #expect(sut.count == 0, "The request has not ended yet, so it should not count.")

    client.complete(with: .failure(URLError(.timedOut)))
    #expect(sut.count == 1, "A request that fails has ended, so it should count.")
    #expect(errors == [.timedOut], "The client's error should be delivered once, unchanged.")
  }
}
