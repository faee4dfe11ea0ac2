import Given
import TestSupport
import Testing

@Suite("Your tests", .oneAtATime)
struct YourTests {
  // Write your tests here, as `@Test` methods without parameters (`async` and `throws` as you like), and list each one by its
  // name: `[addsAMissingHeader]`. The suite runs what is listed against other decorators, too.
  static let all: [YourTest] = []
}

/// A client that sends nothing.
private final class ClientSpy: HTTPClient {
  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    // Store both, so that a test can look at the request, and decide when and how it ends.
  }
}
