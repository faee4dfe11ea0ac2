import Given
import TestSupport
import Testing

import typealias Given.Response

@testable import ExerciseMiddleware

@Suite("The test on the page")
struct AuthorizingTests {
  @Test func addsTheTokenAndThrowsTheError() async throws {
    let client = ClientSpy()
    let sut = authorizing(with: { .valid })

    let call = Running { try await sut(.named("articles"), client.send) }
    await client.requests.receives(1)
    #expect(client.requests.values.first?.authorization == "Bearer valid-token")
    #expect(!call.hasEnded)

    await client.end(0, with: .failure(URLError(.timedOut)))
    let error = try await call.outcome().failure
    #expect(error as? URLError == URLError(.timedOut))
  }
}

private actor ClientSpy {
  let requests = Inbox<URLRequest>()
  private var calls: [CheckedContinuation<Response, any Error>] = []

  func send(_ request: URLRequest) async throws -> Response {
    try await withCheckedThrowingContinuation { continuation in
      calls.append(continuation)
      requests.receive(request)
    }
  }

  func end(_ index: Int, with result: Result<Response, any Error>) {
    calls[index].resume(with: result)
  }
}
