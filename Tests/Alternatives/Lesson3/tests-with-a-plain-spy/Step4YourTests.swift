// Tests whose spy has two arrays and no lock. It fits a decorator that forwards each request before `load` returns.

import Given
import TestSupport
import Testing

@MainActor
@Suite("Step 4: test a decorator", .oneAtATime)
struct Step4YourTests {
  static let all: [YourTest] = [addsOurs, keepsTheirs, passesTheRestOn, passesErrorsOn, tellsRequestsApart]

  @Test func addsOurs() {
    let client = ClientSpy()
    var request = URLRequest(url: URL(string: "https://example.com")!)
    request.addValue("en", forHTTPHeaderField: "Accept-Language")
    addingHeaders(["A": "1", "B": "2"], to: client).load(request) { _ in }
    #expect(client.requests.map { $0.value(forHTTPHeaderField: "A") } == ["1"])
    #expect(client.requests.map { $0.value(forHTTPHeaderField: "B") } == ["2"])
  }

  @Test func keepsTheirs() {
    let client = ClientSpy()
    var request = URLRequest(url: URL(string: "https://example.com")!)
    for (name, value) in ["X-First": "theirs", "X-Second": ""] {
      request.setValue(value, forHTTPHeaderField: name)
      addingHeaders([name.uppercased(): "ours"], to: client).load(request) { _ in }
      addingHeaders([name: "ours"], to: client).load(request) { _ in }
      #expect(client.requests.allSatisfy { $0.value(forHTTPHeaderField: name) == value })
      client.requests = []
    }
  }

  @Test func passesTheRestOn() throws {
    let client = ClientSpy()
    var request = URLRequest(url: URL(string: "https://example.com")!)
    request.timeoutInterval = 3
    addingHeaders(["A": "1"], to: client).load(request) { _ in }
    let sent = try #require(client.requests.first)
    #expect(sent.timeoutInterval == 3)
  }

  @Test func passesErrorsOn() async {
    struct Mine: Error {}
    let (client, results) = (ClientSpy(), Inbox<HTTPResult>())
    addingHeaders(["A": "1"], to: client).load(URLRequest(url: URL(string: "https://example.com")!), completion: results.receive)
    client.completions.first?(.failure(Mine()))
    await results.receives(1)
    #expect(results.values.count == 1)
    #expect(throws: Mine.self) { try results.values.first?.get() }
  }

  @Test func tellsRequestsApart() async {
    let (client, results) = (ClientSpy(), Inbox<String>())
    let sut = addingHeaders(["A": "1"], to: client)
    for name in ["one", "two"] {
      sut.load(URLRequest(url: URL(string: "https://example.com/\(name)")!)) { results.receive("\(name) \($0.text ?? "")") }
    }
    for (number, completion) in client.completions.enumerated() {
      completion(.status(200, "\(number + 1)"))
      await results.receives(number + 1)
    }
    #expect(results.values == ["one 200 1", "two 200 2"])
  }
}

@MainActor
private final class ClientSpy: @preconcurrency HTTPClient {
  var requests: [URLRequest] = []
  var completions: [HTTPClient.Completion] = []

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    requests.append(request)
    completions.append(completion)
  }
}
