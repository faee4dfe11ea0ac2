import Given
import TestSupport
import Testing

@Suite("The test on the page")
struct ActivityTests {
  @Test func countsARequestUntilItEnds() async {
    let client = ClientSpy()
    let results = Inbox<HTTPResult>()
    var counts: [Int] = []
    let sut = ActivityHTTPClientDecorator(decoratee: client) { counts.append($0) }

    sut.load(URLRequest(url: URL(string: "https://example.com/articles")!), completion: results.receive)
    #expect(counts == [1])

    client.completions.first?(.failure(URLError(.timedOut)))
    await results.receives(1)
    #expect(counts == [1, -1])
  }
}

private final class ClientSpy: HTTPClient {
  var requests: [URLRequest] = []
  var completions: [HTTPClient.Completion] = []

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    requests.append(request)
    completions.append(completion)
  }
}
