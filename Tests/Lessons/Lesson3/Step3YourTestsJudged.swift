import Given
import TestSupport
import Testing

@testable import Exercise3

/// A test in the list of ``YourTests``.
typealias YourTest = (YourTests) -> () async throws -> Void

/// The decorator that the running test is about: the learner's own, or another one while the suite judges the test.
private enum DecoratorUnderTest {
  @TaskLocal static var make: HeadersDecorators.Make = Exercise3.addingHeaders
}

/// Makes the decorator under test. Your tests call this function, which has the name and the parameters of yours.
func addingHeaders(_ headers: [String: String], to client: any HTTPClient) -> any HTTPClient {
  DecoratorUnderTest.make(headers, client)
}

@Suite("Step 3: test a decorator", .oneAtATime)
struct Step3YourTestsJudged {
  @Test("your tests tell right decorators from wrong ones")
  func areJudged() async throws { try await YourTests.judge() }
}

extension YourTests {
  /// Judges the tests, on the actor of their suite, if it has one.
  fileprivate static func judge() async throws {
    let judge = Judge(
      of: "decorator", own: DecoratorUnderTest.make, right: HeadersDecorators.right, wrong: HeadersDecorators.wrong
    ) { make, test in
      try await DecoratorUnderTest.$make.withValue(make) { try await test() }
    }
    try await judge.judge(
      all.map { test in { try await test(YourTests())() } }, of: "YourTests",
      startingWith: "Write one for the first rule of step 2, and list it.")
  }
}
