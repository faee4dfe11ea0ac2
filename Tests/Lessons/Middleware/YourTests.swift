import Given
import TestSupport
import Testing

@Suite("Your tests", .oneAtATime)
struct YourTests {
  // Write your tests here, as `@Test` methods without parameters (`async` and `throws` as you like), and list each one by its
  // name: `[measuresARequest]`. The suite runs what is listed against other middlewares, too.
  static let all: [YourTest] = []
}

/// A client that sends nothing.
private actor ClientSpy {
  func send(_ request: URLRequest) async throws -> Response {
    // Store the request and a continuation, so that a test can look at the request, and decide when and how this call ends.
    throw Unfinished("Middleware, step 1: finish the spy")
  }
}
