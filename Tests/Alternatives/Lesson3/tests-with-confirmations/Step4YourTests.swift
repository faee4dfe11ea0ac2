// One long test, with confirmations, a continuation, and the suites' own spy.

import Given
import TestSupport
import Testing

@Suite("Step 4: test a decorator", .oneAtATime)
struct Step4YourTests {
  static let all: [YourTest] = [everything]

  private struct Oops: Error, Equatable {}

  @Test func everything() async throws {
    var request = URLRequest(url: URL(string: "https://example.com/a?b=c")!)
    request.httpMethod = "DELETE"
    request.timeoutInterval = 3
    request.setValue("theirs", forHTTPHeaderField: "X-Kept")
    request.setValue("", forHTTPHeaderField: "X-Empty")

    let spy = HTTPClientSpy()
    let headers = ["x-kept": "ours", "X-Empty": "ours", "X-New": "ours"]
    await confirmation("the result arrives", expectedCount: 1) { arrives in
      await withCheckedContinuation { continuation in
        addingHeaders(headers, to: spy).load(request) { result in
          if case .failure(let error) = result, error is Oops { arrives() }
          continuation.resume()
        }
        spy.calls.complete(with: .failure(Oops()))
      }
    }

    let sent = try #require(spy.requests.first)
    #expect(sent.httpMethod == "DELETE" && sent.timeoutInterval == 3)
    #expect(["X-Kept", "X-Empty", "X-New"].map(sent.value) == ["theirs", "", "ours"])

    let sut = addingHeaders([:], to: spy)
    let texts = Inbox<String>()
    for number in 1...2 {
      sut.load(request) { texts.receive("\(number): \($0.text ?? "-")") }
    }
    spy.calls.complete(1, with: .status(200, "one"))
    spy.calls.complete(2, with: .status(201, "two"))
    await texts.receives(2)
    #expect(texts.values.sorted() == ["1: 200 one", "2: 201 two"])
  }
}
