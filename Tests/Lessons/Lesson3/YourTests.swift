import Given
import TestSupport
import Testing

@Suite("Your tests", .oneAtATime)
struct YourTests {
  // Write your tests here, as `@Test` methods without parameters (`async` and `throws` as you like), and list each one by its
  // name: `[addsAMissingHeader]`. The suite runs what is listed against other decorators, too. A test with `@Test(arguments:)`
  // cannot be listed: if you have several values, write a loop.
  //
  // Compare properties of a request, and not two requests: on Linux, `==` of two requests ignores header fields, body, and
  // timeout. Read a header with `value(forHTTPHeaderField:)`. A request capitalizes names of its headers, on Linux all, on a Mac
  // those that are well known: to test names in another case, pass lowercase ones to `addingHeaders`.
  //
  // Prefer `first?` and `try #require` to `[0]` and `!`: a trap ends the whole run.
  //
  // "0 of 9", although your tests expect something? Do they call `addingHeaders`? Do they wait before they expect? Do they use
  // `#expect`, and not `XCTAssertEqual`?
  static let all: [YourTest] = []
}

/// A client that sends nothing.
private final class ClientSpy: HTTPClient {
  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    // Store both, so that a test can look at the request, and decide when and how it ends.
  }
}
